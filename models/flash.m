-- The cache coherence protocol of the FLASH multiprocessor, any number of nodes; without the data.
--
-- Each memory line has a home node, which keeps a directory of the copies, and has a processor and a cache like the others. A
-- node asks the home node for a copy to read (Get) or to write (GetX):
--
--   If the line is dirty, another node owns it. The home node forwards the request to the owner, which answers the requester
--   directly (PutS, PutX) and reports to the home node (a sharing write-back, or the acknowledgement of a forwarded request).
--   Otherwise the home node answers. Before that, for PutX, it sends invalidations to all other nodes with a copy.
--   From forwarding until the report, and from invalidations until the last acknowledgement, the home node is pending.
--   Then, or if the owner has no copy any more, a request is refused (Nak) and may be repeated.
--
-- Nodes may drop shared copies and write exclusive ones back at any time, which the home node learns later. A read reply that was
-- overtaken by an invalidation must not be used: that is the `mark`. The new owner of a line does not wait for the
-- acknowledgements of the others, so that exclusive and shared copies can exist at once for a while.
--
-- From J. Kuskin et al., "The Stanford FLASH Multiprocessor", ISCA 1994; its verification began with S. Park, D. L. Dill,
-- "Verification of FLASH Cache Coherence Protocol by Aggregation of Distributed Transactions", SPAA 1996. As usual there is one
-- line, a node has at most one request under way, and the directory has a set of sharers instead of a list. flash_data.m adds
-- the data.
--
-- Properties: at most one node has an exclusive copy ("one exclusive"), and none has while a write-back is under way
-- ("no write-back").
--
-- What to expect (one of the nodes is the home node):
--   tenet explore models/flash.m                 safe, 8324 states (49542 with --no-symmetry)
--   tenet explore models/flash.m --size NODE=2   safe, 340 states (680 with --no-symmetry)
--   every NODE: safe

const
  NODE_COUNT : 3;

type
  NODE    : scalarset(NODE_COUNT);
  COPY    : enum { Invalid, Shared, Exclusive };
  COMMAND : enum { NoCommand, WaitsGet, WaitsGetX };
  MESSAGE : enum { NoMessage, Get, GetX, PutS, PutX, Nak };
  NOTICE  : enum { NoNotice, Inv, InvAck };
  REPORT  : enum { NoReport, SharingWriteback, ForwardAck };

var
  home    : NODE;                      -- never changed
  -- the nodes
  cache   : array [NODE] of COPY;
  command : array [NODE] of COMMAND;   -- what it waits for
  mark    : array [NODE] of boolean;   -- an invalidation came while it waited to read
  -- the messages: each node has at most one request, or the reply to it, under way
  message : array [NODE] of MESSAGE;
  target  : array [NODE] of NODE;      -- to whom a request goes
  notice  : array [NODE] of NOTICE;    -- an invalidation or its acknowledgement
  dropped : array [NODE] of boolean;   -- a shared copy was dropped
  writeback : boolean;                 -- an exclusive copy was given back
  report    : REPORT;                  -- what the owner says about a forwarded request
  reported  : NODE;                    -- whose request
  refused   : boolean;                 -- a forwarded request was refused
  -- the directory
  pending    : boolean;
  dirty      : boolean;                -- there is an owner
  local      : boolean;                -- the home node itself has a copy
  head_valid : boolean;
  head       : NODE;                   -- the owner, or one of the sharers
  sharer     : array [NODE] of boolean;
  waits_for  : array [NODE] of boolean;   -- whose acknowledgement is missing

procedure ask(p : NODE; what : COMMAND; request : MESSAGE; whom : NODE);
begin
  command[p] := what;
  message[p] := request;
  target[p] := whom;
end;

procedure answer(p : NODE; what : MESSAGE);
begin
  message[p] := what;
  undefine target[p];
end;

procedure finish(p : NODE);
begin
  message[p] := NoMessage;
  command[p] := NoCommand;
  mark[p] := false;
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

ruleset h : NODE do
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
    undefine target;
    writeback := false;
    report := NoReport;
    undefine reported;
    refused := false;
    pending := false;
    dirty := false;
    local := false;
    head_valid := false;
    undefine head;
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
    cache[p] := Invalid;
    writeback := true;
  end;

  rule "drop a shared copy"
    p != home & command[p] = NoCommand & cache[p] = Shared
  ==>
    cache[p] := Invalid;
    dropped[p] := true;
  end;

end;

-- What the processor of the home node may do.

rule "home reads"
  command[home] = NoCommand & cache[home] = Invalid & !pending & !dirty
==>
  local := true;
  cache[home] := Shared;
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
  cache[home] := Exclusive;
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
  cache[home] := Invalid;
  dirty := false;
  local := false;
end;

rule "home drops its shared copy"
  command[home] = NoCommand & cache[home] = Shared
==>
  cache[home] := Invalid;
  local := false;
end;

-- What the home node does with requests.

ruleset p : NODE do

  rule "home refuses to let read"
    is_asked(p, Get) & !dropped[p] & (pending | is_remote() & head = p)
  ==>
    answer(p, Nak);
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
      cache[home] := Shared;
    end;
    answer(p, PutS);
  end;

  rule "home refuses to let write"
    is_asked(p, GetX) & (pending | is_remote() & head = p)
  ==>
    answer(p, Nak);
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
    local := false;
    dirty := true;
    head_valid := true;
    head := p;
    cache[home] := Invalid;
    answer(p, PutX);
  end;

end;

-- What an owner does with forwarded requests. If it is the home node that asked, the answer is also the report.

ruleset p : NODE; owner : NODE do

  rule "owner refuses to let read"
    is_forwarded(p, owner, Get) & cache[owner] != Exclusive
  ==>
    refused := true;
    answer(p, Nak);
  end;

  rule "owner answers a read"
    is_forwarded(p, owner, Get) & cache[owner] = Exclusive
  ==>
    cache[owner] := Shared;
    if p != home then
      report := SharingWriteback;
      reported := p;
    end;
    answer(p, PutS);
  end;

  rule "owner refuses to let write"
    is_forwarded(p, owner, GetX) & cache[owner] != Exclusive
  ==>
    refused := true;
    answer(p, Nak);
  end;

  rule "owner answers a write"
    is_forwarded(p, owner, GetX) & cache[owner] = Exclusive
  ==>
    cache[owner] := Invalid;
    if p != home then
      report := ForwardAck;
      reported := p;
    end;
    answer(p, PutX);
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
      cache[p] := Shared;
    end;
    finish(p);
  end;

  rule "deliver PutX"
    p != home & message[p] = PutX
  ==>
    cache[p] := Exclusive;
    finish(p);
  end;

  rule "deliver an invalidation"
    notice[p] = Inv
  ==>
    notice[p] := InvAck;
    cache[p] := Invalid;
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
  cache[home] := Shared;
  finish(home);
end;

rule "deliver PutX to the home node"
  message[home] = PutX
==>
  pending := false;
  local := true;
  head_valid := false;
  undefine head;
  cache[home] := Exclusive;
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
