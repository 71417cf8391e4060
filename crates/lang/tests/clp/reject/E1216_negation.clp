even(0).
odd(X) :- ~even(X).
odd(X) :- not (X > 1, even(X)).
odd(X) :- X = (if even(X) then 1 else 2).
prove odd(X) |= ~even(X).
