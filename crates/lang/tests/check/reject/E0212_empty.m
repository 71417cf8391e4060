-- check: --const N=0
const N : 3;
type T : 1..0; U : 1..N;
var t : T;
startstate begin t := 4; end;
