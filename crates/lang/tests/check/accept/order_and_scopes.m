-- Rules may stand before the variables and functions they use; inner names hide outer ones.
const N : 3; Deep : N * N - 1; Flag : N > 2;
type T : -N..Deep; E : enum { One, Two };
const First : One;
rule "early" later = 1 & is_one(e) & Flag ==> var later : boolean; begin later := TRUE; end;
var later : T; e : E;
function is_one(later : E) : Boolean; begin return later = First; end;
startstate begin
  later := 0; e := Two;
  for later : 0..2 do for later : E do e := later; end; end;
  alias e : later; f : e do f := 1; end;
end;
ruleset e : boolean; i := 1 to N by 2 do
  rule e ==> const N : 7; type E : enum { One, Other }; var x : E; begin x := One; later := N - i; end;
  rule "early" !e ==> begin end;
end;
invariant -N <= later & later <= Deep;
