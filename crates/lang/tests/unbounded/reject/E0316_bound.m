-- read: --unbounded N
const N : 3; M : (N > 2 ? 1 : 2);
type LEVEL : 0..M;
var level : LEVEL;
startstate "start" level := 0; end;
rule "idle" true ==> end;
