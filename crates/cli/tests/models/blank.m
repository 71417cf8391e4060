-- The owner is read before there is one.
type NODE : scalarset(2);
var busy : array [NODE] of boolean; owner : NODE;

startstate
  for n : NODE do busy[n] := false; end;
  undefine owner;
end;

ruleset n : NODE do
  rule "take" !busy[n] & (forall m : NODE do !busy[m] end) ==> busy[n] := true; owner := n; end;
  rule "give" busy[n] & owner = n ==> busy[n] := false; undefine owner; end;
  rule "ask" owner = n & !busy[n] ==> owner := n; end;
end;

invariant "one" forall m : NODE; n : NODE do busy[m] & busy[n] -> m = n end;
