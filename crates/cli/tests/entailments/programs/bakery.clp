% The bakery with an atomic test at the entry (Jaffar and Santosa, section 5.2).
"draw":  sys(K, T, N) :- K[Id] = 0, 1 <= Id <= N, max(T, N, X), sys(<K,Id,1>, <T,Id,X+1>, N).
"enter": sys(K, T, N) :- K[Id] = 1, 1 <= Id <= N, crit(T, N, Id), sys(<K,Id,2>, T, N).
"leave": sys(K, T, N) :- K[Id] = 2, 1 <= Id <= N, sys(<K,Id,0>, <T,Id,0>, N).

zero(K, T, 1) :- K[1] = 0, T[1] = 0.
zero(K, T, N) :- N > 1, K[N] = 0, T[N] = 0, zero(K, T, N-1).
abs(K, T, 1) :- (K[1] = 0, T[1] = 0) \/ (K[1] = 1, T[1] > 0).
abs(K, T, N) :- N > 1, ((K[N] = 0, T[N] = 0) \/ (K[N] = 1, T[N] > 0)), abs(K, T, N-1).
max(T, 1, X) :- X >= T[1].
max(T, N, X) :- N > 1, X >= T[N], max(T, N-1, X).
crit(T, 1, Id) :- Id = 1 \/ T[1] = 0 \/ T[1] > T[Id].
crit(T, N, Id) :- N > 1, (Id = N \/ T[N] = 0 \/ T[N] > T[Id]), crit(T, N-1, Id).

start sys(K, T, N), N >= 1, zero(K, T, N).
abstract "tickets": sys(K, T, N), 1 <= Id <= N, K[Id] = 1 by sys(K, T, N), abs(K, T, N).
property "mutual exclusion": sys(K, T, N), K[I] = 2, K[J] = 2, 1 <= I <= N, 1 <= J <= N, I != J |= false.

prove "others wait": crit(T, N, Id), 1 <= J <= N, J != Id |= T[J] = 0 \/ T[J] > T[Id].
prove "who waits has a ticket": abs(K, T, N), 1 <= J <= N, K[J] = 1 |= T[J] > 0.
prove "D.1": abs(K', T', N), crit(T', N, Id1), max(T', N, X), 1 <= Id1 <= N, K'[Id1] = 1, 1 <= Id2 <= N, <K',Id1,2>[Id2] = 0
  |= abs(?S, <T',Id2,X+1>, N), crit(<T',Id2,X+1>, N, ?Id3), 1 <= ?Id3 <= N, ?S[?Id3] = 1, <<K',Id1,2>,Id2,1> = <?S,?Id3,2>.
prove "INF": abs(K, T, N), crit(T, N, Id1), crit(T, N, Id2), K[Id1] = 1, K[Id2] = 1, Id1 != Id2, 1 <= Id1 <= N, 1 <= Id2 <= N |= false.
prove "abstraction": zero(K, T, N), 1 <= Id <= N, K[Id] = 0, max(T, N, X) |= abs(<K,Id,1>, <T,Id,X+1>, N).
prove "another one draws": abs(K, T, N), 1 <= Id <= N, K[Id] = 0, max(T, N, X) |= abs(<K,Id,1>, <T,Id,X+1>, N).
prove "the critical one leaves": abs(K, T, N), crit(T, N, Id), 1 <= Id <= N, K[Id] = 1 |= abs(<<K,Id,2>,Id,0>, <T,Id,0>, N).
