type LOW : 0..1; NODE : scalarset(2); ANY : union {NODE, LOW}; OTHER : union {0..2, NODE};
var any : ANY; other : OTHER;
startstate "start" undefine any; undefine other; end;
rule "idle" ismember(any, NODE) ==> any := 1; end;
