var x : 0..3;
startstate begin x := 0; end;
liveness "again" x = 0;
