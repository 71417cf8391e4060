-- Unions: members go in and come out, wider and narrower unions, and a range as a member.
type NODE : scalarset(2); DATA : scalarset(2);
  WHO : union { NODE, enum { Nobody, Everybody } };
  ANY : union { WHO, DATA };
  OPT : union { 0..3, enum { None } };
var n : NODE; d : DATA; w : WHO; a : ANY; o : OPT; x : 0..3;
    seen : array [WHO] of boolean; of_node : array [NODE] of boolean; slot : array [OPT] of 0..3;
procedure note(v : WHO); begin seen[v] := true; end;
startstate begin
  n := w; w := n; w := Nobody; a := n; a := w; w := a; a := d; d := a; n := a; o := 2; o := x; x := o; o := None;
  for v : ANY do a := v; end; for v : OPT do slot[v] := 1; slot[1] := slot[None]; end;
  note(n); note(Everybody); of_node[w] := true;
end;
rule w = n & Nobody != w & a = w & d = a & o = x & 3 = o & isundefined(o) & of_node[a] ==> begin
  switch a case Nobody, n: w := n; case d, w: w := Nobody; end;
  w := (x = 1) ? n : w;
end;
invariant ismember(a, DATA) -> a != n;
