% Two uses of one assumption, the second one without progress: false.
%
% q(X) is true for X = 0 only. Unfolding p(X) allows to assume the entailment for X-1, which gives q(X-1) and so p(X): but
% this p(X) comes from the assumption and not from unfolding, and using the assumption for it proves the entailment from
% itself.
%
% Source: our own, a test of the condition that the rules of J. Jaffar, A. E. Santosa, "Recursive Abstractions for
% Parameterized Systems", 2009, need.
% Expect: false for X = 1.
% False: "p is q"

p(0).
p(X+1) :- p(X).

t(0).

q(X) :- p(X+1), t(X).

prove "p is q": p(X) |= q(X).
