-- Places of any number; a capacity that is a small number is a demand.
const N : 3;
type NODE : scalarset(N);
var
  net : multiset [3] of NODE;
  far : multiset [2 * N] of record to_ : NODE; urgent : boolean; end;
  box : array [NODE] of multiset [2] of boolean;
  n : 0..3;

startstate "start"
  undefine net; clear far; for i : NODE do undefine box[i]; end; n := 0;
end;

ruleset i : NODE do
  rule "send" multisetcount(m : net, net[m] = i) = 0 ==> multisetadd(i, net) end;
  rule "to all" ==> for j : NODE do multisetadd(i = j, box[j]); end; end;
  rule "forget" ==> multisetremovepred(m : box[i], box[i][m]); end;
end;

choose m : net do rule "receive" 2 > multisetcount(k : net, true) ==> multisetremove(m, net); end end;

choose m : far do
  rule "urgent" far[m].urgent ==> n := multisetcount(k : far, !far[k].urgent); far[m].urgent := false; end;
  invariant "known" far[m].urgent -> exists i : NODE do i = far[m].to_ end;
end;

invariant "few" multisetcount(m : net, true) < 3;
