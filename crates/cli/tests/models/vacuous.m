-- Holds, but says less than it seems to.
var
  x : 0..3;

startstate x := 0; end;

rule "up" x < 2 ==> x := x + 1; end;
rule "down" x > 0 ==> x := x - 1; end;
rule "jump" x = 3 ==> x := 0; end;

invariant "top" x = 3 -> x != 0;
cover "half way" x = 1;
cover "the top" x = 3;
