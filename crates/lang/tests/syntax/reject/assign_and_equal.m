const N = 3;
var x : 0..N;
startstate begin x = 0; end;
rule if x := 1 then x := 2; end; end;
rule "chain" 0 < x < 2 ==> x = x + 1; end;
invariant x := 2;
