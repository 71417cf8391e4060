% Updates, reads, and everything that begins or ends with `<` and `>`.
zeroes(0, _).
zeroes(N, <K,N,0>) :- N > 0, zeroes(N-1, K).
reads(K, I, J) :- K[I] = 1, K[K[I]] > K[J+1], <K,I,2>[J] = 0, <<K,I,2>,J,K[I]>[I+J] > 1.
writes(K, L, I, J) :- <K,I,2>=<L,J,3>, K=<L,I,<K,J,1>[I]>, L[I]<<K,I,2>[J], I<-1, <K,I,1>!=L.
constant(K) :- <K,1,2>[1] = 2, <K,1,2>[2] = K[2].
folded(K) :- <K,1,2>[1] = 3.
choice(K, L, X) :- (if X > 0 then K else L)[X] = 1, <(if X > 0 then K else L),X,1> = K.
same(K, K).
undetermined(X, X).
through(K) :- same(K, L), L[1] = 2.
prove zeroes(N, K), 1 <= I <= N |= K[I] = 0.
prove same(K, L), K[0] = 0 |= <K,0,1> = <?M,?I,?V>, K = ?M.
