% The bakery algorithm in which the entry test looks at all tickets at once, for any number of processes N.
%
%   process Id:  0: T[Id] := max(T[1..N]) + 1   1: await every other J has T[J] = 0 or T[J] > T[Id]   2: T[Id] := 0; goto 0
%
% K[I] is where process I is. max(T,N,X) says that X is an upper bound of the tickets, which is all that is needed, and
% crit(T,N,Id) that process Id may enter. The abstraction abs, "nobody is at 2, who is at 1 has a ticket, who is at 0 has
% none", holds after the first step. From there a process enters, and while it is at 2 others may draw tickets, but none can
% enter.
%
% Source: J. Jaffar, A. E. Santosa, "Recursive Abstractions for Parameterized Systems", 2009; two misprints (a ticket of the
% wrong process, a missing zero) are corrected. The last two entailments are the ones that they discuss: "another ticket"
% (D.1 there), and that no second process enters. The first two say of a single process what crit and abs say of all of them.
% Expect: everything is true.

"draw":  sys(K, T, N) :- 1 <= Id <= N, K[Id] = 0, max(T, N, X), sys(<K,Id,1>, <T,Id,X+1>, N).
"enter": sys(K, T, N) :- 1 <= Id <= N, K[Id] = 1, crit(T, N, Id), sys(<K,Id,2>, T, N).
"leave": sys(K, T, N) :- 1 <= Id <= N, K[Id] = 2, sys(<K,Id,0>, <T,Id,0>, N).

idle(K, T, 1) :- K[1] = 0, T[1] = 0.
idle(K, T, N) :- N > 1, K[N] = 0, T[N] = 0, idle(K, T, N-1).

abs(K, T, 1) :- (K[1] = 0, T[1] = 0) \/ (K[1] = 1, T[1] > 0).
abs(K, T, N) :- N > 1, ((K[N] = 0, T[N] = 0) \/ (K[N] = 1, T[N] > 0)), abs(K, T, N-1).

max(T, 1, X) :- X >= T[1].
max(T, N, X) :- N > 1, X >= T[N], max(T, N-1, X).

crit(T, 1, Id) :- Id = 1 \/ T[1] = 0 \/ T[1] > T[Id].
crit(T, N, Id) :- N > 1, (Id = N \/ T[N] = 0 \/ T[N] > T[Id]), crit(T, N-1, Id).

start sys(K, T, N), idle(K, T, N).

abstract "nobody inside": sys(K, T, N), 1 <= Id <= N, K[Id] = 1 by sys(K, T, N), abs(K, T, N).

property "mutual exclusion": sys(K, T, N), 1 <= I <= N, 1 <= J <= N, I != J, K[I] = 2, K[J] = 2 |= false.

prove "what crit says": crit(T, N, Id), 1 <= J <= N, J != Id |= T[J] = 0 \/ T[J] > T[Id].

prove "what abs says": abs(K, T, N), 1 <= J <= N, K[J] = 1 |= T[J] > 0.

prove "another ticket":
    abs(K', T', N), crit(T', N, Id1), max(T', N, X), 1 <= Id1 <= N, K'[Id1] = 1, 1 <= Id2 <= N, <K',Id1,2>[Id2] = 0
    |= abs(?S, <T',Id2,X+1>, N), crit(<T',Id2,X+1>, N, ?Id3), 1 <= ?Id3 <= N, ?S[?Id3] = 1,
       <<K',Id1,2>,Id2,1> = <?S,?Id3,2>.

prove "nobody else enters":
    abs(K, T, N), crit(T, N, Id1), crit(T, N, Id2), K[Id1] = 1, K[Id2] = 1, Id1 != Id2, 1 <= Id1 <= N, 1 <= Id2 <= N
    |= false.
