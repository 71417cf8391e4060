; A cruise control as a Lustre compiler would write it: one relation over the whole state, and one clause for all that can happen in a
; tick. The state has two Booleans, whether the control is on and whether the driver brakes, and the speed and the goal in km/h.
;
; Properties: the goal is at least 30 where the control is on, and the speed stays from 0 to 200.
; Needed to prove it: the first property together with bounds of the goal, 30 <= goal <= 150 where the control is on, as the control
; moves the speed towards the goal.
;
; What to expect: safe

(set-logic HORN)
(declare-fun tick (Bool Bool Int Int) Bool)        ; on, brakes, speed, goal

(assert (forall ((goal Int)) (tick false false 0 goal)))

(assert (forall ((on Bool) (brakes Bool) (speed Int) (goal Int) (set Bool) (on2 Bool) (brakes2 Bool) (speed2 Int) (goal2 Int))
  (let ((may_set (and set (not brakes) (>= speed 30) (<= speed 150))))
    (=>
      (and
        (tick on brakes speed goal)
        (= on2 (ite brakes false (or on may_set)))
        (= goal2 (ite (and (not on) may_set) speed goal))
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
