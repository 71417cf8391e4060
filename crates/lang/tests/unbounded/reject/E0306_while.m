type NODE : scalarset(2);
var level : 0..3; flag : boolean;
startstate "start" level := 0; flag := false; end;
rule "at most eight rounds" true ==> while level < 3 do level := level + 1; end; end;
rule "for ever" true ==> while true do flag := true; end; end;
rule "for ever at times" flag ==> while level < 3 do level := 0; while level = 0 do flag := !flag; end; end; end;
