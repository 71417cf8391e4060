-- check: --const NODE=4 --size COUNT=3
const COUNT : 3;
type NODE : scalarset(COUNT);
startstate begin end;
