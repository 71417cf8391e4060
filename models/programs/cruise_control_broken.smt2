; A cruise control with a bug: see cruise_control.smt2 for the correct clauses and the property.
;
; The bug: the goal may be set anew while the control is on, also below 30.
;
; What to expect: unsafe

(set-logic HORN)
(declare-fun tick (Bool Bool Int Int) Bool)        ; on, brakes, speed, goal

(assert (forall ((goal Int)) (tick false false 0 goal)))

(assert (forall ((on Bool) (brakes Bool) (speed Int) (goal Int) (set Bool) (on2 Bool) (brakes2 Bool) (speed2 Int) (goal2 Int))
  (let ((may_set (and set (not brakes) (>= speed 30) (<= speed 150))))
    (=>
      (and
        (tick on brakes speed goal)
        (= on2 (ite brakes false (or on may_set)))
        (= goal2 (ite (and set (not brakes) (<= speed 150)) speed goal))   ; BUG: only (and (not on) may_set)
        (ite brakes
          (and (<= 0 speed2) (<= speed2 speed))
          (ite on
            (= speed2 (ite (< speed goal) (+ speed 1) (ite (> speed goal) (- speed 1) speed)))
            (and (<= 0 speed2) (<= speed2 200) (<= speed2 (+ speed 5))))))
      (tick on2 brakes2 speed2 goal2)))))

(assert (forall ((on Bool) (brakes Bool) (speed Int) (goal Int))
  (=> (and (tick on brakes speed goal) on (< goal 30)) false)))
(assert (forall ((on Bool) (brakes Bool) (speed Int) (goal Int))
  (=> (and (tick on brakes speed goal) (or (< speed 0) (> speed 200))) false)))
(check-sat)
