type NODE : scalarset(2); DATA : scalarset(2); WHO : union { NODE, enum { Nobody } };
var n : NODE; w : WHO;
startstate begin n := w; end;
invariant ismember(n, NODE) | ismember(w, DATA) | ismember(w, NODE);
