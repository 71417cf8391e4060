% The sum of an array after an update, at a place that may be one too low: false.
%
% Expect: false for N = I = 0, A[0] = 0, V = 1: the entry at 0 is not part of the sum.
% False: "an update"

sum(_A, 0, 0).
sum(A, N, S+A[N]) :- N > 0, sum(A, N-1, S).

prove "an update": sum(A, N, S), 0 <= I <= N, V = V |= sum(<A,I,V>, N, S+V-A[I]).
