-- Reads a variable before it has a value.
var
  x : 0..3;
  known : boolean;

startstate
  known := false;
end;

rule "learn" !known ==> known := true; end;
rule "use" known & x < 3 ==> x := x + 1; end;

invariant "true" known | !known;
