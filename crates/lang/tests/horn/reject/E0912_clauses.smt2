(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (and (or (p (+ x 1)) (p (- x 1))) (or (p (+ x 2)) (p (- x 2))) (or (p (+ x 3)) (p (- x 3))) (or (p (+ x 4)) (p (- x 4))) (or (p (+ x 5)) (p (- x 5))) (or (p (+ x 6)) (p (- x 6))) (or (p (+ x 7)) (p (- x 7))) (or (p (+ x 8)) (p (- x 8))) (or (p (+ x 9)) (p (- x 9))) (or (p (+ x 10)) (p (- x 10))) (or (p (+ x 11)) (p (- x 11))) (or (p (+ x 12)) (p (- x 12))) (or (p (+ x 13)) (p (- x 13)))) false)))
(check-sat)
