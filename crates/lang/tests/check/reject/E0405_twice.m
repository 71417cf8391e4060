-- check: --const N=1 --const N=2 --size T=1 --size T=2
const N : 3;
type T : 1..N;
startstate begin end;
