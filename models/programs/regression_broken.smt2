; Two versions with a bug: see regression.smt2 for the correct clauses and the property.
;
; The bug: the new version begins one round too early.
;
; What to expect: unsafe

(set-logic HORN)
(declare-rel both (Int Int Int Int Int))           ; n, i1, s1, i2, s2
(declare-rel differ ())
(declare-var n Int)
(declare-var i1 Int)
(declare-var s1 Int)
(declare-var i2 Int)
(declare-var s2 Int)

(rule (=> (>= n 0) (both n 0 0 (+ n 1) 0)))   ; BUG: n
(rule (=> (and (both n i1 s1 i2 s2) (< i1 n) (> i2 0)) (both n (+ i1 1) (+ s1 2) (- i2 1) (+ s2 2))))
(rule (=> (and (both n i1 s1 i2 s2) (< i1 n) (<= i2 0)) (both n (+ i1 1) (+ s1 2) i2 s2)))
(rule (=> (and (both n i1 s1 i2 s2) (>= i1 n) (> i2 0)) (both n i1 s1 (- i2 1) (+ s2 2))))
(rule (=> (and (both n i1 s1 i2 s2) (>= i1 n) (<= i2 0) (not (= s1 s2))) differ))
(query differ)
