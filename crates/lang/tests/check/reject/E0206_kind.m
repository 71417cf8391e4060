type T : 0..3;
const N : 3;
var v : T; w : N;
function f() : boolean; begin return true; end;
startstate begin v := T; v := f; v(1); end;
