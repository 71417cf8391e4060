type NODE : scalarset(3); COLOR : enum { Red, Green }; WHO : union { NODE, COLOR };
var n, k : NODE; c : COLOR; w : WHO; b : boolean; a : array [NODE] of boolean;
startstate begin n := n + 1; b := n < k; b := c >= Red; b := -w = 1; b := b % 2 = a; end;
rule true ==> begin for i := n to 3 do end; end;
