-- One iteration writes what another one reads, in the same array and through a function; one returns.
type NODE : scalarset(2);
var flag : array [NODE] of boolean; chosen : NODE; done : boolean;

function busy(i : NODE) : boolean; begin return flag[i]; end;

startstate "start" for i : NODE do flag[i] := true; end; chosen := chosen; done := false; end;

rule "read" true ==>
  for i : NODE do flag[i] := flag[chosen]; end;
end;

rule "write" true ==>
  for i : NODE do flag[i] := false; if i = chosen then flag[chosen] := true; end; end;
end;

rule "call" true ==>
  for i : NODE do if busy(chosen) then flag[i] := false; end; end;
end;

rule "seen" true ==>
  for i : NODE do if !done then flag[i] := false; done := true; end; end;
end;

rule "return" true ==>
  for i : NODE do flag[i] := false; if i = chosen then return; end; end;
end;

rule "elsewhere" true ==>
  for i : NODE do for j : NODE do if i != j then flag[j] := flag[i]; end; end; end;
end;
