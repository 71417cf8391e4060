-- What is undefined is any value: of a scalar, of one element, of a whole array, in every iteration of a loop.
const N : 3;
type
  NODE : scalarset(2);
  LEVEL : 1..N;
var
  who : NODE;
  level : array [NODE] of LEVEL;
  table : array [NODE] of array [NODE] of LEVEL;

startstate "start"
  for i : NODE do level[i] := 1; end;
end;

ruleset i : NODE do rule "forget one"
  ==>
  undefine level[i];
  undefine who;
end end;

ruleset i : NODE do rule "forget a row"
  ==>
  undefine table[i];
end end;

rule "forget some"
  ==>
  for i : NODE do if level[i] = 1 then undefine level[i]; end; end;
end;

rule "local"
  ==>
var spare : LEVEL;
begin
  level[who] := spare;
  assert spare <= N "within bounds";
end;
