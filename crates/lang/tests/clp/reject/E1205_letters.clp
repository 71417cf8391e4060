Even(0).
p(x).
p(X) :- X = n + 1.
prove p(X) |= true.
