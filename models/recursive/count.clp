% How often a value occurs among the first entries of an array, and what an update does to that.
%
% count(A,N,X,C) says that X occurs C times among A[1] to A[N]; it is never true for negative N.
%
% Source: our own.
% Expect: everything is true.

count(_A, 0, _X, 0).
count(A, N, X, C+1) :- N > 0, A[N] = X, count(A, N-1, X, C).
count(A, N, X, C) :- N > 0, A[N] != X, count(A, N-1, X, C).

prove "there is only one count": count(A, N, X, C), count(A, N, X, C') |= C = C'.

prove "bounds": count(A, N, X, C) |= 0 <= C <= N.

prove "an update elsewhere": count(A, N, X, C), (I < 1 \/ I > N), V = V |= count(<A,I,V>, N, X, C).

prove "one more": count(A, N, X, C), 1 <= I <= N, A[I] != X |= count(<A,I,X>, N, X, C+1).

prove "one less": count(A, N, X, C), 1 <= I <= N, A[I] = X, V != X |= count(<A,I,V>, N, X, C-1).

prove "no difference": count(A, N, X, C), 1 <= I <= N, A[I] != X, V != X |= count(<A,I,V>, N, X, C).

prove "somewhere": count(A, N, X, C), C > 0 |= 1 <= ?I <= N, A[?I] = X.

prove "nowhere": count(A, N, X, 0), 1 <= I <= N |= A[I] != X.
