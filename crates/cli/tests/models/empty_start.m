-- An assumption that no startstate satisfies.
var
  x : boolean;

startstate x := false; end;
rule "flip" x := !x; end;
assume "on" x;
invariant "off" !x;
