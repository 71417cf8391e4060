var x : 0..3; y : 0..2; b : boolean;
procedure set(var v : 0..3; k : 0..3); begin v := k; end;
procedure twice(v : 0..3); begin set(v, v); end;
startstate begin set(x, 1); set(y, 1); set(b, 1); set(3, 1); set(x + 1, 1); for i : 0..3 do set(i, 1); end; end;
