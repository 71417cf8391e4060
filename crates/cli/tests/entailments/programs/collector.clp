% A collector of garbage: nodes 0..N-1 with two links each, the root is 0; `acc` is the least set of nodes that can be reached
% (X-A6).
acc(L, R, N, 0) :- N > 0.
acc(L, R, N, L[P]) :- 0 <= P < N, acc(L, R, N, P).
acc(L, R, N, R[P]) :- 0 <= P < N, acc(L, R, N, P).
closed(C, L, R, 0).
closed(C, L, R, N) :- N > 0, (C[N-1] != 1 \/ (C[L[N-1]] = 1, C[R[N-1]] = 1)), closed(C, L, R, N-1).

prove "black is closed": C[0] = 1, closed(C, L, R, N), acc(L, R, N, X) |= C[X] = 1.
prove "redirect left": acc(L, R, N, P), 0 <= Q < N, acc(<L,Q,P>, R, N, X) |= acc(L, R, N, X).
prove "redirect right": acc(L, R, N, P), 0 <= Q < N, acc(L, <R,Q,P>, N, X) |= acc(L, R, N, X).
