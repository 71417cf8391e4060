-- A directory protocol with one request at a time: records, loops as lambdas, quantified guards.
const NODES : 3;
type
  NODE : scalarset(NODES);
  STATE : enum {Invalid, Shared, Exclusive};
  COMMAND : enum {None, WantShared, WantExclusive};
  LINE : record state : STATE; sent : COMMAND; end;
var
  line : array [NODE] of LINE;
  sharers, pending : array [NODE] of boolean;
  current : record command : COMMAND; client : NODE; end;
  granted : boolean;

ruleset first : NODE do startstate "start"
  for i : NODE do
    line[i].state := Invalid;
    line[i].sent := None;
    sharers[i] := false;
    pending[i] := false;
  end;
  current.command := None;
  current.client := first;
  granted := false;
end end;

ruleset i : NODE; want : COMMAND do rule "ask"
  want != None & line[i].sent = None & line[i].state != Exclusive
==>
  line[i].sent := want;
end end;

ruleset i : NODE do rule "accept"
  current.command = None & line[i].sent != None
==>
  current.command := line[i].sent;
  current.client := i;
  line[i].sent := None;
  for j : NODE do pending[j] := sharers[j]; end;
end end;

ruleset i : NODE do rule "invalidate"
  pending[i] & (current.command = WantExclusive | current.command = WantShared & granted)
==>
  pending[i] := false;
  sharers[i] := false;
  line[i].state := Invalid;
  granted := false;
end end;

rule "grant"
  current.command = WantShared & !granted
  | current.command = WantExclusive & forall j : NODE do !sharers[j] end
==>
  sharers[current.client] := true;
  if current.command = WantExclusive then
    granted := true;
    line[current.client].state := Exclusive;
  else
    line[current.client].state := Shared;
  end;
  current.command := None;
  assert exists j : NODE do sharers[j] end "somebody shares";
end;

ruleset i : NODE; j : NODE do
  invariant "coherence" i != j & line[i].state = Exclusive -> line[j].state = Invalid;
end;
