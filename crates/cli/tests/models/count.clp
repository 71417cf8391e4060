% A number that only grows.
nat(0).
nat(X+1) :- nat(X).

"count": sys(X) :- X < 9, sys(X+1).
start sys(0).
property "natural": sys(X) |= nat(X).
prove "not negative": nat(X) |= X >= 0.
