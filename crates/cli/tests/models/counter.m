-- A counter that goes round.
const
  LAST : 3;

var
  x : 0..LAST;

startstate "zero"
  x := 0;
end;

rule "step"
  x < LAST
==>
  x := x + 1;
end;

rule "wrap"
  x = LAST
==>
  x := 0;
end;

invariant "small" x <= LAST;
