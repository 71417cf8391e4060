-- Mutual exclusion with a semaphore that is not taken in one step: see mutex.m for the correct model.
--
-- The bug: a process finds the semaphore free in one step and makes it taken in the next. In between another process may
-- find it free as well, and both enter.
--
-- What to expect:
--   tenet explore models/mutex_broken.m                    unsafe, "mutual exclusion" is false after 6 steps
--   tenet explore models/mutex_broken.m --size PROCESS=2   unsafe, "mutual exclusion" is false after 6 steps
--   tenet explore models/mutex_broken.m --size PROCESS=1   safe, 5 states
--   every PROCESS >= 2: unsafe

const
  PROCESS_COUNT : 3;

type
  PROCESS : scalarset(PROCESS_COUNT);
  STEP    : enum { Idle, Trying, Entering, Critical, Leaving };

var
  free : boolean;
  step : array [PROCESS] of STEP;

startstate "everybody is idle"
  free := true;
  for p : PROCESS do
    step[p] := Idle;
  end;
end;

ruleset p : PROCESS do

  rule "try"
    step[p] = Idle
  ==>
    step[p] := Trying;
  end;

  rule "find the semaphore free"     -- BUG: should take it in the same step
    step[p] = Trying & free
  ==>
    step[p] := Entering;
  end;

  rule "take the semaphore"
    step[p] = Entering
  ==>
    free := false;
    step[p] := Critical;
  end;

  rule "leave"
    step[p] = Critical
  ==>
    step[p] := Leaving;
  end;

  rule "give the semaphore back"
    step[p] = Leaving
  ==>
    free := true;
    step[p] := Idle;
  end;

end;

invariant "mutual exclusion"
  forall p : PROCESS do forall q : PROCESS do
    step[p] = Critical & step[q] = Critical -> p = q
  end end;

invariant "semaphore"
  free = forall p : PROCESS do step[p] != Critical & step[p] != Leaving end;
