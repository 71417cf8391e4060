-- Guards of a gate. Once the gate is open somebody is always on watch, because a guard leaves only when another is there.
-- That is a lemma of the form `there is a guard who …`: see docs/proving.md.

const
  GUARD_COUNT : 3;

type
  GUARD : scalarset(GUARD_COUNT);

var
  on_watch : array [GUARD] of boolean;
  open     : boolean;
  robbed   : boolean;

startstate "nobody is there"
  for g : GUARD do on_watch[g] := false; end;
  open := false;
  robbed := false;
end;

ruleset g : GUARD do
  rule "begin" !on_watch[g] ==> on_watch[g] := true; end;

  rule "open the gate" on_watch[g] ==> open := true; end;

  ruleset h : GUARD do
    rule "hand over" g != h & on_watch[g] & on_watch[h] ==> on_watch[g] := false; end;
  end;
end;

rule "rob" open & forall g : GUARD do !on_watch[g] end ==> robbed := true; end;

invariant "nothing is missing" !robbed;
