% All of the syntax: comments, names, operators, chains, tuples.
m4(0). /* a comment
that is longer */ m4(X+4) :- m4(X).
never :- false.
always.
primes(K, K', K'') :- K[0] = K'[1], K'[2] = K''[3].
anonymous(_, _, _1).
operators(X, Y, Z) :- X = Y, X != Z, X < Y, X <= Z, X > Y - 1, X >= Z - 2.
junctions(X, Y) :- (X = 1 /\ Y = 2) \/ (X = 2, Y = 1) ; X = Y.
negations(X, Y) :- ~X = Y, not (X < 1 \/ Y < 1), ~(~(X > 5, Y > 5)), ~false.
chains(X, Y, Z) :- 1 <= X < Y <= Z, X = Y = Z, X != Y != Z.
tuples(A, B, C, D) :- (A, B) < (C, D), (A, B, C) <= (B, C, D), (A, B) > (C, D), (A, B) >= (D, C), (A, B) = (1, 2), (C, D) != (1, 2).
terms(X, Y) :- X = 2*Y + 3*(4 - Y) - -X*2, Y = 123456789012345678901234567890, -X + Y = -1, X*0 = Y.
conditional(X, Y) :- X = (if Y > 0 then Y else -Y), Y = if X = 1 \/ X = 2 then 1 else 2 + 3.
prove "a name": m4(X) |= X >= 0.
prove m4(X), always |= never.
prove (m4(X) ; anonymous(X, _, _)), X > 1 |= m4(?Y), (X = ?Y \/ X > ?Y).
prove true |= ?X = ?X.
prove false |= false.
