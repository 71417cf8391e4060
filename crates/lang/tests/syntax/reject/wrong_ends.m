var x : 0..3;
ruleset i : 0..3 do
  rule "closed by another end" x = i ==>
    x := 1;
  endif;
endruleset;

rule "the if is open" x = 1 ==> begin
  if x = 2 then
    x := 3;
endrule;

rule "end too many" x = 1 ==> x := 2; end; end; end;

rule "never closed" x = 1 ==>
  x := 0;

rule "last" x = 3 ==> for i : 0..3 do x := i; end
