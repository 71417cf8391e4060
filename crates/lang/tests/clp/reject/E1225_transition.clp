even(0).
sys(0).
sys(X) :- even(X).
sys(X) :- sys(X+1), sys(X+2).
sys(X) :- sys(X+1) ; X = 2.
sys(X) :- sys(X+1) ; sys(X+2).
start sys(0).
property sys(X) |= X >= 0.
