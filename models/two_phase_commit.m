-- Two-phase commit, any number of participants.
--
-- A transaction is spread over several participants, and either all of them or none may carry it out. A coordinator asks for
-- votes; a participant that votes yes is prepared and must wait for the decision, one that votes no aborts at once.
-- The coordinator commits if all votes are yes. It aborts if some vote is no or missing for too long; time is not
-- modelled, so it may lose patience whenever a vote is missing. Messages travel in channels that hold one each. When all are
-- done, the next transaction begins.
--
-- From J. N. Gray, "Notes on Data Base Operating Systems", in: Operating Systems, An Advanced Course, LNCS 60, 1978.
--
-- Properties: no participant commits while another aborts ("agreement"), and commits only if everybody voted yes and the
-- coordinator decided so ("no rash commit").
--
-- What to expect:
--   tenet explore models/two_phase_commit.m                        safe, 725 states (3527 with --no-symmetry)
--   tenet explore models/two_phase_commit.m --size PARTICIPANT=2   safe, 141 states (259 with --no-symmetry)
--   tenet explore models/two_phase_commit.m --size PARTICIPANT=4   safe, 3145 states (51331 with --no-symmetry)
--   every PARTICIPANT: safe

const
  PARTICIPANT_COUNT : 3;

type
  PARTICIPANT : scalarset(PARTICIPANT_COUNT);
  DECISION    : enum { Undecided, Commit, Abort };
  STATE       : enum { Working, Prepared, Committed, Aborted };
  VOTE        : enum { NoVote, Yes, No };

var
  -- the coordinator
  decision : DECISION;
  votes    : array [PARTICIPANT] of VOTE;       -- those it has received
  told     : array [PARTICIPANT] of boolean;    -- whom it has sent its decision
  -- the channels
  asked    : array [PARTICIPANT] of boolean;    -- the request for a vote
  vote     : array [PARTICIPANT] of VOTE;       -- the answer
  order    : array [PARTICIPANT] of DECISION;   -- the decision on its way
  -- the participants
  state    : array [PARTICIPANT] of STATE;

procedure begin_transaction();
begin
  decision := Undecided;
  for p : PARTICIPANT do
    votes[p] := NoVote;
    told[p] := false;
    asked[p] := true;
    vote[p] := NoVote;
    order[p] := Undecided;
    state[p] := Working;
  end;
end;

startstate "the coordinator has asked for votes"
  begin_transaction();
end;

ruleset p : PARTICIPANT do

  rule "vote yes"
    asked[p] & state[p] = Working
  ==>
    asked[p] := false;
    vote[p] := Yes;
    state[p] := Prepared;
  end;

  rule "vote no"
    asked[p] & state[p] = Working
  ==>
    asked[p] := false;
    vote[p] := No;
    state[p] := Aborted;
  end;

  rule "coordinator receives a vote"
    vote[p] != NoVote
  ==>
    votes[p] := vote[p];
    vote[p] := NoVote;
  end;

  rule "coordinator sends its decision"
    decision != Undecided & !told[p]
  ==>
    order[p] := decision;
    told[p] := true;
  end;

  rule "participant commits"
    order[p] = Commit
  ==>
    order[p] := Undecided;
    state[p] := Committed;
  end;

  rule "participant aborts"
    order[p] = Abort
  ==>
    order[p] := Undecided;
    asked[p] := false;
    state[p] := Aborted;
  end;

end;

rule "coordinator commits"
  decision = Undecided & forall p : PARTICIPANT do votes[p] = Yes end
==>
  decision := Commit;
end;

rule "coordinator aborts"
  decision = Undecided & exists p : PARTICIPANT do votes[p] != Yes end
==>
  decision := Abort;
end;

rule "next transaction"
  forall p : PARTICIPANT do
    told[p] & order[p] = Undecided & vote[p] = NoVote & (state[p] = Committed | state[p] = Aborted)
  end
==>
  begin_transaction();
end;

invariant "agreement"
  forall p : PARTICIPANT do forall q : PARTICIPANT do
    !(state[p] = Committed & state[q] = Aborted)
  end end;

invariant "no rash commit"
  forall p : PARTICIPANT do
    state[p] = Committed -> decision = Commit & forall q : PARTICIPANT do votes[q] = Yes end
  end;
