-- A warning, and an error besides, so that there is a text to compare.
type NODE : scalarset(2);
var flag : array [NODE] of boolean; chosen : NODE; net : multiset [9] of NODE;
startstate "start" for i : NODE do flag[i] := false; end; clear chosen; end;
invariant multisetcount(m : net, true) < 9;
rule "choose" true ==> for i : NODE do if flag[i] then chosen := i; end; end; end;
