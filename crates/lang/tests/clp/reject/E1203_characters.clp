even(0).
p(X) :- even(X) & X > 0.
p(X) :- even(X) | X > 0.
p(X) :- !even(X).
p(X) :- X \= 1.
p(X) :- X / 2 = 1.
prove even(X) |= X = 'a'.
prove even(X) |= X = ? Y.
prove §§§even(X) |= X >= 0.
