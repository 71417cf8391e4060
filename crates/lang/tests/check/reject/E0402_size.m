-- check: --size NODES=4 --size COLOR=2 --size OTHER=3
type NODE : scalarset(3); SLOT : 1..4; OTHER : NODE; COLOR : enum { Red };
startstate begin end;
