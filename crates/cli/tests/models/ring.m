-- A token that goes round by index arithmetic, and a counter of who has had it.
const N : 3;
type PLACE : 0..N;
var token : PLACE; seen : array [PLACE] of boolean; total : 0..4;

startstate
  token := 0;
  total := 0;
  for p : PLACE do seen[p] := false; end;
end;

rule "pass" token < N ==> seen[token] := true; token := token + 1; end;
rule "wrap" token = N ==> token := 0; end;
rule "count" true ==>
  total := 0;
  for p : PLACE do if seen[p] then total := total + 1; end; end;
end;

invariant "not everywhere" exists p : PLACE do !seen[p] end;
