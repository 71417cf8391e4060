-- Habits from other languages, and blocks whose `end` is missing where it cannot be seen by counting.
// This is no comment here.
type
  ID : scalarset(3);
  STEP : enum { Idle Trying Busy };
  ROW : array (ID) of boolean;
var x : 0..3; s : array [ID] of STEP;

rule "assigns in the guard"
  x := 1 & s[p] := Idle
==>
  x := 0;
end;

rule "thin arrow" x = 1 => x := 2; end;
rule "counts" x < 3 ==> x++; end;

invariant "implication" x = 1 => x = 2;
invariant "not equal" x <> 2;
invariant "also not equal" x /= 2;
invariant "pairs" forall a : ID, b : ID do a = b end;

rule "an if without end"
  x = 1
==>
  if x = 1 then
    x := 2;
  else
    x := 3;
end;

rule "else if"
  x = 1
==>
  if x = 1 then
    x := 2;
  else if x = 2 then
    x := 3;
  end;
end;

rule "an end of another kind" x = 1 ==> if x = 1 then x := 2; endfor; end;
