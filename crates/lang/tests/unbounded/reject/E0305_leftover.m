type NODE : scalarset(2);
var flag : array [NODE] of boolean; next : array [NODE] of NODE; one : NODE; last : boolean;
startstate "start" for i : NODE do flag[i] := true; next[i] := i; one := i; end; last := true; end;
rule "scratch" true ==>
var seen : array [NODE] of boolean;
begin
  for i : NODE do seen[next[i]] := flag[i]; end;
  last := seen[one];
end;
