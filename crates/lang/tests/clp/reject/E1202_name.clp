even(0).
prove "evens: even(X) |= X >= 0.
