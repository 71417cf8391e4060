type
  A : 5;
  B : array [1..3 of boolean;
  C : record a : ; b : boolean; end;
  D : enum { a b };
  E : 1..;
  F : scalarset;
  G : real(3, 2);
  H : array [A] B;
  I : (A);
  J : boolean;
var x : J;
