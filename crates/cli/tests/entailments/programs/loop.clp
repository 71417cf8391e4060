% The entry loop of the original bakery (Jaffar and Santosa, section 5.3): what process Id knows of those that it has looked at.
crit(T, 0, Id).
crit(T, M, Id) :- M > 0, (Id = M \/ T[M] = 0 \/ (T[Id],Id) < (T[M],M)), crit(T, M-1, Id).
max(T, 0, X).
max(T, N, X) :- N > 0, X >= T[N], max(T, N-1, X).

prove "begin": J[Id] = 1 |= crit(T, J[Id]-1, Id).
prove "pass": crit(T, J[Id]-1, Id), 1 <= J[Id] <= N, (T[J[Id]] = 0 \/ (T[Id],Id) <= (T[J[Id]],J[Id])),
  J' = <J,Id,J[Id]+1> |= crit(T, J'[Id]-1, Id), 1 <= J'[Id] <= N+1.
prove "leave the loop": crit(T, J[Id]-1, Id), 1 <= J[Id] <= N+1, J[Id] > N |= crit(T, N, Id).
prove "another one draws": crit(T, J[Id]-1, Id), 1 <= J[Id] <= N+1, max(T, N, X), 1 <= Id <= N, 1 <= Id2 <= N, Id2 != Id
  |= crit(<T,Id2,X+1>, J[Id]-1, Id).
prove "another one leaves": crit(T, J[Id]-1, Id), 1 <= J[Id] <= N+1, 1 <= Id2 <= N, Id2 != Id |= crit(<T,Id2,0>, J[Id]-1, Id).
prove "mutual exclusion": crit(T, N, I), crit(T, N, J), 1 <= I <= N, 1 <= J <= N, I != J, T[I] > 0, T[J] > 0 |= false.
