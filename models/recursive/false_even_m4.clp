% Even numbers are multiples of four: false.
%
% The other direction of m4_even.clp.
%
% Expect: false for X = 2.
% False: "even numbers are multiples of four"

m4(0).
m4(X+4) :- m4(X).

even(0).
even(X+2) :- even(X).

prove "even numbers are multiples of four": even(X) |= m4(X).
