type BAG : multiset [3] of 0..5;
var b : BAG; c : multiset [2] of 0..5; x : 0..5;
startstate begin undefine b; multisetadd(1, x); multisetadd(true, b); x := b[0]; x := multisetcount(i : x, true); end;
choose i : b do
  rule x = i & b = b ==> begin multisetremove(i, c); multisetremove(x, b); x := b[i]; x := i + 1; end;
end;
choose i : x do rule b[i] = 1 ==> begin end; end;
