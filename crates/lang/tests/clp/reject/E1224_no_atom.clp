even(0).
start X = 0.
prove even(X) |= X >= 0.
