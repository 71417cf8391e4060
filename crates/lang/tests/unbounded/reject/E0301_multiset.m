type NODE : scalarset(2);
var
  net : multiset [3] of NODE;
  box : record inner : multiset [2] of boolean; flag : boolean; end;

startstate "start"
  undefine net;
  undefine box;
end;

ruleset i : NODE do rule "send" ==> multisetadd(i, net); end end;

choose m : net do rule "receive" box.flag ==> multisetremove(m, net); end end;

invariant "few" multisetcount(m : net, true) < 3;
