% Accessible nodes of a graph: the two facts that a proof of a garbage collector takes for granted.
%
% Node X has the successors L[X] and R[X]; the root is 0; there are M nodes, 0 to M-1. acc(L,R,X) is the least set that holds
% the root and the successors of its members. graph(L,R,M,Z) says that the successors of 0 to M-1 are among 0 to Z-1, and
% closed(L,R,C,M) that black nodes among 0 to M-1 (C[X] = 2) have black successors: since constraints have no quantifiers,
% both go through the nodes one by one.
%
% Source: S. Das, D. L. Dill, S. Park, "Experience with Predicate Abstraction", 1999, who assume these facts as axioms; here
% they follow from acc being the least such set.
% Expect: everything is true.

acc(_L, _R, 0).
acc(L, R, L[X]) :- acc(L, R, X).
acc(L, R, R[X]) :- acc(L, R, X).

graph(_L, _R, 0, _Z).
graph(L, R, M, Z) :- M > 0, 0 <= L[M-1] < Z, 0 <= R[M-1] < Z, graph(L, R, M-1, Z).

closed(_L, _R, _C, 0).
closed(L, R, C, M) :- M > 0, (C[M-1] != 2 \/ (C[L[M-1]] = 2, C[R[M-1]] = 2)), closed(L, R, C, M-1).

prove "successors are nodes": graph(L, R, M, Z), 0 <= X < M |= 0 <= L[X] < Z, 0 <= R[X] < Z.

prove "black nodes have black successors": closed(L, R, C, M), 0 <= X < M, C[X] = 2 |= C[L[X]] = 2, C[R[X]] = 2.

prove "accessible nodes are nodes": acc(L, R, X), graph(L, R, M, M), M >= 1 |= 0 <= X < M.

prove "accessible nodes are black":
    acc(L, R, X), graph(L, R, M, M), closed(L, R, C, M), M >= 1, C[0] = 2 |= C[X] = 2.

prove "redirecting a left edge": acc(L, R, P), acc(<L,Q,P>, R, X) |= acc(L, R, X).

prove "redirecting a right edge": acc(L, R, P), acc(L, <R,Q,P>, X) |= acc(L, R, X).
