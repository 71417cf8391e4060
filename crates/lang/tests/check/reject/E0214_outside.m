const N : 3;
type T : 1..3;
var t : T; u : 0..N; a : array [T] of boolean;
startstate begin t := 4; t := 2 - 2; a[0] := true; u := 9; t := N; end;
