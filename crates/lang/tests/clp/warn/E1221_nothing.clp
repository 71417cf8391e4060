even(0).
even(X+2) :- even(X).
