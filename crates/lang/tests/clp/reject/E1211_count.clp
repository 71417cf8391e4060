even(0).
even(X+2, Y) :- even(X), Y = X.
p :- even(0).
prove p(X) |= even.
