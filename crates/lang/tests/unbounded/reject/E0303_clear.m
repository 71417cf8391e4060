type NODE : scalarset(2); WHO : union {NODE, enum {nobody}};
var owner : NODE; who : WHO; level : 0..3;
startstate "start" clear owner; clear who; clear level; end;
rule "idle" true ==> end;
