-- Rules of every form, with every optional part present and absent.
var x : 0..3; bag : multiset [3] of 0..3;

Rule "with everything" x = 1 ==>
  Const k : 1; Type T : 0..3; Var y : T; z : T
Begin
  y := x; x := y;
EndRule;

rule "no begin" x = 1 ==> x := 2 end
rule x = 2 ==> end;;
rule "no guard" begin x := 0; end;
rule begin end;
rule var y : 0..3; begin y := 0; x := y; end;
rule "an \"odd\" \\ name" end;
rule if x = 1 then x := 2 end end;

STARTSTATE "first" begin x := 0; endstartstate
startstate var y : 0..1; begin y := 0; x := y; end;

ruleset i : 0..3; j : 0..3; k := 0 to 6 by 2 do
  ruleset l : 0..1 do
    rule "nested" i = j ==> x := l; end;
    startstate x := i; end;
    invariant "inside" x != i -> j = k;
  end;
  alias p : i; q : j r : x; do
    rule p = q ==> r := p; end
  endalias;
endruleset;

choose e : bag do
  rule "take" true ==> multisetremove(e, bag); end;
endchoose;

invariant x >= 0
invariant "named" x >= 0;
invariant x < 4 "named after"
assert "asserted" x <= 3;
assume x != 17;
cover "covered" x = 3;
liveness "again" x = 0;
