% Counting ones: each of N processes adds one to X, once (Jaffar and Santosa, section 5.1).
"count": sys(N, K, X) :- 1 <= Id <= N, K[Id] = 0, sys(N, <K,Id,1>, X+1).

allzeroes(0, _, 0).
allzeroes(N, <K,N,0>, 0) :- N > 0, allzeroes(N-1, K, 0).
allones(0, _, 0).
allones(N, <K,N,1>, N) :- N > 0, allones(N-1, K, N-1).
bit(0).
bit(1).
abs(0, _, 0).
abs(N, <K,N,B>, M+B) :- N > 0, bit(B), abs(N-1, K, M).

start sys(N, K, X), N >= 2, allzeroes(N, K, X).
abstract "some ones": sys(N, K, X), 1 <= Id <= N, K[Id] = 1 by sys(N, K, X), abs(N, K, X).
property "total": sys(N, K, X), allones(N, K, Y) |= X = Y.

prove "abstraction": allzeroes(N, K, X), 1 <= Id <= N, K[Id] = 0, K' = <K,Id,1>, X' = X+1 |= abs(N, K', X').
prove "subsumption": abs(N, K, X), 1 <= Id <= N, K[Id] = 0 |= abs(N, <K,Id,1>, X+1).
prove "final": abs(N, K, X), allones(N, K, Y) |= X = Y.
