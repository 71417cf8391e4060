-- Unions of a scalarset and an enumeration: membership, conversions in both directions, loops over all members.
type
  NODE : scalarset(2);
  OWNER : union {NODE, enum {Nobody}};
var
  owner : OWNER;
  busy : array [NODE] of boolean;
  asked : array [OWNER] of boolean;

startstate "start"
  owner := Nobody;
  for i : NODE do busy[i] := false; end;
  for o : OWNER do asked[o] := false; end;
end;

ruleset i : NODE do rule "take"
  owner = Nobody
==>
  owner := i;
  asked[i] := true;
end end;

rule "use"
  ismember(owner, NODE) & !busy[owner]
==>
  busy[owner] := true;
end;

rule "careless"
  busy[owner]
==>
  for o : OWNER do asked[o] := o = owner; end;
  owner := Nobody;
end;

invariant "owned" forall i : NODE do busy[i] -> owner = i end;
