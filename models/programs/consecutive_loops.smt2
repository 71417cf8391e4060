; Three loops, one after the other, as a C program would be written in Horn clauses: one relation for each loop head.
;
;   x = y = z = 0;  while (x < n) x++;  while (y < x) y++;  while (z < y) z += 1;  assert(z == n);
;
; Property: the assertion at the end.
; Needed to prove it: x <= n at the first loop, y <= x = n at the second, z <= y = n at the third.
;
; What to expect: safe

(set-logic HORN)
(declare-fun first (Int Int Int Int) Bool)
(declare-fun second (Int Int Int Int) Bool)
(declare-fun third (Int Int Int Int) Bool)

(assert (forall ((n Int)) (=> (>= n 0) (first n 0 0 0))))
(assert (forall ((n Int) (x Int) (y Int) (z Int)) (=> (and (first n x y z) (< x n)) (first n (+ x 1) y z))))
(assert (forall ((n Int) (x Int) (y Int) (z Int)) (=> (and (first n x y z) (>= x n)) (second n x y z))))
(assert (forall ((n Int) (x Int) (y Int) (z Int)) (=> (and (second n x y z) (< y x)) (second n x (+ y 1) z))))
(assert (forall ((n Int) (x Int) (y Int) (z Int)) (=> (and (second n x y z) (>= y x)) (third n x y z))))
(assert (forall ((n Int) (x Int) (y Int) (z Int)) (=> (and (third n x y z) (< z y)) (third n x y (+ z 1)))))

; The assertion.
(assert (forall ((n Int) (x Int) (y Int) (z Int)) (=> (and (third n x y z) (>= z y) (not (= z n))) false)))
(check-sat)
