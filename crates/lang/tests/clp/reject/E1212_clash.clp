% An argument in two rules.
p(X) :- X > 0.
p(<X,1,2>).

% A variable in one rule.
q(A, I) :- A[I] = A.

% Two arguments that have to be the same.
r(A) :- A[1] = 1.
s(X) :- X > 1.
prove r(Z), s(Z) |= false.

% Terms.
t(X) :- X[1][2] = 3, <X,<X,1,1>,2> = X.
u(A, B) :- A[1] = 1, (A, B) < (B, A).
v(A) :- A = A + 1, A[A] = 1.
w(A) :- (if A[1] = 1 then A else 0) = A.
prove w(A) |= 1 = <A,1,2>.
