% Nothing is below a bound in a negative number of entries: false, there is nothing to be above it either.
%
% Expect: false for N = -1.
% False: "lengths are not negative"

below(_A, N, _X) :- N <= 0.
below(A, N, X) :- N > 0, A[N] <= X, below(A, N-1, X).

prove "lengths are not negative": below(A, N, X) |= N >= 0.
