var x : 0..3;
procedure one(v : 0..3); begin end;
function two(v, w : 0..3) : boolean; begin return v = w; end;
startstate begin one(); one(1, 2); if two(1) then end; end;
