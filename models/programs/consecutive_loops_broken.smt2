; Three loops with a bug: see consecutive_loops.smt2 for the correct clauses and the property.
;
; The bug: the last loop takes steps of 2, so that z can end behind an odd n.
;
; What to expect: unsafe

(set-logic HORN)
(declare-fun first (Int Int Int Int) Bool)
(declare-fun second (Int Int Int Int) Bool)
(declare-fun third (Int Int Int Int) Bool)

(assert (forall ((n Int)) (=> (>= n 0) (first n 0 0 0))))
(assert (forall ((n Int) (x Int) (y Int) (z Int)) (=> (and (first n x y z) (< x n)) (first n (+ x 1) y z))))
(assert (forall ((n Int) (x Int) (y Int) (z Int)) (=> (and (first n x y z) (>= x n)) (second n x y z))))
(assert (forall ((n Int) (x Int) (y Int) (z Int)) (=> (and (second n x y z) (< y x)) (second n x (+ y 1) z))))
(assert (forall ((n Int) (x Int) (y Int) (z Int)) (=> (and (second n x y z) (>= y x)) (third n x y z))))
(assert (forall ((n Int) (x Int) (y Int) (z Int)) (=> (and (third n x y z) (< z y)) (third n x y (+ z 2)))))   ; BUG: 1

; The assertion.
(assert (forall ((n Int) (x Int) (y Int) (z Int)) (=> (and (third n x y z) (>= z y) (not (= z n))) false)))
(check-sat)
