p(X) :- X.
p(X) :- X + 1, p(X).
p(X) :- X = (X = 1).
p(X) :- (X, 1).
p(X) :- (X = 1 /\ X = 2) < (1, 2).
p(X) :- X = p(X).
prove p(X) |= X.
