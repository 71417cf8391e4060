% There is no natural number: false, of course.
%
% Whoever unfolds nat(X) into nat(X-1), assumes the entailment and then uses it for the very atom that it was assumed for
% "proves" it. An entailment may only be used for atoms with lower derivations.
%
% Expect: false for X = 0.
% False: "there is no number"

nat(0).
nat(X+1) :- nat(X).

prove "there is no number": nat(X) |= false.
