% Any value put behind the end of a sorted array: false.
%
% Expect: false for N = 1, A[1] = 1, X = 0.
% False: "one more entry"

sorted(_A, N) :- N <= 1.
sorted(A, N) :- N > 1, A[N-1] <= A[N], sorted(A, N-1).

prove "one more entry": sorted(A, N), N >= 1, X = X |= sorted(<A,N+1,X>, N+1).
