% The sum of an array after an update, without taking away the old entry: false.
%
% Expect: false for N = I = 1, A[1] = 1.
% False: "an update"

sum(_A, 0, 0).
sum(A, N, S+A[N]) :- N > 0, sum(A, N-1, S).

prove "an update": sum(A, N, S), 1 <= I <= N, V = V |= sum(<A,I,V>, N, S+V).
