type NODE : scalarset(2);
var net : multiset [3] of NODE; box : array [NODE] of multiset [2] of NODE;
startstate "start" undefine net; for i : NODE do undefine box[i]; end; end;
ruleset i : NODE do
  rule "all into one" true ==> for j : NODE do multisetadd(j, net); end; end;
  rule "again" true ==> for j : NODE do multisetadd(j, box[j]); end; multisetadd(i, box[i]); end;
end;
