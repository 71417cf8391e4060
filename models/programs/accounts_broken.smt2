; Two accounts with a bug: see accounts.smt2 for the correct clauses and the property.
;
; The bug: a transfer looks at the wrong account, so that Bob can be overdrawn.
;
; What to expect: unsafe

(set-logic HORN)
(declare-fun contract (Int Int Int) Bool)          ; ann, bob, total

(assert (contract 0 0 0))

; Ann deposits an amount, and withdraws one.
(assert (forall ((ann Int) (bob Int) (total Int) (amount Int))
  (=> (and (contract ann bob total) (> amount 0)) (contract (+ ann amount) bob (+ total amount)))))
(assert (forall ((ann Int) (bob Int) (total Int) (amount Int))
  (=> (and (contract ann bob total) (> amount 0) (<= amount ann)) (contract (- ann amount) bob (- total amount)))))

; Transfers between the two.
(assert (forall ((ann Int) (bob Int) (total Int) (amount Int))
  (=> (and (contract ann bob total) (> amount 0) (<= amount ann)) (contract (- ann amount) (+ bob amount) total))))
(assert (forall ((ann Int) (bob Int) (total Int) (amount Int))
  (=> (and (contract ann bob total) (> amount 0) (<= amount ann))       ; BUG: (<= amount bob)
    (contract (+ ann amount) (- bob amount) total))))

(assert (forall ((ann Int) (bob Int) (total Int)) (=> (contract ann bob total) (= total (+ ann bob)))))
(assert (forall ((ann Int) (bob Int) (total Int)) (=> (and (contract ann bob total) (or (< ann 0) (< bob 0))) false)))
(check-sat)
