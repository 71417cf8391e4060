var x : 0..3;
function f() : boolean; begin x := 1; end;
function g() : boolean; begin return; end;
function h() : boolean; begin return 1; end;
procedure p(); begin return true; end;
startstate begin return 1; end;
