-- The smallest number goes first: a range whose values are compared, and nothing else.
const N : 3;
type PROCESS : 1..N;
var waits, inside : array [PROCESS] of boolean;

startstate
  for p : PROCESS do waits[p] := false; inside[p] := false; end;
end;

ruleset p : PROCESS do
  rule "wait" !waits[p] & !inside[p] ==> waits[p] := true; end;
  rule "enter"
    waits[p] & forall q : PROCESS do !inside[q] & (q < p -> !waits[q]) end
  ==>
    waits[p] := false;
    inside[p] := true;
  end;
  rule "leave" inside[p] ==> inside[p] := false; end;
end;

invariant "one" forall p : PROCESS; q : PROCESS do p < q -> !(inside[p] & inside[q]) end;
