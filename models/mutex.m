-- Mutual exclusion with a binary semaphore: the smallest model that is worth proving for every number of processes.
--
-- Processes try to enter a critical section that a semaphore protects. Taking the semaphore, which is to find it free and to
-- make it taken, is one step, as the operation P of E. W. Dijkstra, "Cooperating Sequential Processes", 1965.
--
-- Properties: no two processes are in the critical section ("mutual exclusion"), and the semaphore is free exactly if
-- nobody is past taking it ("semaphore").
--
-- What to expect:
--   tenet explore models/mutex.m                    safe, 10 states (32 with --no-symmetry)
--   tenet explore models/mutex.m --size PROCESS=8   safe, 25 states (2304 with --no-symmetry)
--   every PROCESS: safe

const
  PROCESS_COUNT : 3;

type
  PROCESS : scalarset(PROCESS_COUNT);
  STEP    : enum { Idle, Trying, Critical, Leaving };

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

  rule "take the semaphore"
    step[p] = Trying & free
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
