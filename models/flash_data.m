-- The cache coherence protocol of the FLASH multiprocessor with data: see flash.m for the protocol itself and its source.
--
-- Here every copy carries a value. The owner of an exclusive copy may store a new value; it travels with the messages that pass
-- the copy on, and back to memory. `latest` is not part of the protocol: it remembers what was stored last, so that the
-- properties can speak about it. Places that hold no value at the moment are undefined, and a rule that read one of them
-- would be reported: so the model also shows that no missing data is ever used.
--
-- Properties: besides those of flash.m, memory is up to date unless the line is dirty ("memory"), an exclusive copy has the value
-- stored last ("exclusive copies"), and so has a shared copy until the invalidation for it is sent ("shared copies").
--
-- What to expect (one of the nodes is the home node):
--   tenet explore models/flash_data.m                               safe, 13262 states (158064 with --no-symmetry)
--   tenet explore models/flash_data.m --size NODE=2                 safe, 512 states (2048 with --no-symmetry)
--   tenet explore models/flash_data.m --size NODE=3 --size DATA=3   safe, 13435 states (331722 with --no-symmetry)
--   every NODE and DATA: safe

const
  NODE_COUNT : 3;
  DATA_COUNT : 2;

type
  NODE    : scalarset(NODE_COUNT);
  DATA    : scalarset(DATA_COUNT);
  COPY    : enum { Invalid, Shared, Exclusive };
  COMMAND : enum { NoCommand, WaitsGet, WaitsGetX };
  MESSAGE : enum { NoMessage, Get, GetX, PutS, PutX, Nak };
  NOTICE  : enum { NoNotice, Inv, InvAck };
  REPORT  : enum { NoReport, SharingWriteback, ForwardAck };

var
  home    : NODE;                      -- never changed
  -- the nodes
  cache   : array [NODE] of COPY;
  data    : array [NODE] of DATA;      -- of a valid copy
  command : array [NODE] of COMMAND;   -- what it waits for
  mark    : array [NODE] of boolean;   -- an invalidation came while it waited to read
  -- the messages: each node has at most one request, or the reply to it, under way
  message : array [NODE] of MESSAGE;
  target  : array [NODE] of NODE;      -- to whom a request goes
  sent    : array [NODE] of DATA;      -- the data in a reply
  notice  : array [NODE] of NOTICE;    -- an invalidation or its acknowledgement
  dropped : array [NODE] of boolean;   -- a shared copy was dropped
  writeback : boolean;                 -- an exclusive copy was given back
  written   : DATA;                    -- with these data
  report    : REPORT;                  -- what the owner says about a forwarded request
  reported  : NODE;                    -- whose request
  shared    : DATA;                    -- the data in a sharing write-back
  refused   : boolean;                 -- a forwarded request was refused
  -- the directory
  pending    : boolean;
  dirty      : boolean;                -- there is an owner
  local      : boolean;                -- the home node itself has a copy
  head_valid : boolean;
  head       : NODE;                   -- the owner, or one of the sharers
  sharer     : array [NODE] of boolean;
  waits_for  : array [NODE] of boolean;   -- whose acknowledgement is missing
  memory     : DATA;
  -- for the properties only
  latest     : DATA;

procedure ask(p : NODE; what : COMMAND; request : MESSAGE; whom : NODE);
begin
  command[p] := what;
  message[p] := request;
  target[p] := whom;
end;

procedure refuse(p : NODE);
begin
  message[p] := Nak;
  undefine target[p];
end;

procedure answer(p : NODE; what : MESSAGE; value : DATA);
begin
  message[p] := what;
  undefine target[p];
  sent[p] := value;
end;

procedure finish(p : NODE);
begin
  message[p] := NoMessage;
  undefine sent[p];
  command[p] := NoCommand;
  mark[p] := false;
end;

procedure fill(p : NODE; state : COPY; value : DATA);
begin
  cache[p] := state;
  data[p] := value;
end;

procedure drop(p : NODE);
begin
  cache[p] := Invalid;
  undefine data[p];
end;

-- Whether a request of another node has arrived at the home node.
function is_asked(p : NODE; what : MESSAGE) : boolean;
begin
  return p != home & message[p] = what & target[p] = home;
end;

-- Whether a request has arrived at an owner, to which the home node has forwarded it.
function is_forwarded(p : NODE; owner : NODE; what : MESSAGE) : boolean;
begin
  return owner != home & message[p] = what & target[p] = owner;
end;

-- Whether the line is dirty in another node than the home node.
function is_remote() : boolean;
begin
  return dirty & !local;
end;

-- Whether q may have a copy that has to go before p can write.
function is_victim(q : NODE; p : NODE) : boolean;
begin
  return q != p & q != home & (sharer[q] | head_valid & head = q);
end;

-- Sends invalidations to all nodes but p and the home node.
procedure invalidate(p : NODE);
begin
  pending := exists q : NODE do is_victim(q, p) end;
  for q : NODE do
    waits_for[q] := is_victim(q, p);
    if is_victim(q, p) then
      notice[q] := Inv;
    end;
  end;
  for q : NODE do
    sharer[q] := false;
  end;
end;

ruleset h : NODE; d : DATA do
  startstate "nobody has a copy"
    home := h;
    for p : NODE do
      cache[p] := Invalid;
      command[p] := NoCommand;
      mark[p] := false;
      message[p] := NoMessage;
      notice[p] := NoNotice;
      dropped[p] := false;
      sharer[p] := false;
      waits_for[p] := false;
    end;
    undefine data;
    undefine target;
    undefine sent;
    writeback := false;
    undefine written;
    report := NoReport;
    undefine reported;
    undefine shared;
    refused := false;
    pending := false;
    dirty := false;
    local := false;
    head_valid := false;
    undefine head;
    memory := d;
    latest := d;
  end;
end;

-- What every processor may do.

ruleset p : NODE; d : DATA do
  rule "store"
    cache[p] = Exclusive
  ==>
    data[p] := d;
    latest := d;
  end;
end;

-- What the processors of other nodes may do.

ruleset p : NODE do

  rule "ask to read"
    p != home & command[p] = NoCommand & cache[p] = Invalid
  ==>
    ask(p, WaitsGet, Get, home);
  end;

  rule "ask to write"
    p != home & command[p] = NoCommand & cache[p] = Invalid
  ==>
    ask(p, WaitsGetX, GetX, home);
  end;

  rule "write back"
    p != home & command[p] = NoCommand & cache[p] = Exclusive
  ==>
    writeback := true;
    written := data[p];
    drop(p);
  end;

  rule "drop a shared copy"
    p != home & command[p] = NoCommand & cache[p] = Shared
  ==>
    drop(p);
    dropped[p] := true;
  end;

end;

-- What the processor of the home node may do.

rule "home reads"
  command[home] = NoCommand & cache[home] = Invalid & !pending & !dirty
==>
  local := true;
  fill(home, Shared, memory);
end;

rule "home asks the owner to read"
  command[home] = NoCommand & cache[home] = Invalid & !pending & dirty
==>
  pending := true;
  ask(home, WaitsGet, Get, head);
end;

rule "home writes"
  command[home] = NoCommand & cache[home] != Exclusive & !pending & !dirty
==>
  invalidate(home);
  local := true;
  dirty := true;
  head_valid := false;
  undefine head;
  fill(home, Exclusive, memory);
end;

rule "home asks the owner to write"
  command[home] = NoCommand & cache[home] = Invalid & !pending & dirty
==>
  pending := true;
  ask(home, WaitsGetX, GetX, head);
end;

rule "home writes back"
  command[home] = NoCommand & cache[home] = Exclusive
==>
  memory := data[home];
  drop(home);
  dirty := false;
  local := false;
end;

rule "home drops its shared copy"
  command[home] = NoCommand & cache[home] = Shared
==>
  drop(home);
  local := false;
end;

-- What the home node does with requests.

ruleset p : NODE do

  rule "home refuses to let read"
    is_asked(p, Get) & !dropped[p] & (pending | is_remote() & head = p)
  ==>
    refuse(p);
  end;

  rule "home forwards a read"
    is_asked(p, Get) & !dropped[p] & !pending & is_remote() & head != p
  ==>
    pending := true;
    target[p] := head;
  end;

  rule "home answers a read"
    is_asked(p, Get) & !dropped[p] & !pending & !is_remote()
  ==>
    if head_valid then
      sharer[p] := true;
    else
      head_valid := true;
      head := p;
    end;
    if dirty then
      dirty := false;
      memory := data[home];
      cache[home] := Shared;
    end;
    answer(p, PutS, memory);
  end;

  rule "home refuses to let write"
    is_asked(p, GetX) & (pending | is_remote() & head = p)
  ==>
    refuse(p);
  end;

  rule "home forwards a write"
    is_asked(p, GetX) & !pending & is_remote() & head != p
  ==>
    pending := true;
    target[p] := head;
  end;

  rule "home answers a write"
    is_asked(p, GetX) & !pending & !is_remote()
  ==>
    invalidate(p);
    answer(p, PutX, dirty ? data[home] : memory);
    drop(home);
    local := false;
    dirty := true;
    head_valid := true;
    head := p;
  end;

end;

-- What an owner does with forwarded requests. If it is the home node that asked, the answer is also the report.

ruleset p : NODE; owner : NODE do

  rule "owner refuses to let read"
    is_forwarded(p, owner, Get) & cache[owner] != Exclusive
  ==>
    refused := true;
    refuse(p);
  end;

  rule "owner answers a read"
    is_forwarded(p, owner, Get) & cache[owner] = Exclusive
  ==>
    cache[owner] := Shared;
    if p != home then
      report := SharingWriteback;
      reported := p;
      shared := data[owner];
    end;
    answer(p, PutS, data[owner]);
  end;

  rule "owner refuses to let write"
    is_forwarded(p, owner, GetX) & cache[owner] != Exclusive
  ==>
    refused := true;
    refuse(p);
  end;

  rule "owner answers a write"
    is_forwarded(p, owner, GetX) & cache[owner] = Exclusive
  ==>
    answer(p, PutX, data[owner]);
    drop(owner);
    if p != home then
      report := ForwardAck;
      reported := p;
    end;
  end;

end;

-- What the nodes do with messages.

ruleset p : NODE do

  rule "deliver Nak"
    message[p] = Nak
  ==>
    finish(p);
  end;

  rule "deliver PutS"
    p != home & message[p] = PutS
  ==>
    if !mark[p] then
      fill(p, Shared, sent[p]);
    end;
    finish(p);
  end;

  rule "deliver PutX"
    p != home & message[p] = PutX
  ==>
    fill(p, Exclusive, sent[p]);
    finish(p);
  end;

  rule "deliver an invalidation"
    notice[p] = Inv
  ==>
    notice[p] := InvAck;
    drop(p);
    if command[p] = WaitsGet then
      mark[p] := true;
    end;
  end;

end;

-- What the home node does with other messages.

rule "deliver PutS to the home node"
  message[home] = PutS
==>
  pending := false;
  dirty := false;
  local := true;
  memory := sent[home];
  fill(home, Shared, memory);
  finish(home);
end;

rule "deliver PutX to the home node"
  message[home] = PutX
==>
  pending := false;
  local := true;
  head_valid := false;
  undefine head;
  fill(home, Exclusive, sent[home]);
  finish(home);
end;

ruleset p : NODE do

  rule "deliver an acknowledgement"
    notice[p] = InvAck & waits_for[p]
  ==>
    notice[p] := NoNotice;
    waits_for[p] := false;
    pending := exists q : NODE do q != p & waits_for[q] end;
  end;

  rule "deliver a notice of a dropped copy"
    dropped[p]
  ==>
    dropped[p] := false;
    sharer[p] := false;
  end;

end;

rule "deliver a refusal"
  refused
==>
  refused := false;
  pending := false;
end;

rule "deliver a write-back"
  writeback
==>
  writeback := false;
  memory := written;
  undefine written;
  dirty := false;
  head_valid := false;
  undefine head;
end;

rule "deliver a sharing write-back"
  report = SharingWriteback
==>
  report := NoReport;
  sharer[reported] := true;
  undefine reported;
  memory := shared;
  undefine shared;
  pending := false;
  dirty := false;
end;

rule "deliver a forward acknowledgement"
  report = ForwardAck
==>
  report := NoReport;
  if dirty then
    head := reported;
  end;
  undefine reported;
  pending := false;
end;

invariant "one exclusive"
  forall p : NODE do forall q : NODE do
    cache[p] = Exclusive & cache[q] = Exclusive -> p = q
  end end;

invariant "no write-back"
  forall p : NODE do cache[p] = Exclusive -> !writeback end;

invariant "memory"
  !dirty -> memory = latest;

invariant "exclusive copies"
  forall p : NODE do cache[p] = Exclusive -> data[p] = latest end;

invariant "shared copies"
  forall p : NODE do cache[p] = Shared & notice[p] != Inv -> data[p] = latest end;
