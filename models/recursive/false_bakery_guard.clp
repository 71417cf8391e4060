% The bakery algorithm with a wrong guard: false.
%
% This is bakery_atomic.clp, except that a process enters if the tickets of the others are different from its own, rather
% than greater. So process 2 with ticket 2 enters while process 1 with ticket 1 is inside.
%
% Expect: the property is false after four steps, and so is the entailment.
% False: "mutual exclusion", "nobody else enters"

"draw":  sys(K, T, N) :- 1 <= Id <= N, K[Id] = 0, max(T, N, X), sys(<K,Id,1>, <T,Id,X+1>, N).
"enter": sys(K, T, N) :- 1 <= Id <= N, K[Id] = 1, crit(T, N, Id), sys(<K,Id,2>, T, N).
"leave": sys(K, T, N) :- 1 <= Id <= N, K[Id] = 2, sys(<K,Id,0>, <T,Id,0>, N).

idle(K, T, 1) :- K[1] = 0, T[1] = 0.
idle(K, T, N) :- N > 1, K[N] = 0, T[N] = 0, idle(K, T, N-1).

abs(K, T, 1) :- (K[1] = 0, T[1] = 0) \/ (K[1] = 1, T[1] > 0).
abs(K, T, N) :- N > 1, ((K[N] = 0, T[N] = 0) \/ (K[N] = 1, T[N] > 0)), abs(K, T, N-1).

max(T, 1, X) :- X >= T[1].
max(T, N, X) :- N > 1, X >= T[N], max(T, N-1, X).

crit(T, 1, Id) :- Id = 1 \/ T[1] = 0 \/ T[1] != T[Id].
crit(T, N, Id) :- N > 1, (Id = N \/ T[N] = 0 \/ T[N] != T[Id]), crit(T, N-1, Id).

start sys(K, T, N), idle(K, T, N).

abstract "nobody inside": sys(K, T, N), 1 <= Id <= N, K[Id] = 1 by sys(K, T, N), abs(K, T, N).

property "mutual exclusion": sys(K, T, N), 1 <= I <= N, 1 <= J <= N, I != J, K[I] = 2, K[J] = 2 |= false.

prove "nobody else enters":
    abs(K, T, N), crit(T, N, Id1), crit(T, N, Id2), K[Id1] = 1, K[Id2] = 1, Id1 != Id2, 1 <= Id1 <= N, 1 <= Id2 <= N
    |= false.
