-- Parameters that may be undefined are copied, others are read.
type NODE : scalarset(2);
var owner, last : NODE; flag : boolean;
procedure give(n : NODE); begin last := owner; owner := n; end;
procedure hand_on(n : NODE); begin give(n); end;
procedure look(n : NODE); begin if !isundefined(n) then last := n; end; end;
startstate "start" give(UNDEFINED); flag := false; end;
ruleset i : NODE do
  rule "take" isundefined(owner) ==> hand_on(i); end;
  rule "look" ==> look(owner); end;
  rule "drop" owner = i ==> owner := UNDEFINED; end;
end;
invariant "free" isundefined(owner) | owner = owner;
