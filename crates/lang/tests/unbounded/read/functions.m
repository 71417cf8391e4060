-- Functions and procedures, by value and by reference, with returns in branches and in an unbounded loop.
type
  NODE : scalarset(3);
  LEVEL : 0..3;
var
  level : array [NODE] of LEVEL;
  owner : NODE;
  alarm : boolean;

function anybody(bound : LEVEL) : boolean;
begin
  for i : NODE do
    if level[i] >= bound then return true; end;
  end;
  return false;
end;

function next(value : LEVEL) : LEVEL;
begin
  if value = 3 then return 0; end;
  return value + 1;
end;

procedure raise(var place : LEVEL; step : LEVEL);
var sum : 0..6;
begin
  sum := place + step;
  if sum > 3 then
    place := 3;
    return;
  end;
  place := sum;
end;

ruleset first : NODE do startstate "start"
  for i : NODE do level[i] := 0; end;
  owner := first;
  alarm := false;
end end;

ruleset i : NODE do rule "step"
  level[i] < 3
==>
  level[i] := next(level[i]);
  alarm := anybody(3);
end end;

ruleset i : NODE do rule "jump"
  !anybody(2)
==>
  alias here : level[owner] do
    owner := i;
    raise(here, 2);
  end;
end end;

rule "drop"
  alarm
==>
  for i : NODE do
    switch level[i]
    case 3, 2: level[i] := 1;
    case 1: level[i] := 0;
    end;
  end;
  alarm := anybody(3);
end;

invariant "no alarm" !alarm -> forall i : NODE do level[i] < 3 end;
