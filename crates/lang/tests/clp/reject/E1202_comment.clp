even(0).
prove even(X) |= X >= 0. /* to the end
of the file
