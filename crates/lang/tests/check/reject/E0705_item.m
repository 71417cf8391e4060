type NODE : scalarset(2);
var owner : NODE; free : boolean;
startstate undefine owner; free := true; end;
ruleset c : NODE do
  rule "take" free ==> owner := c; free := false; end;
end;
invariant free | !free;
