; A counter of eight bits that stays at its largest value instead of wrapping round, and a flag that says whether it has been there.
;
; Property: where the flag is off, the counter is what was counted.
; Needed to prove it: where the flag is off, counter = counted; where it is on, the counter is 255.
;
; What to expect: safe

(set-logic HORN)
(declare-fun loop ((_ BitVec 8) (_ BitVec 16) Bool) Bool)   ; counter, counted, is_full

(assert (loop #x00 #x0000 false))
(assert (forall ((counter (_ BitVec 8)) (counted (_ BitVec 16)) (is_full Bool))
  (=>
    (and (loop counter counted is_full) (bvult counter #xfe))
    (loop (bvadd counter #x01) (bvadd counted #x0001) false))))
(assert (forall ((counter (_ BitVec 8)) (counted (_ BitVec 16)) (is_full Bool))
  (=>
    (and (loop counter counted is_full) (bvuge counter #xfe) (bvult counted #xffff))
    (loop #xff (bvadd counted #x0001) true))))
(assert (forall ((counter (_ BitVec 8)) (counted (_ BitVec 16)) (is_full Bool))
  (=> (and (loop counter counted is_full) (not is_full) (not (= ((_ zero_extend 8) counter) counted))) false)))
(check-sat)
