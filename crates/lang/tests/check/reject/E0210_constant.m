var x : 0..3;
function f() : boolean; begin return true; end;
const N : x + 1;
type T : 0..x; S : scalarset(x);
startstate begin x := 0; end;
ruleset i := 0 to x do rule true ==> begin end; end;
