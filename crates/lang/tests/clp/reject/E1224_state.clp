even(0).
sys(X) :- sys(X+2).
start sys(X), sys(X).
abstract even(X) by sys(X), (X = 1 \/ even(X)).
property even(X) |= X >= 0.
