(set-logic HORN)
(declare-fun p (Int) Bool)
)
(assert (p #z1))
(assert (p 1x))
(assert (p 0
(check-sat)
