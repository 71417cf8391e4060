type MSG : record kind : 0..3; from : boolean; end;
var m : MSG; r : record only : boolean; end;
startstate begin m.knd := 1; m.sender := true; r.x := false; end;
