type R : record p, q : 0..3; end;
var x, y : 0..3; r : R; a : array [0..1] of boolean; bag : multiset [2] of R; z : 0..1;
procedure init(var v : R); begin v.p := 0; end;
procedure other(); begin clear a; end;
startstate "one" begin x := 0; end;
startstate "two" begin init(r); other(); end;
rule x = 0 ==> begin y := 1; end;
invariant x < 3;
