% The entry loop of the original bakery with `crit` as it is printed: it demands of everybody not to be choosing, and to have a
% later ticket (RA-A4). Processes without a ticket and processes that begin to choose violate it.
crit(C, T, 0, Id).
crit(C, T, M, Id) :- M > 0, C[M] = 0, (Id = M \/ (T[Id],Id) < (T[M],M)), crit(C, T, M-1, Id).

prove "pass": crit(C, T, J[Id]-1, Id), 1 <= J[Id] <= N, C[J[Id]] = 0, (T[J[Id]] = 0 \/ (T[Id],Id) <= (T[J[Id]],J[Id])),
  J' = <J,Id,J[Id]+1> |= crit(C, T, J'[Id]-1, Id), 1 <= J'[Id] <= N+1.
prove "another one chooses": crit(C, T, J[Id]-1, Id), 1 <= J[Id] <= N+1, 1 <= Id2 <= N, Id2 != Id |= crit(<C,Id2,1>, T, J[Id]-1, Id).
prove "another one leaves": crit(C, T, J[Id]-1, Id), 1 <= J[Id] <= N+1, 1 <= Id2 <= N, Id2 != Id |= crit(C, <T,Id2,0>, J[Id]-1, Id).
