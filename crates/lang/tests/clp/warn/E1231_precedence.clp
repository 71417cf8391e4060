q(0).
p(X) :- X > 0, q(X) \/ X < 0.
p(X) :- X > 0, q(X) ; X < 0.
p(X) :- X > 0 /\ q(X) \/ X < 0.
p(X) :- X > 0, (q(X) \/ X < 0).
prove p(X) |= X > 0, X > 1 \/ X <= 0.
