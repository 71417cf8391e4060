-- A plain Murphi model in which `index`, `predicate` and `define` are names; what is observed stands in `observed.pred`.
type CLIENT : scalarset(3);
var crit : array [CLIENT] of boolean; lock : boolean; index : CLIENT; predicate : boolean;
procedure define(c : CLIENT); begin index := c; predicate := crit[c]; end;
ruleset first : CLIENT do startstate
  for c : CLIENT do crit[c] := false; end;
  lock := false; define(first);
end end;
ruleset c : CLIENT do
  rule "enter" !lock ==> crit[c] := true; lock := true; define(c); end;
  rule "leave" crit[c] ==> crit[c] := false; lock := false; end;
end;
invariant "exclusion" forall c : CLIENT; d : CLIENT do crit[c] & crit[d] -> c = d end;
