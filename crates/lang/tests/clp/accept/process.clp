% A transition system: names, parameters, states, abstractions, properties.
zeroes(K, 0) :- K[0] = 0.
zeroes(K, N) :- N > 0, K[N] = 0, zeroes(K, N-1).
"step": run(K, K[0], N) :- K[N] = 0, run(<K,N,1>, 0, N+1).
run(<K,X,1>, Y, Y) :- zeroes(K, X), run(K, X, Y).
run(A, B, C) :- (zeroes(A, B) ; B < C), run(A, B, C).
start run(K, 0, N), zeroes(K, N).
abstract run(K, X, _) by run(X, Y, Z), zeroes(X, Z), Y > 0.
abstract "named": run(K, _, _), K[1] = 1 by run(_, _, _).
property "first": run(K, X, N), (X = 1 \/ N = 1) |= zeroes(K, ?M), ?M < X + N.
property run(K, X, N), (zeroes(K, X) ; zeroes(K, N)) |= X = N.
