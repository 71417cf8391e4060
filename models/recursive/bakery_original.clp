% The entry loop of the original bakery algorithm, which looks at one process after the other, for any number of processes N.
%
%   process Id:  3: J[Id] := 1   4: while J[Id] <= N { 5: await C[J[Id]] = 0
%                6: await T[J[Id]] = 0 or not (T[J[Id]], J[Id]) < (T[Id], Id)   7: J[Id] := J[Id] + 1 }   8: critical
%
% K[I] is where process I is, C[I] whether it is choosing a ticket, T[I] its ticket, J[I] whom it looks at. All processes run
% this loop, one step at a time in any order; tickets are drawn and given back elsewhere, and do not change here. P is the
% process that is watched: it is chosen in the beginning and never changes, so what is shown of it is shown of everybody.
% crit(T,M,P) says that P comes before all of 1 to M that have a ticket; in the loop that is known of those that were looked
% at.
%
% Source: J. Jaffar, A. E. Santosa, "Recursive Abstractions for Parameterized Systems", 2009, who print the rules of the
% loop. Corrected: the loop goes to N, crit counts from 0 and lets a process without ticket pass; with crit as it is printed
% the property is false (bakery_original_printed.clp).
% Expect: everything is true.

"begin":    sys(P, K, C, T, J, N) :- 1 <= Id <= N, K[Id] = 3, sys(P, <K,Id,4>, C, T, <J,Id,1>, N).
"look":     sys(P, K, C, T, J, N) :- 1 <= Id <= N, K[Id] = 4, J[Id] <= N, sys(P, <K,Id,5>, C, T, J, N).
"finish":   sys(P, K, C, T, J, N) :- 1 <= Id <= N, K[Id] = 4, J[Id] > N, sys(P, <K,Id,8>, C, T, J, N).
"choosing": sys(P, K, C, T, J, N) :- 1 <= Id <= N, K[Id] = 5, C[J[Id]] != 0, sys(P, K, C, T, J, N).
"chosen":   sys(P, K, C, T, J, N) :- 1 <= Id <= N, K[Id] = 5, C[J[Id]] = 0, sys(P, <K,Id,6>, C, T, J, N).
"wait":     sys(P, K, C, T, J, N) :- 1 <= Id <= N, K[Id] = 6, T[J[Id]] != 0, (T[J[Id]], J[Id]) < (T[Id], Id),
                                     sys(P, K, C, T, J, N).
"pass":     sys(P, K, C, T, J, N) :- 1 <= Id <= N, K[Id] = 6, (T[J[Id]] = 0 \/ (T[Id], Id) <= (T[J[Id]], J[Id])),
                                     sys(P, <K,Id,7>, C, T, J, N).
"next":     sys(P, K, C, T, J, N) :- 1 <= Id <= N, K[Id] = 7, sys(P, <K,Id,4>, C, T, <J,Id,J[Id]+1>, N).

crit(_T, 0, _P).
crit(T, M, P) :- M > 0, (P = M \/ T[M] = 0 \/ (T[P], P) < (T[M], M)), crit(T, M-1, P).

start sys(P, K, C, T, J, N), 1 <= P <= N, K[P] = 3.

% The only abstraction, at the entry of the loop.
abstract "entry loop": sys(P, K, C, T, J, N), K[P] = 4
    by sys(P, K, C, T, J, N), K[P] = 4, 1 <= J[P] <= N+1, crit(T, J[P]-1, P).

property "first of all": sys(P, K, C, T, J, N), K[P] = 8 |= crit(T, N, P).

prove "before the first round": T = T, Id = Id |= crit(T, 0, Id).

prove "one more round":
    crit(T, J[Id]-1, Id), 1 <= J[Id] <= N, C[J[Id]] = 0, (T[J[Id]] = 0 \/ (T[Id], Id) <= (T[J[Id]], J[Id]))
    |= crit(T, J[Id], Id).

prove "after the last round": crit(T, J[Id]-1, Id), 1 <= J[Id] <= N+1, J[Id] > N |= crit(T, N, Id).

prove "what crit says": crit(T, N, Id), 1 <= I <= N, I != Id |= T[I] = 0 \/ (T[Id], Id) < (T[I], I).

prove "only one is the first":
    crit(T, N, Id1), crit(T, N, Id2), 1 <= Id1 <= N, 1 <= Id2 <= N, T[Id1] != 0, T[Id2] != 0 |= Id1 = Id2.
