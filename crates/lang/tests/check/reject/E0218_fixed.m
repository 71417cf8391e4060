const N : 3;
type E : enum { Red };
var x : 0..3; r : record p : 0..3; end;
procedure p(v : 0..3); begin v := 1; alias w : v do w := 2; end; end;
startstate begin N := 4; Red := x; for i : 0..3 do i := 1; end; alias y : x + 1 do y := 1; end; end;
ruleset i : 0..3 do
  alias z : x; c : 7 do rule true ==> begin clear i; undefine c; z := 2; end; end;
end;
