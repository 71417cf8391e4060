even(0).
even(X+2) :- evne(X).

prove even(X) |= X >= 0.
