% Reachability along an array of successors, as in a linked list: from X one gets to A[X].
%
% reach(A,X,Y) says that Y is X, or A[X], or A[A[X]], and so on; steps(A,X,Y,N) that it takes N steps; avoid(A,X,Y,I) that
% one gets there without the step from I, so that changing A[I] does not matter.
%
% Source: our own; linked structures as in much work on separation logic and recursive definitions.
% Expect: everything is true.

reach(_A, X, X).
reach(A, X, Y) :- reach(A, A[X], Y).

steps(_A, X, X, 0).
steps(A, X, Y, N+1) :- steps(A, A[X], Y, N).

avoid(_A, X, X, _I).
avoid(A, X, Y, I) :- X != I, avoid(A, A[X], Y, I).

% One of the two comes first.
comparable(A, X, Y) :- reach(A, X, Y) ; reach(A, Y, X).

prove "transitive": reach(A, X, Y), reach(A, Y, Z) |= reach(A, X, Z).

prove "one step further": reach(A, X, Y) |= reach(A, X, A[Y]).

prove "the end of a list": reach(A, X, Y), A[X] = X |= X = Y.

prove "there is only one way": reach(A, X, Y), reach(A, X, Z) |= comparable(A, Y, Z).

prove "steps are not negative": steps(A, X, Y, N) |= N >= 0.

prove "steps add up": steps(A, X, Y, N), steps(A, Y, Z, M) |= steps(A, X, Z, N+M).

prove "steps reach": steps(A, X, Y, N) |= reach(A, X, Y).

prove "reached in steps": reach(A, X, Y) |= steps(A, X, Y, ?N).

prove "avoiding is reaching": avoid(A, X, Y, I) |= reach(A, X, Y).

prove "an update elsewhere": avoid(A, X, Y, I), V = V |= reach(<A,I,V>, X, Y).

prove "a new link": avoid(A, X, I, I), avoid(A, V, Y, I) |= reach(<A,I,V>, X, Y).
