-- Two-phase commit with an impatient participant: see two_phase_commit.m for the correct protocol and its source.
--
-- The bug: a participant that waits too long for the coordinator aborts, even if it has voted yes. One that has not voted may
-- do that, for the coordinator cannot commit without its vote; but one that is prepared has promised to wait.
--
-- What to expect:
--   tenet explore models/two_phase_commit_broken.m                        unsafe, "agreement" is false after 10 steps
--   tenet explore models/two_phase_commit_broken.m --size PARTICIPANT=2   unsafe, "agreement" is false after 8 steps
--   tenet explore models/two_phase_commit_broken.m --size PARTICIPANT=1   safe, 34 states
--   every PARTICIPANT >= 2: unsafe

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

  rule "participant loses patience"     -- BUG: only one that is not prepared may do this
    state[p] = Working | state[p] = Prepared
  ==>
    asked[p] := false;
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
