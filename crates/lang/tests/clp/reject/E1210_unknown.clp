even(0).
even(X+2) :- evan(X).
prove even(X), odd(X) |= q.
