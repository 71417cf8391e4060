-- check: --const NODE=4 --const LOCAL=1 --const ZZZ=1
const NODES : 3; SLOTS : 2;
startstate const LOCAL : 3; begin end;
