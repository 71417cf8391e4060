p(A, B) :- (A, B) < (B, A, 1).
p(A, B) :- (A, B) = A.
prove p(A, B) |= (A, B) < (B, A) < (A, B, A).
