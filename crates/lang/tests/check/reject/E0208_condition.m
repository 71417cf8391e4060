type NODE : scalarset(3);
var x : 0..3; n : NODE; b : boolean;
startstate begin x := 0; b := !x; end;
rule x ==> begin while n do if x + 1 then b := b & x; end; end; assert x; end;
invariant forall i : NODE do i end;
