p(_, _Any, X, Y) :- Y > 0, Z > Y.
prove p(A, B, C, D) |= D > 0.
