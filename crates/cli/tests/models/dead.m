-- Nobody gets in: `broken` is never true.
type
  PROCESS: scalarset(3);
var
  inside: array[PROCESS] of boolean;
  broken: boolean;

startstate "all outside"
begin
  for p: PROCESS do inside[p] := false; end;
  broken := false;
end;

ruleset p: PROCESS do
  rule "enter" broken & !inside[p] ==> begin inside[p] := true; end;
  rule "leave" !broken ==> begin inside[p] := false; end;
end;

invariant "alone"
  forall p: PROCESS do forall q: PROCESS do inside[p] & inside[q] -> p = q end end;

invariant "sound" broken -> forall p: PROCESS do inside[p] end;
