const Z : 0;
var x : 0..3;
startstate begin for i := 0 to 3 by 0 do x := i; end; for i := 0 to 3 by Z do x := i; end; end;
