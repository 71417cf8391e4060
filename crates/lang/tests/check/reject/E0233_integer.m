var x : integer;
startstate begin x := 0; end;
