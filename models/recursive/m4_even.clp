% Multiples of four are even.
%
% The smallest example of a proof by induction over a definition: unfolding m4(X) gives X = 0 or m4(X-4), the entailment
% itself, used for X-4, gives even(X-4), and two rules of even lead to even(X). Neither definition says anything about
% negative numbers, which are not in the least model.
%
% Source: J. Jaffar, A. E. Santosa, "Recursive Abstractions for Parameterized Systems", 2009: their first example of an
% entailment.
% Expect: everything is true.

m4(0).
m4(X+4) :- m4(X).

even(0).
even(X+2) :- even(X).

prove "multiples of four are even": m4(X) |= even(X).

prove "never negative": even(X) |= X >= 0.

prove "sums of even numbers are even": even(X), even(Y) |= even(X+Y).
