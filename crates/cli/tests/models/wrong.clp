nat(0).
nat(X+1) :- nat(x).
prove nat(X), net(Y) |= X[Y] = 0.
