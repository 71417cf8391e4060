-- The keyword that opens a block is lost; its end must not close the block around it.
var x : 0..3;
ruleset i : 0..3 do
  rule "no if" x = i ==> begin
    x > 1 then x := 2; elsif x = 2 then x := 3; else x := 0; end;
    x := 1;
  end;
  rule "no while" x = i ==> begin
    f(x) do x := 2; end;
  endrule;
  switch x case 1: x := 2; end;
  invariant "last" x = i;
end;
-- Something is lost in the head of a block.
rule true ==> if x y then x := 1; end; while x x do x := 2; end; end;
rule true ==> if x = 1 x := 1; end; for i : 0..3 x := i; end; end;
rule true ==> alias y : x z do y := 1; end; end;
ruleset i : 0..3 j do rule x = i ==> x := 1; end; end;
