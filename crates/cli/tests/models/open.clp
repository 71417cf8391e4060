% False, but the number is too far away to be found, and there is no proof either.

nat(0).
nat(X+1) :- nat(X).

prove "never a million": nat(X) |= X != 1000000.
