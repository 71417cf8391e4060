-- Processes are numbers of a fixed range, and the parameters of rules stay within it.
type PROC : 1..5;
var busy : array [PROC] of boolean; free : boolean;
startstate "all idle"
  for p : PROC do busy[p] := false; end;
  free := true;
end;
ruleset p : PROC do
  rule "take" free ==> busy[p] := true; free := false; end;
  rule "give" busy[p] ==> busy[p] := false; free := true; end;
end;
invariant "exclusion" forall p : PROC; q : PROC do busy[p] & busy[q] -> p = q end;
