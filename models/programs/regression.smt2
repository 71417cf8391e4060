; Two versions of a function, woven into one loop, in the style of rules and a query: does the new version return what the old one did?
;
;   old:  s = 0; for (i = 0; i < n; i++) s += 2;  return s;
;   new:  s = 0; for (i = n; i > 0; i--) s += 2;  return s;
;
; Property: both return the same.
; Needed to prove it: s1 = s2, and i1 + i2 = n: the loops go in opposite directions.
;
; What to expect: safe

(set-logic HORN)
(declare-rel both (Int Int Int Int Int))           ; n, i1, s1, i2, s2
(declare-rel differ ())
(declare-var n Int)
(declare-var i1 Int)
(declare-var s1 Int)
(declare-var i2 Int)
(declare-var s2 Int)

(rule (=> (>= n 0) (both n 0 0 n 0)))
(rule (=> (and (both n i1 s1 i2 s2) (< i1 n) (> i2 0)) (both n (+ i1 1) (+ s1 2) (- i2 1) (+ s2 2))))
(rule (=> (and (both n i1 s1 i2 s2) (< i1 n) (<= i2 0)) (both n (+ i1 1) (+ s1 2) i2 s2)))
(rule (=> (and (both n i1 s1 i2 s2) (>= i1 n) (> i2 0)) (both n i1 s1 (- i2 1) (+ s2 2))))
(rule (=> (and (both n i1 s1 i2 s2) (>= i1 n) (<= i2 0) (not (= s1 s2))) differ))
(query differ)
