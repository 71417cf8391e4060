type T : 0..N; U : array [T] of LATER;
const N : 3;
type LATER : boolean;
startstate begin end;
