type NODE : scalarset(3); DATA : scalarset(3); COLOR : enum { Red, Green };
     ROW : array [NODE] of 0..3; SHORT : array [NODE] of 0..2;
     WHO : union { NODE, enum { Nobody } };
var n : NODE; d : DATA; c : COLOR; b : boolean; x : 0..3; row : ROW; short : SHORT; who : WHO;
function pick(c : COLOR) : NODE; begin return c; end;
startstate begin
  n := d; n := 1; c := 0; b := x; x := b;
  row := short; who := d; row[d] := 1; row[0] := 1;
  n := pick(n);
  if n = d | c = n | who = c | row = short | n = 2 then x := b ? n : c; end;
  switch c case Red: x := 0; case Nobody, 7: x := 1; end;
end;
