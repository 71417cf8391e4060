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
