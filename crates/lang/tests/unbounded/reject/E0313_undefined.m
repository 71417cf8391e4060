type NODE : scalarset(2);
var flag : array [NODE] of boolean;
function guess(i : NODE) : boolean;
var unset : boolean;
begin
  if flag[i] then unset := true; end;
  return unset;
end;
startstate "start" for i : NODE do flag[i] := false; end; end;
rule "idle" true ==> end;
invariant "guessed" forall i : NODE do guess(i) end;
