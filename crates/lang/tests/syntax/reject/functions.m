var x : 0..3;
function f(a : 0..3); begin return a; end;
procedure p; begin x := 1; end;
procedure q(a 0..3; var b : 0..3); begin b := a; end;
procedure r(); var y : 0..3; begin f(1) := 2; clear x + 1; y := f(x; end;
