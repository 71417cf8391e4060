-- read: --unbounded N
const N : 3;
type PROC : 1..N;
var flag : array [PROC] of boolean; step : PROC;
startstate "start" for i : PROC do flag[i] := false; end; step := 1; end;
rule "stride" true ==> for i := 1 to N by step do flag[i] := true; end; end;
