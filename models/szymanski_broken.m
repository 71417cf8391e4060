-- Szymanski's algorithm for mutual exclusion with a step left out: see szymanski.m for the correct one, its source and the
-- meaning of the flags.
--
-- The bug: a process that leaves the critical section goes outside at once. In the correct algorithm it first waits until
-- everybody who came in with it has passed the closed front door too (flag `Inside`). Without that, the front door may
-- look open again while somebody is still on the way in: a newcomer with a smaller number then overtakes it.
--
-- What to expect:
--   tenet explore models/szymanski_broken.m                           unsafe, "mutual exclusion" is false after 22 steps
--   tenet explore models/szymanski_broken.m --const PROCESS_COUNT=2   unsafe, "mutual exclusion" is false after 22 steps
--   tenet explore models/szymanski_broken.m --const PROCESS_COUNT=1   safe, 8 states
--   every PROCESS_COUNT >= 2: unsafe

const
  PROCESS_COUNT : 3;

type
  PROCESS : 1..PROCESS_COUNT;
  FLAG    : enum { Outside, Asking, Waiting, AtDoor, Inside };
  PLACE   : enum { Remainder, WaitForDoor, Enter, LookAround, StepBack, WaitForClosing, CloseDoor, WaitForTurn,
                   Critical, Leave };

var
  flag  : array [PROCESS] of FLAG;
  place : array [PROCESS] of PLACE;

startstate "everybody is outside"
  for p : PROCESS do
    flag[p] := Outside;
    place[p] := Remainder;
  end;
end;

ruleset p : PROCESS do

  rule "ask"
    place[p] = Remainder
  ==>
    flag[p] := Asking;
    place[p] := WaitForDoor;
  end;

  rule "find the front door open"
    place[p] = WaitForDoor
    & forall q : PROCESS do flag[q] = Outside | flag[q] = Asking | flag[q] = Waiting end
  ==>
    place[p] := Enter;
  end;

  rule "go into the doorway"
    place[p] = Enter
  ==>
    flag[p] := AtDoor;
    place[p] := LookAround;
  end;

  rule "see somebody who wants to come in"
    place[p] = LookAround & exists q : PROCESS do flag[q] = Asking end
  ==>
    place[p] := StepBack;
  end;

  rule "see nobody who wants to come in"
    place[p] = LookAround & forall q : PROCESS do flag[q] != Asking end
  ==>
    place[p] := CloseDoor;
  end;

  rule "wait inside"
    place[p] = StepBack
  ==>
    flag[p] := Waiting;
    place[p] := WaitForClosing;
  end;

  rule "find the front door closed"
    place[p] = WaitForClosing & exists q : PROCESS do flag[q] = Inside end
  ==>
    place[p] := CloseDoor;
  end;

  rule "close the front door"
    place[p] = CloseDoor
  ==>
    flag[p] := Inside;
    place[p] := WaitForTurn;
  end;

  rule "enter the critical section"
    place[p] = WaitForTurn
    & forall q : PROCESS do q < p -> flag[q] = Outside | flag[q] = Asking end
  ==>
    place[p] := Critical;
  end;

  rule "leave the critical section"     -- BUG: should first wait for the others behind the door
    place[p] = Critical
  ==>
    place[p] := Leave;
  end;

  rule "go outside"
    place[p] = Leave
  ==>
    flag[p] := Outside;
    place[p] := Remainder;
  end;

end;

invariant "mutual exclusion"
  forall p : PROCESS do forall q : PROCESS do
    p != q -> !(place[p] = Critical & place[q] = Critical)
  end end;
