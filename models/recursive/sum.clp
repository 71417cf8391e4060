% The sum of the first entries of an array, and what an update does to it.
%
% sum(A,N,S) says that S is A[1] + ... + A[N]; it is never true for negative N. V = V says nothing, but means that V may be
% anything: a variable that stands only on the right would be chosen.
%
% Source: our own.
% Expect: everything is true.

sum(_A, 0, 0).
sum(A, N, S+A[N]) :- N > 0, sum(A, N-1, S).

% N is the length of something.
length(0).
length(N) :- N > 0, length(N-1).

nonnegative(_A, 0).
nonnegative(A, N) :- N > 0, A[N] >= 0, nonnegative(A, N-1).

prove "there is only one sum": sum(A, N, S), sum(A, N, S') |= S = S'.

prove "there is a sum": length(N), A = A |= sum(A, N, ?S).

prove "an update elsewhere": sum(A, N, S), (I < 1 \/ I > N), V = V |= sum(<A,I,V>, N, S).

prove "an update": sum(A, N, S), 1 <= I <= N, V = V |= sum(<A,I,V>, N, S+V-A[I]).

prove "one more entry": sum(A, N, S), V = V |= sum(<A,N+1,V>, N+1, S+V).

prove "an exchange": sum(A, N, S), 1 <= I <= N, 1 <= J <= N |= sum(<<A,I,A[J]>,J,A[I]>, N, S).

prove "nothing is subtracted": sum(A, N, S), nonnegative(A, N) |= S >= 0.
