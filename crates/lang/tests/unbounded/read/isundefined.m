type NODE : scalarset(2);
var owner : NODE;
startstate "start" undefine owner; end;
ruleset i : NODE do rule "take" isundefined(owner) ==> owner := i; end end;
