p(K, 0) :- K[0] = 0.
prove p(K, X) |= p(K', Y), p(?L, ?Z), p(_, _), ?Z = Z.
prove p(K, X), Y = Y |= X < Y \/ Y <= X.
