; The same, with a mistake at the end.
(set-logic HORN)
(declare-fun head (Int Int) Bool)
(declare-fun body (Int Int) Bool)
(assert (head 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (head x y) (< x 2)) (body x y))))
(assert (forall ((x Int) (y Int)) (=> (body x y) (head (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (head x y) (>= x 2)) (= y 21))))
(check-sat)
