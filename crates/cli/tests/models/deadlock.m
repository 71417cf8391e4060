-- Two processes take two forks in opposite order.
var
  left : boolean;
  right : boolean;
  step : array [1..2] of 0..2;

startstate
  left := false; right := false;
  for i : 1..2 do step[i] := 0; end;
end;

rule "1 takes left" step[1] = 0 & !left ==> left := true; step[1] := 1; end;
rule "1 takes right" step[1] = 1 & !right ==> right := true; step[1] := 2; end;
rule "1 eats" step[1] = 2 ==> left := false; right := false; step[1] := 0; end;
rule "2 takes right" step[2] = 0 & !right ==> right := true; step[2] := 1; end;
rule "2 takes left" step[2] = 1 & !left ==> left := true; step[2] := 2; end;
rule "2 eats" step[2] = 2 ==> left := false; right := false; step[2] := 0; end;

invariant "not both" !(step[1] = 2 & step[2] = 2);
