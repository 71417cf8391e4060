-- German's cache coherence protocol with data: see german.m for the protocol itself and its source.
--
-- Here every copy carries a value. The owner of an exclusive copy may store a new value; the value travels back to memory
-- with the acknowledgement. `latest` is not part of the protocol: it remembers what was stored last, so that the
-- properties can speak about it. Places that hold no value at the moment are undefined, and a rule that read one of them
-- would be reported: so the model also shows that no stale or missing data is ever used.
--
-- Properties: besides coherence, memory is up to date unless there is an exclusive copy ("memory"), and every valid copy
-- has the value stored last ("copies").
--
-- What to expect:
--   tenet explore models/german_data.m                               safe, 5235 states (58104 with --no-symmetry)
--   tenet explore models/german_data.m --size NODE=2                 safe, 852 states (3390 with --no-symmetry)
--   tenet explore models/german_data.m --size NODE=2 --size DATA=3   safe, 852 states (5787 with --no-symmetry)
--   every NODE and DATA: safe

const
  NODE_COUNT : 3;
  DATA_COUNT : 2;

type
  NODE      : scalarset(NODE_COUNT);
  DATA      : scalarset(DATA_COUNT);
  COPY      : enum { Invalid, Shared, Exclusive };
  REQUEST   : enum { NoRequest, RequestShared, RequestExclusive };
  REPLY     : enum { NoReply, GrantShared, GrantExclusive, Invalidate };
  ACK       : enum { NoAck, InvalidateAck };
  NODE_SET  : array [NODE] of boolean;
  -- `data` is defined in valid copies, in grants, and in the acknowledgement of an exclusive copy
  CACHE     : record state : COPY; data : DATA; end;
  REPLY_MESSAGE : record kind : REPLY; data : DATA; end;
  ACK_MESSAGE   : record kind : ACK; data : DATA; end;

var
  -- the clients
  cache     : array [NODE] of CACHE;
  -- the channels: requests to the home node, replies from it, acknowledgements to it
  request   : array [NODE] of REQUEST;
  reply     : array [NODE] of REPLY_MESSAGE;
  ack       : array [NODE] of ACK_MESSAGE;
  -- the home node
  memory    : DATA;
  current   : REQUEST;    -- the request in service
  client    : NODE;       -- who made it; undefined while there is none
  sharers   : NODE_SET;   -- who may have a copy
  pending   : NODE_SET;   -- who must still be sent an invalidation for the request in service
  exclusive : boolean;    -- whether the only sharer has an exclusive copy
  -- for the properties only
  latest    : DATA;

procedure send_grant(n : NODE; kind : REPLY);
begin
  reply[n].kind := kind;
  reply[n].data := memory;
  sharers[n] := true;
  current := NoRequest;
  undefine client;
end;

procedure receive_grant(n : NODE; state : COPY);
begin
  cache[n].state := state;
  cache[n].data := reply[n].data;
  reply[n].kind := NoReply;
  undefine reply[n].data;
end;

ruleset d : DATA do
  startstate "nobody has a copy"
    undefine cache;
    undefine reply;
    undefine ack;
    for n : NODE do
      cache[n].state := Invalid;
      request[n] := NoRequest;
      reply[n].kind := NoReply;
      ack[n].kind := NoAck;
      sharers[n] := false;
      pending[n] := false;
    end;
    memory := d;
    latest := d;
    current := NoRequest;
    undefine client;
    exclusive := false;
  end;
end;

ruleset n : NODE; d : DATA do
  rule "store"
    cache[n].state = Exclusive
  ==>
    cache[n].data := d;
    latest := d;
  end;
end;

ruleset n : NODE do

  rule "ask for a shared copy"
    cache[n].state = Invalid & request[n] = NoRequest
  ==>
    request[n] := RequestShared;
  end;

  rule "ask for an exclusive copy"
    cache[n].state != Exclusive & request[n] = NoRequest
  ==>
    request[n] := RequestExclusive;
  end;

  rule "home takes a request"
    current = NoRequest & request[n] != NoRequest
  ==>
    current := request[n];
    client := n;
    request[n] := NoRequest;
    pending := sharers;
  end;

  rule "home sends an invalidation"
    pending[n] & reply[n].kind = NoReply
    & (current = RequestExclusive | current = RequestShared & exclusive)
  ==>
    reply[n].kind := Invalidate;
    pending[n] := false;
  end;

  rule "client gives its copy back"
    reply[n].kind = Invalidate & ack[n].kind = NoAck
  ==>
    reply[n].kind := NoReply;
    ack[n].kind := InvalidateAck;
    if cache[n].state = Exclusive then
      ack[n].data := cache[n].data;
    end;
    cache[n].state := Invalid;
    undefine cache[n].data;
  end;

  rule "home takes an acknowledgement"
    ack[n].kind = InvalidateAck & current != NoRequest
  ==>
    if exclusive then
      memory := ack[n].data;
      exclusive := false;
    end;
    ack[n].kind := NoAck;
    undefine ack[n].data;
    sharers[n] := false;
  end;

  rule "home grants a shared copy"
    current = RequestShared & client = n & reply[n].kind = NoReply & !exclusive
  ==>
    send_grant(n, GrantShared);
  end;

  rule "home grants an exclusive copy"
    current = RequestExclusive & client = n & reply[n].kind = NoReply & !exclusive
    & forall m : NODE do !sharers[m] end
  ==>
    send_grant(n, GrantExclusive);
    exclusive := true;
  end;

  rule "client receives a shared copy"
    reply[n].kind = GrantShared
  ==>
    receive_grant(n, Shared);
  end;

  rule "client receives an exclusive copy"
    reply[n].kind = GrantExclusive
  ==>
    receive_grant(n, Exclusive);
  end;

end;

invariant "coherence"
  forall a : NODE do forall b : NODE do
    a != b & cache[a].state = Exclusive -> cache[b].state = Invalid
  end end;

invariant "memory"
  !exclusive -> memory = latest;

invariant "copies"
  forall n : NODE do cache[n].state != Invalid -> cache[n].data = latest end;
