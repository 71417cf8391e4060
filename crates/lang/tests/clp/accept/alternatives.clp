% Disjunctions with atoms become several rules and entailments; those of constraints alone do not.
p(0).
q(X) :- X = 1 \/ X = 2.
r(X) :- p(X) \/ (q(X), X > 0) \/ X = 7.
s(X, Y) :- (p(X) ; q(X)), X < Y, (p(Y) ; q(Y)).
prove "several": p(X) ; q(X) |= X >= 0 \/ X < 0.
prove p(X), (X = 0 \/ X = 1) |= r(X).
