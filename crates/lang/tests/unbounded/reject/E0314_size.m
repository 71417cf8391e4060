-- A warning, and an error besides, so that there is a text to compare.
const N : 2;
type NODE : scalarset(N); COUNT : 0..N;
var count : COUNT; who : NODE;
startstate "start" count := 0; clear who; end;
rule "up" count < N ==> count := count + 1; end;
