-- Lamport's bakery algorithm for mutual exclusion, with a bound on the tickets.
--
-- A process that wants to enter draws a ticket with a higher number than all tickets it sees, and the lowest ticket goes
-- first. Two processes that draw at the same time may get the same number; then the one with the smaller name goes first.
-- Nothing here needs to happen at once: every step reads or writes one entry of one array.
--
-- From L. Lamport, "A New Solution of Dijkstra's Concurrent Programming Problem", CACM 17(8), 1974.
--
-- The bound: as long as the bakery is never empty, the tickets grow without end, so the reachable states are infinitely
-- many. Murphi has no unbounded numbers. Here a process that would have to draw a ticket above LAST_TICKET draws none and
-- comes back later. What is explored are exactly the runs of the real algorithm in which no ticket is above
-- LAST_TICKET (and attempts to draw that are given up): a bug found here is a bug of the real algorithm, while the absence
-- of bugs is shown for these runs only. bakery.tenet has no bound.
--
-- Properties: no two processes are in the critical section ("mutual exclusion"), and the one that is has the lowest ticket of
-- all that are past drawing ("lowest ticket").
--
-- What to expect (the number of processes is a constant, because SCAN depends on it too):
--   tenet explore models/bakery.m                           safe, 441 states
--   tenet explore models/bakery.m --const LAST_TICKET=6     safe, 1005 states
--   tenet explore models/bakery.m --const PROCESS_COUNT=3   safe, 16861 states
--   every PROCESS_COUNT and LAST_TICKET: safe

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

  rule "the other is not drawing"
    step[p] = WaitForDrawing & other[p] <= PROCESS_COUNT & !drawing[other[p]]
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
