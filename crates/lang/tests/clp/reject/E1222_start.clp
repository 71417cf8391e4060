even(0).
sys(X) :- sys(X+2).
abstract sys(X) by sys(X), even(X).
property sys(X) |= even(X).
