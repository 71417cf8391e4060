-- check: --size NODE=0 --size SLOT=18446744073709551615
type NODE : scalarset(3); SLOT : 1..4;
startstate begin end;
