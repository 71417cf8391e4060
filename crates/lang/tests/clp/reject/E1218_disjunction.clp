nat(0).
nat(X+1) :- nat(X).
sys(X) :- sys(X+1).
start sys(X), (nat(X) ; X = 1).
abstract sys(X), nat(X) \/ sys(X) by sys(X), (nat(X) \/ X < 0).
property sys(X) |= nat(X) \/ X < 0.
prove nat(X) |= X = 0 \/ (X > 0, nat(X)).
