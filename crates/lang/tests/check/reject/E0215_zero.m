const N : 0; M : 3 / N;
var x : 0..3;
startstate begin x := x / 0; x := 1 % (2 - 2); x := x / N; end;
