% What sorting programs do, except that they permute: the maximum of a prefix, and a pass of bubble sort that takes it to the
% end.
%
% max(A,N,M) says that M is the greatest of A[1] to A[N], below(A,N,X) that none of them is greater than X, and bubble(A,N,B)
% that B is A after a pass over A[1] to A[N] that exchanges neighbours in the wrong order. max and bubble are true only for N
% >= 1.
%
% Source: our own.
% Expect: everything is true.

max(A, 1, A[1]).
max(A, N, A[N]) :- N > 1, M <= A[N], max(A, N-1, M).
max(A, N, M) :- N > 1, M > A[N], max(A, N-1, M).

below(_A, N, _X) :- N <= 0.
below(A, N, X) :- N > 0, A[N] <= X, below(A, N-1, X).

bubble(A, 1, A).
bubble(A, N, B) :- N > 1, B[N-1] <= B[N], bubble(A, N-1, B).
bubble(A, N, <<B,N-1,B[N]>,N,B[N-1]>) :- N > 1, B[N-1] > B[N], bubble(A, N-1, B).

prove "there is only one maximum": max(A, N, M), max(A, N, M') |= M = M'.

prove "the maximum is a bound": max(A, N, M), 1 <= I <= N |= A[I] <= M.

prove "the maximum is an entry": max(A, N, M) |= 1 <= ?I <= N, A[?I] = M.

prove "a greater bound": below(A, N, X), X <= Y |= below(A, N, Y).

prove "everything is below the maximum": max(A, N, M) |= below(A, N, M).

prove "an update below the bound": below(A, N, X), V <= X, I = I |= below(<A,I,V>, N, X).

prove "an exchange with the last": below(A, N, M), N >= 1, I = I |= below(<<A,I,A[N]>,N,M>, N, M).

prove "a pass changes nothing behind": bubble(A, N, B), I > N |= B[I] = A[I].

prove "a pass keeps bounds": bubble(A, N, B), below(A, N, X) |= below(B, N, X).

prove "a pass takes the maximum to the end": bubble(A, N, B), max(A, N, M) |= B[N] = M.
