; A counter of eight bits with a bug: see saturating.smt2 for the correct clauses and the property.
;
; The bug: the counter wraps round after all, and the flag is taken back.
;
; What to expect: unsafe

(set-logic HORN)
(declare-fun loop ((_ BitVec 8) (_ BitVec 16) Bool) Bool)   ; counter, counted, is_full

(assert (loop #x00 #x0000 false))
(assert (forall ((counter (_ BitVec 8)) (counted (_ BitVec 16)) (is_full Bool))
  (=>
    (and (loop counter counted is_full) (bvult counted #x0100))                    ; BUG: counter is less than #xfe
    (loop (bvadd counter #x01) (bvadd counted #x0001) false))))
(assert (forall ((counter (_ BitVec 8)) (counted (_ BitVec 16)) (is_full Bool))
  (=>
    (and (loop counter counted is_full) (bvuge counter #xfe) (bvult counted #xffff))
    (loop #xff (bvadd counted #x0001) true))))
(assert (forall ((counter (_ BitVec 8)) (counted (_ BitVec 16)) (is_full Bool))
  (=> (and (loop counter counted is_full) (not is_full) (not (= ((_ zero_extend 8) counter) counted))) false)))
(check-sat)
