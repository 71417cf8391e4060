const MAX : 9;
type NODE : scalarset(2);
var net : multiset [MAX] of NODE; n : 0..9;
startstate "start" undefine net; n := 0; end;
ruleset i : NODE do rule "send" true ==> multisetadd(i, net); end end;
invariant "counted" multisetcount(m : net, true) = n;
invariant "large" multisetcount(m : net, true) < 7;
