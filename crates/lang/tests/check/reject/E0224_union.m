type NODE : scalarset(2);
  A : union { NODE, boolean };
  B : union { NODE, enum { X }, NODE };
  C : union { 0..3, NODE, 5..7 };
  D : union { NODE, array [NODE] of boolean };
startstate begin end;
