-- read: --unbounded N
-- Numbers that are computed with: the constant is any integer, the ranges are integer ranges.
const N : 3; LAST : N - 1;
type
  PROC : 0..LAST;
  COUNT : 0..N;
var
  token : PROC;
  seen : array [PROC] of boolean;
  count : COUNT;
  highest : PROC;

startstate "start"
  token := 0;
  count := 0;
  highest := 0;
  for i : PROC do seen[i] := false; end;
end;

rule "pass"
  count < N
==>
  seen[token] := true;
  token := (token + 1) % N;
  count := count + 1;
end;

rule "restart"
  count = N & forall i : PROC do seen[i] end
==>
  for i := 1 to LAST do seen[i] := false; end;
  count := 1;
end;

rule "look"
  seen[0]
==>
  for i : PROC do if seen[i] then highest := i; end; end;
end;

rule "step back"
  token > 0 & seen[token - 1]
==>
  token := token - 1;
end;

invariant "before the token" forall i : PROC do i < count -> seen[i] end;
