-- An assertion that fails at the third step, and an error statement that is never reached.
var
  x : 0..9;

startstate
  x := 0;
end;

rule "step"
  assert x < 2 "x stays small";
  if x > 8 then error "far too large"; end;
  x := x + 1;
end;
