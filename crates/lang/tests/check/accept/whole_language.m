const N : 3; B : true;
type
  NODE : scalarset(N);
  R : 0..N;
  E : enum { A, C, D };
  U : union { NODE, enum { Other } };
  M : record k : E; from : U; v : R; end;
  Arr : array [NODE] of M;
  MS : multiset [3] of M;
  MAT : array [NODE, E] of boolean;
var
  x : R; e : E; u : U; n : NODE; m : M; a : Arr; net : MS; mat : MAT; ua : array [U] of boolean;
  cnt : 0..10;

function isIt(var arr : Arr; i : NODE) : boolean;
begin
  return arr[i].k = A;
end;

function even(k : R) : boolean;
begin
  if k = 0 then return true; else return odd(k - 1); endif;
end;
function odd(k : R) : boolean;
begin
  if k = 0 then return false; else return even(k - 1); endif;
end;
function bump() : R;
begin
  x := x + 1; return x;
end;

procedure setAll(var arr : Arr; val : E);
var tmp : M;
begin
  tmp.k := val; undefine tmp.from; tmp.v := 0;
  for i : NODE do arr[i] := tmp; endfor;
end;

startstate "s"
begin
  x := 0; e := A; clear u; clear n; clear m; setAll(a, C); clear mat; clear ua; cnt := 0; undefine net;
end;

ruleset i : NODE; j : NODE do
  alias me : a[i]; k : x + 1 do
    rule "go" i != j & isIt(a, i) & even(x) & B ==>
    var t : R; const Z : 2;
    begin
      t := k; me.v := t; me.from := j; u := i; u := Other; n := u;
      mat[u][A] := mat[i, C];
      switch bump() case 0, 1: x := 2; case Z: x := 1; else x := 0; endswitch;
      switch u case Other: x := 0; case i: x := 1; endswitch;
      if u = i then x := 1; elsif i = u then x := 2; elsif ismember(u, NODE) then x := 3; else x := 0; end;
      for q := 1 to 3 do cnt := cnt + q; end;
      for q := 3 to 1 by -1 do cnt := cnt - q; end;
      while x < 3 do x := x + 1; end;
      for w : U do ua[w] := isundefined(u) | w = u; end;
      put "hi"; put x; put a;
      multisetadd(m, net);
      cnt := multisetcount(q : net, net[q].k = A);
      multisetremovepred(q : net, net[q].v = 0);
      m := a[j];
      if a[i] = a[j] & m != a[i] then return; end;
      x := (x = 1) ? 2 : Z;
      alias w : n; y : a[w].v do y := 1; w := j; end;
      assert x < 9 "boo"; assume x < 3; cover x = 1;
    end;
    rule me.k = D ==> begin error "never"; end;
  end;
  rule "go" true ==> begin end;
end;
choose c : net do
  rule "take" net[c].k = A ==> begin m := net[c]; multisetremove(c, net); end;
end;
rule x > 2 ==> begin bump(); end;
invariant "i" forall i : NODE do exists v := 0 to x do a[i].v = v end end;
ruleset i : U do invariant "i" u = i -> u = i; end;
cover x = 1;
