% The entry loop of the original bakery algorithm with the definition of crit as it was printed: not true.
%
% This is bakery_original.clp, except that crit demands of each process M that was looked at that it is not choosing and that
% its ticket is greater, and forgets that a process without a ticket lets everybody pass. With C[1] = 0, T[1] = 0 and T[2] =
% 1 process 2 gets past process 1, as it should, but (T[2], 2) < (T[1], 1) is false.
%
% Source: as there.
% Expect: the property is false, and so is one of the entailments. There is nothing to be proved about the algorithm: the
% definition is wrong.
% False: "first of all", "one more round"

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

crit(_C, _T, 0, _P).
crit(C, T, M, P) :- M > 0, (P = M \/ (C[M] = 0, (T[P], P) < (T[M], M))), crit(C, T, M-1, P).

start sys(P, K, C, T, J, N), 1 <= P <= N, K[P] = 3.

% The only abstraction, at the entry of the loop.
abstract "entry loop": sys(P, K, C, T, J, N), K[P] = 4
    by sys(P, K, C, T, J, N), K[P] = 4, 1 <= J[P] <= N+1, crit(C, T, J[P]-1, P).

property "first of all": sys(P, K, C, T, J, N), K[P] = 8 |= crit(C, T, N, P).

prove "before the first round": C = C, T = T, Id = Id |= crit(C, T, 0, Id).

prove "one more round":
    crit(C, T, J[Id]-1, Id), 1 <= J[Id] <= N, C[J[Id]] = 0, (T[J[Id]] = 0 \/ (T[Id], Id) <= (T[J[Id]], J[Id]))
    |= crit(C, T, J[Id], Id).

prove "after the last round": crit(C, T, J[Id]-1, Id), 1 <= J[Id] <= N+1, J[Id] > N |= crit(C, T, N, Id).
