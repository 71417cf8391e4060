even(0).
even(X) :- sys(X).
sys(X) :- sys(X+2).
start sys(0).
property sys(X) |= sys(X+1).
prove sys(X) |= even(X).
prove even(X) |= sys(X).
