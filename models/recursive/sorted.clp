% Sorted arrays: what holds of neighbours holds of all pairs.
%
% sorted(A,N) compares neighbours among A[1] to A[N], pairwise(A,N) each entry with all in front of it. Both are true for N
% <= 1, also for negative N, where there is nothing to compare.
%
% Source: our own.
% Expect: everything is true.

sorted(_A, N) :- N <= 1.
sorted(A, N) :- N > 1, A[N-1] <= A[N], sorted(A, N-1).

% No entry among A[1] to A[N] is greater than X.
below(_A, N, _X) :- N <= 0.
below(A, N, X) :- N > 0, A[N] <= X, below(A, N-1, X).

pairwise(_A, N) :- N <= 1.
pairwise(A, N) :- N > 1, below(A, N-1, A[N]), pairwise(A, N-1).

prove "a greater bound": below(A, N, X), X <= Y |= below(A, N, Y).

prove "the last is the greatest": sorted(A, N), N >= 1 |= below(A, N, A[N]).

prove "neighbours suffice": sorted(A, N) |= pairwise(A, N).

prove "neighbours are pairs": pairwise(A, N) |= sorted(A, N).

prove "two places": sorted(A, N), 1 <= I <= J <= N |= A[I] <= A[J].

prove "an update behind the end": sorted(A, N), I > N, X = X |= sorted(<A,I,X>, N).

prove "one more entry": sorted(A, N), (N < 1 \/ A[N] <= X) |= sorted(<A,N+1,X>, N+1).

prove "the last may grow": sorted(A, N), A[N] <= X |= sorted(<A,N,X>, N).
