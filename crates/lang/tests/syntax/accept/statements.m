-- Statements of every form.
type T : 0..3; R : record f : T; g : array [T] of T; end;
var x, y : T; r : R; a : array [T] of array [T] of R; bag : multiset [4] of T; b : boolean;

procedure p(i : T; var s : R); begin s.f := i; end;

rule "all" true ==> begin
  x := y;
  r.g[x] := a[x][y].g[a[x, y].f];
  x ≔ 1;
  if b then x := 1 end;
  if b then elsif x = 1 then x := 2; elsif x = 2 then else if b then y := 1; end; end;
  if b then x := 1; else x := 2; endif;
  switch x
    case 1: y := 1;
    case 2, 3, : y := 2
  else y := 3; end;
  switch x endswitch;
  switch x = 1 case true: y := 0; endswitch;
  for i : T do x := i; endfor;
  for i := 0 to 3 do x := i end;
  for i := 3 to 0 by -1 do x := i; end;
  while x < 3 do x := x + 1; endwhile;
  alias z : a[x][y].g; w : r.f do z[0] := w; endalias;
  alias do end;
  p(x, a[0][1],);
  clear r; undefine a[x][y].f;
  assert x = 1 "after";
  assert "before" x = 1;
  assert x = 1; assume b; cover x = 2 "c"; invariant b;
  error "wrong";
  put "text"; put x + 1;
  multisetadd(x + 1, bag);
  multisetremovepred(i : bag, bag[i] = 2);
  return
end;
