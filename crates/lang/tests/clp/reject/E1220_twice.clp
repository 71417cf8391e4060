p(0).
"step": sys(X) :- sys(X+1).
"step": sys(X) :- sys(X+2).
start sys(0).
abstract "a": sys(_) by sys(_).
abstract "a": sys(_) by sys(_).
property "p": sys(X) |= X >= 0.
prove "p": p(X) |= X = 0.
