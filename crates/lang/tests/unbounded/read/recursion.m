var level : 0..3;
function down(x : 0..3) : 0..3; begin if x = 0 then return 0; end; return down(x - 1); end;
startstate "start" level := 3; end;
rule "fall" true ==> level := down(level); end;
