even(0)
even(X+2) :- even(X).
p(X) :- X == 1.
p(X) :- X =< 1.
p(X) :- X < 1.5.
p(X) :- .
p() .
p(X = 1).
p(X) :- p(X) p(X).
proove even(X) |= p(X).
prof "a": even(X) |= p(X).
prove "a" even(X) |= p(X).
prove even(X).
"only a name".
start even(X)
property even(X) |= X = <1,2>.
abstract even(X).
p(K) :- K = <K,1,2.
p(X) :- (X = 1.
p(X) :- X = 1 |= X = 2.
) p(X).
