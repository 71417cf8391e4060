nat(0).
nat(X+1) :- nat(?X).
prove nat(?X) |= nat(X).
prove nat(X) |= nat(?X), nat(?Y), nat(Y).
