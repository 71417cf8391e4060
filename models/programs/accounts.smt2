; Two accounts and the sum of what they hold, as a contract that anybody may call in any order: deposit, withdraw, transfer.
;
; Properties: the sum is right ("total"), and no account is overdrawn.
; Needed to prove it: total = ann + bob, and both are at least 0. Amounts may be any numbers that the calls accept.
;
; What to expect: safe

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
  (=> (and (contract ann bob total) (> amount 0) (<= amount bob)) (contract (+ ann amount) (- bob amount) total))))

(assert (forall ((ann Int) (bob Int) (total Int)) (=> (contract ann bob total) (= total (+ ann bob)))))
(assert (forall ((ann Int) (bob Int) (total Int)) (=> (and (contract ann bob total) (or (< ann 0) (< bob 0))) false)))
(check-sat)
