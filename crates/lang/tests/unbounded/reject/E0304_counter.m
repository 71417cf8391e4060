type NODE : scalarset(2);
var flag : array [NODE] of boolean; count : 0..2;
startstate "start" for i : NODE do flag[i] := true; end; count := 0; end;
rule "count" true ==>
  count := 0;
  for i : NODE do if flag[i] then count := count + 1; end; end;
end;
