; Satisfiable if 7 divided by zero is 5.
(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p (div 7 0)))
(assert (forall ((x Int)) (=> (p x) (= x 5))))
(check-sat)
