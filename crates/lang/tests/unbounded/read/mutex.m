-- A lock: the smallest model worth proving.
type NODE : scalarset(2);
var
  lock : boolean;
  critical : array [NODE] of boolean;

startstate "start"
  clear lock;
  for i : NODE do critical[i] := false; end;
end;

ruleset i : NODE do
  rule "enter" !lock ==> lock := true; critical[i] := true; end;
  rule "leave" critical[i] ==> lock := false; critical[i] := false; end;
end;

ruleset i : NODE; j : NODE do
  invariant "mutual exclusion" critical[i] & critical[j] -> i = j;
end;
