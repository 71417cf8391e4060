-- Szymanski's algorithm for mutual exclusion.
--
-- The processes pass through a waiting room. While its front door is open, everybody who wants may come in. The last one
-- in closes the front door and opens the back door; then those inside enter the critical section one by one, smaller
-- numbers first, and the last one out opens the front door again. Each process has a flag that only it writes:
--
--   Outside   not interested
--   Asking    in front of the waiting room
--   Waiting   inside, waiting for somebody to close the front door
--   AtDoor    in the doorway: coming in, or about to close the door
--   Inside    behind the closed front door, on the way to the critical section, in it, or leaving it
--
-- From B. K. Szymanski, "A simple solution to Lamport's concurrent programming problem with linear wait", ICS 1988. As in most
-- models of it, a process looks at the flags of all others in one step; writing its own flag is another step. The numbers of
-- the processes are compared with each other, so they are a range and not a scalarset.
--
-- Property: no two processes are in the critical section.
--
-- What to expect:
--   tenet explore models/szymanski.m                           safe, 637 states
--   tenet explore models/szymanski.m --const PROCESS_COUNT=2   safe, 79 states
--   tenet explore models/szymanski.m --const PROCESS_COUNT=4   safe, 5007 states
--   every PROCESS_COUNT: safe

const
  PROCESS_COUNT : 3;

type
  PROCESS : 1..PROCESS_COUNT;
  FLAG    : enum { Outside, Asking, Waiting, AtDoor, Inside };
  PLACE   : enum { Remainder, WaitForDoor, Enter, LookAround, StepBack, WaitForClosing, CloseDoor, WaitForTurn,
                   Critical, WaitForOthers, Leave };

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

  rule "leave the critical section"
    place[p] = Critical
  ==>
    place[p] := WaitForOthers;
  end;

  rule "see that nobody is left in the doorway"
    place[p] = WaitForOthers
    & forall q : PROCESS do q > p -> flag[q] = Outside | flag[q] = Asking | flag[q] = Inside end
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
