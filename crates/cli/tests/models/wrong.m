-- Several mistakes.
const N : 3;
type NODE : scalarset(N);
var
  state : array [NODE] of boolean;
  count : 0..N;

startstate
  for i : NODE do state[i] := 0; end;
  cuont := 0;
end;

ruleset i : NODE do
  rule "go" state[i] ==> state[count] := false; end;
end;

invariant "fine" forall i : NODE do stat[i] end;
