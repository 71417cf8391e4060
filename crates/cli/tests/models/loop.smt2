; A loop with two counters.
(set-logic HORN)
(declare-fun head (Int Int) Bool)
(declare-fun body (Int Int) Bool)
(assert (head 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (head x y) (< x 10)) (body x y))))
(assert (forall ((x Int) (y Int)) (=> (body x y) (head (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (head x y) (>= x 10)) (= y 20))))
(check-sat)
