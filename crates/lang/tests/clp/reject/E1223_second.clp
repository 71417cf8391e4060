sys(X) :- sys(X+2).
start sys(0).
start sys(1).
property sys(X) |= X >= 0.
