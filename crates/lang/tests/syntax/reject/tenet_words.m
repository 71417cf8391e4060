-- Items of `.tenet` files in a Murphi file.
var index : 0..1; predicate : boolean;
index i : 0..1;
predicate predicate;
axiom index = 0;
instantiate i with 1;
define f(x : boolean) : boolean := x;
startstate index := 0; predicate := true; end;
rule "r" predicate ==> index := 1; a := a[0 := 1]; end;
const N : 0..3;
