type NODE : scalarset(3);
var a : NOED; b : bolean; c : array [Slot] of NODE;
startstate begin a := b; end;
