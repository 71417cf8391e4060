var x, y : 0..3;
rule "one" x = 0 ==>
  x := 1
  y := 2;
  if x = 1 then y := 0; end
  x := 2;
end;
rule "two" x = 1 ==> x := y y; y := 1; end;
