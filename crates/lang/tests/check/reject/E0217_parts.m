type S : scalarset(2);
var x : 0..3; s : S; r : record p : boolean; end;
function f() : boolean; begin return true; end;
startstate begin x.p := true; x[1] := 2; r[0] := true; s.p := false; end;
rule f()[1] ==> begin alias k : x + 1 do k.q := 1; end; end;
