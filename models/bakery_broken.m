-- The bakery algorithm with a bound on the tickets and a bug: see bakery.m for the correct one, its source and the properties.
--
-- The bug: nobody waits for those who are drawing. A process that has seen no tickets may be slow to write its own, and another
-- one that draws the same ticket meanwhile finds nobody and enters; then the first one goes before it by its name.
--
-- What to expect (the number of processes is a constant, because SCAN depends on it too):
--   tenet explore models/bakery_broken.m --const PROCESS_COUNT=1   safe, 8 states
--   tenet explore models/bakery_broken.m --const PROCESS_COUNT=2   unsafe, "lowest ticket" is false after 15 steps
--   tenet explore models/bakery_broken.m --const PROCESS_COUNT=3   unsafe, "lowest ticket" is false after 19 steps
--   every PROCESS_COUNT >= 2 and LAST_TICKET >= 1: unsafe

const
  PROCESS_COUNT : 2;
  LAST_TICKET   : 3;

type
  PROCESS : 1..PROCESS_COUNT;
  SCAN    : 1..PROCESS_COUNT + 1;   -- a process, or the end of a walk over all of them
  TICKET  : 0..LAST_TICKET;         -- 0 is no ticket
  STEP    : enum { Idle, LookAtTickets, HasTicket, WaitForDrawing, WaitForTurn, Critical };

var
  -- shared; entry p is written by process p only
  drawing : array [PROCESS] of boolean;
  ticket  : array [PROCESS] of TICKET;
  -- local to each process
  step    : array [PROCESS] of STEP;
  other   : array [PROCESS] of SCAN;      -- whose entries it looks at next
  highest : array [PROCESS] of TICKET;    -- the highest ticket seen so far

-- Whether p with its ticket goes before q with its own.
function goes_first(p : PROCESS; q : PROCESS) : boolean;
begin
  return ticket[q] = 0 | ticket[p] < ticket[q] | ticket[p] = ticket[q] & p <= q;
end;

startstate "nobody is in the bakery"
  undefine other;
  undefine highest;
  for p : PROCESS do
    drawing[p] := false;
    ticket[p] := 0;
    step[p] := Idle;
  end;
end;

ruleset p : PROCESS do

  rule "begin to draw"
    step[p] = Idle
  ==>
    drawing[p] := true;
    highest[p] := 0;
    other[p] := 1;
    step[p] := LookAtTickets;
  end;

  rule "look at a ticket"
    step[p] = LookAtTickets & other[p] <= PROCESS_COUNT
  ==>
    if ticket[other[p]] > highest[p] then
      highest[p] := ticket[other[p]];
    end;
    other[p] := other[p] + 1;
  end;

  rule "draw"
    step[p] = LookAtTickets & other[p] > PROCESS_COUNT & highest[p] < LAST_TICKET
  ==>
    ticket[p] := highest[p] + 1;
    undefine highest[p];
    undefine other[p];
    step[p] := HasTicket;
  end;

  rule "come back later"
    step[p] = LookAtTickets & other[p] > PROCESS_COUNT & highest[p] = LAST_TICKET
  ==>
    undefine highest[p];
    undefine other[p];
    drawing[p] := false;
    step[p] := Idle;
  end;

  rule "end drawing"
    step[p] = HasTicket
  ==>
    drawing[p] := false;
    other[p] := 1;
    step[p] := WaitForDrawing;
  end;

  rule "do not wait for the other"     -- BUG: should wait until it is not drawing
    step[p] = WaitForDrawing & other[p] <= PROCESS_COUNT
  ==>
    step[p] := WaitForTurn;
  end;

  rule "the other goes later"
    step[p] = WaitForTurn & goes_first(p, other[p])
  ==>
    other[p] := other[p] + 1;
    step[p] := WaitForDrawing;
  end;

  rule "enter the critical section"
    step[p] = WaitForDrawing & other[p] > PROCESS_COUNT
  ==>
    undefine other[p];
    step[p] := Critical;
  end;

  rule "leave the critical section"
    step[p] = Critical
  ==>
    ticket[p] := 0;
    step[p] := Idle;
  end;

end;

invariant "mutual exclusion"
  forall p : PROCESS do forall q : PROCESS do
    p != q -> !(step[p] = Critical & step[q] = Critical)
  end end;

invariant "lowest ticket"
  forall p : PROCESS do forall q : PROCESS do
    step[p] = Critical & (step[q] = WaitForDrawing | step[q] = WaitForTurn) -> goes_first(p, q)
  end end;
