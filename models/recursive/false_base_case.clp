% A definition without a base case: false, because nothing has that property.
%
% The step is fine, so a proof that looks at it alone would succeed; but nonnegative(A,N) is never true, and zeroes(A,0) is.
%
% Expect: false for N = 0.
% False: "zeroes are not negative"

zeroes(_A, 0).
zeroes(A, N) :- N > 0, A[N] = 0, zeroes(A, N-1).

nonnegative(A, N) :- N > 0, A[N] >= 0, nonnegative(A, N-1).

prove "zeroes are not negative": zeroes(A, N) |= nonnegative(A, N).
