p(0). q(K, 0) :- K = L, L = <K',0,1>. r.
r :- (p(Id) ; ~(N = -3)), -(-(Id)) != ((K'[X] - (if 0 < -1 then 3 else 1)) - L[2] + N), (r ; (-3, Y) <= (3, Id)), q((if 3 >= X != I' then L else K), Y).
p(K[-(N)]) :- (r ; K' = L).
r :- false.
sys(<<L,1,0>,K'[3],-(N)>, Y) :- true, r, sys((if 0 <= -3 = I' then (if I' != 1 then K else K) else K), -((Id - -1))).
sys(K', 1*(Y)) :- 1 != (if 1*(Id) < (if X <= 3 then Y else 2) = 0*(2) then (2 - 1) + (if Id != N then -1 else I') else -1), (q(K', X) ; K != L), ~((-(Id), K'[X]) = (-1 + -3, 2)), sys((if 1 <= -(Y) then (if 3 = 0 then K else K) else <K,-3,X>), (X - -(I'))).
start sys(K', -1), (L[Id + Id], 2) <= (Id, 0*(I') + N), Id < (if Id > 3 <= N then L else K)[I'].
abstract sys(<(if N > 2 then K else K),Y,Id>, X), p(-2), p(-1 + K[Id]) by sys(<<K',-3,I'>,I',X>, (X - 3*(1))), q(<<L,-2,-3>,(0 - 0),L[Id]>, 0*((if -1 > I' then -2 else 1))), <(if -3 <= N then L else L),(if 2 > -1 then I' else Id),N> != <L,0*(2),K[X]>, r.
property sys(<K',(if -3 >= X then -1 else I'),3>, Id), r, r, false |= ((false, (Y >= N \/ I' <= I')) \/ I' != -(1) > 0*(-1)), (I', (X + -3 - 3 + Id)) > (K'[3*(2)], 0).
prove false |= (true \/ <K',-1,X> != K), ~((-(2) != 1 + I', 3 + X < K'[I'])).
prove r |= ~(K[-2] != L[0] <= -(1)), q(K', (if true then (0 - Id) else (Id - X))), p(-((0 - -1))).
