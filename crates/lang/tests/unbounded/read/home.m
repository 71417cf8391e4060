-- read: --unbounded NODE
-- A range that is only a set of indices, with 0 as a distinguished element.
const NODES : 2;
type
  NODE : 0..NODES;
var
  home, last : NODE;
  busy : array [NODE] of boolean;

startstate "start"
  home := 0;
  clear last;
  for i : NODE do busy[i] := i = 0; end;
end;

ruleset i : NODE do rule "begin"
  i != home & !busy[i]
==>
  busy[i] := true;
  last := i;
end end;

rule "finish"
  busy[last] & last != 0
==>
  busy[last] := false;
  last := home;
end;

rule "reset"
  exists i : NODE do i != home & busy[i] end
==>
  for i : NODE do busy[i] := i = home; end;
  last := (busy[last] ? last : 0);
end;

invariant "home is busy" busy[0] & busy[home];
