% Every number is twice another one: false, but not over the rational numbers.
%
% Expect: false for X = 1. The witness has to be an integer.
% False: "halves"

nat(0).
nat(X+1) :- nat(X).

prove "halves": nat(X) |= nat(?Y), X = ?Y + ?Y.
