const x : 3;
type A : enum { Idle, Busy }; B : enum { Idle, Done };
var x : 0..3; r : record p : boolean; p : 0..3; end;
procedure work(a : 0..3; a : boolean); var b, b : boolean; begin end;
procedure work(); begin end;
startstate begin end;
ruleset i : 0..1; i : 0..2 do rule true ==> begin end; end;
