-- read: --unbounded PROCESS
-- The smallest number goes first: a range that is a set of indices, and in an order.
const N : 3;
type PROCESS : 1..N;
var waits, inside : array [PROCESS] of boolean; last : PROCESS;
startstate "start" last := 1; for p : PROCESS do waits[p] := false; inside[p] := false; end; end;
ruleset p : PROCESS do
  rule "enter"
    waits[p] & forall q : PROCESS do !inside[q] & (q < p -> !waits[q]) end
  ==>
    inside[p] := true;
    if last <= p then last := p; end;
  end;
end;
invariant "one" forall p : PROCESS; q : PROCESS do p > q -> !(inside[p] & inside[q]) end;
