times(X, Y, X*Y).
p(X) :- 2*X*3 = 4*X, X*(1+2) = -X*2, K[X]*K[X] = 1.
prove p(X) |= X*X >= 0.
