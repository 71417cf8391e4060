-- A queue whose elements move up, with room for any number.
const MAX : 4;
type NODE : scalarset(2); PLACE : 0..MAX - 1;
var queue : array [PLACE] of NODE; count : 0..MAX; level : 0..9; first : NODE;
startstate "start" undefine queue; count := 0; level := 0; clear first; end;
ruleset i : NODE do rule "in" count < MAX ==> queue[count] := i; count := count + 1; end end;
rule "out" count > 0 ==>
  first := queue[0];
  for k : 0..MAX - 2 do queue[k] := queue[k + 1]; end;
  count := count - 1;
  while level < 9 & first = queue[0] do level := level + 3; end;
end;
