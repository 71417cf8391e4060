% Two places of a sorted array, one of which may be behind its end: false.
%
% Expect: false for N = 1, I = 1, J = 2, A[1] = 1, A[2] = 0.
% False: "two places"

sorted(_A, N) :- N <= 1.
sorted(A, N) :- N > 1, A[N-1] <= A[N], sorted(A, N-1).

prove "two places": sorted(A, N), 1 <= I <= J <= N+1 |= A[I] <= A[J].
