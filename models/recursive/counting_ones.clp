% Counting ones: N processes, each of which adds one to X, once.
%
% K[I] tells whether process I has done it (1) or not (0). When all have, X is N. The abstraction that proves it says that X
% is the number of ones among K[1] to K[N]; it is written as a recursive definition, abs, and holds of every state after the
% first step. Nothing is said about K outside 1 to N: those entries may be anything, and never change.
%
% Source: J. Jaffar, A. E. Santosa, "Recursive Abstractions for Parameterized Systems", 2009, where it is the running
% example. The first entailment is that the state after the first step is in the abstraction, the second one that a step does
% not leave it, the third one that the abstraction is good for the property.
% Expect: everything is true.

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

prove "the first step": allzeroes(N, K, X), 1 <= Id <= N, K[Id] = 0 |= abs(N, <K,Id,1>, X+1).

prove "another step": abs(N, K, X), 1 <= Id <= N, K[Id] = 0 |= abs(N, <K,Id,1>, X+1).

prove "all ones": abs(N, K, X), allones(N, K, Y) |= X = Y.
