const A : 1000000000000; B : A * A * A * A * A; C : B * B * B * B * B; D : C * C * C * C * C;
type T : 0..B; U : 0..10000000000000000000;
startstate begin end;
