-- A loop that never ends, from the second step on.
var
  x : 0..1;

startstate x := 0; end;

rule "step"
  while x = 1 do x := 1; end;
  x := 1;
end;

invariant "small" x < 2;
