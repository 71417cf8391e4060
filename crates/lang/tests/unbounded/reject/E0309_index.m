-- read: --unbounded NODE --unbounded SLOT
const N : 3;
type NODE : 0..N; SLOT : 0..N; COUNT : 0..N;
var
  who, next : NODE;
  slot : SLOT;
  count : COUNT;
  flag : array [NODE] of boolean;
  copy : array [0..N] of boolean;
startstate "start" who := 0; next := 1; slot := 0; count := 0; clear flag; clear copy; end;
rule "arithmetic" true ==> next := who + 1; end;
rule "order" who < 2 | count <= who | who < next ==> who := next; end;
rule "mixing" who = slot ==> who := slot; end;
rule "number" true ==> count := who; who := count; end;
rule "bound" count = N ==> who := N; end;
rule "steps" true ==> for i := 0 to 3 do flag[i] := true; end; end;
rule "arrays" true ==> flag := copy; end;
