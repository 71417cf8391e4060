-- What some versions of CMurphi write: priorities, a scalarset without a name, `UNDEFINED`.
const
  N : 3;

var
  owner : scalarset(N);
  level : 0..3;

procedure set(n : 0..3);
begin
  if isundefined(n) then clear level; else level := n; end;
end;

startstate
  owner := UNDEFINED;
  set(UNDEFINED);
end;

rule 20 "up"
  level < 3
==>
  set(level + 1);
end;

rule "drop" 0.5
  isundefined(owner)
==>
  set(UNDEFINED);
end;

invariant "low" level <= 3;
