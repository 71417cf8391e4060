% Two arrays that are zero from 1 to N are the same array: false.
%
% Arrays have an entry for each integer, and equality is about all of them.
%
% Expect: false for N = 0 and any two arrays.
% False: "only one"

zeroes(_A, 0).
zeroes(A, N) :- N > 0, A[N] = 0, zeroes(A, N-1).

prove "only one": zeroes(A, N), zeroes(B, N) |= A = B.
