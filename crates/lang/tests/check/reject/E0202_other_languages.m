var ready : bool; total : int;
startstate begin ready := not(ready); end;
