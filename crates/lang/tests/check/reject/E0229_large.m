-- check: --size S=2000
type S : scalarset(3); A : array [S] of array [S] of 0..3; B : array [0..9223372036854775807] of A;
var a, b : A;
procedure p(); var c : B; begin end;
startstate begin a := b; end;
