-- read: --unbounded nodes --unbounded COLOUR --unbounded SIZED --size SIZED=2
const NODES : 3;
type NODE : 0..NODES; COLOUR : enum {red}; SIZED : 0..1;
var who : NODE; colour : COLOUR; sized : SIZED;
startstate "start" who := 0; colour := red; sized := 0; end;
rule "idle" true ==> end;
