type R : record p : boolean; end; A : array [0..1] of boolean;
var r : R; a : A; b : array [R] of boolean; c : boolean;
function f() : R; begin return r; end;
startstate begin for i : A do end; switch r case r: c := true; end; c := isundefined(a); r := c ? r : r; end;
invariant forall i : R do true end;
