-- German's cache coherence protocol with a bug: see german.m for the correct one, the source and the properties.
--
-- The bug: the home node grants an exclusive copy as soon as it has *sent* all invalidations, and not when all of them have
-- been *acknowledged*. The rule "home grants an exclusive copy" looks at `pending`, the clients that must still be sent
-- an invalidation, where it should look at `sharers`, the clients that have not yet given their copies back. A client
-- whose invalidation is still on its way keeps using its copy.
--
-- What to expect:
--   tenet explore models/german_broken.m                                unsafe, "coherence" is false after 9 steps
--   tenet explore models/german_broken.m --size NODE=2                  unsafe, "coherence" is false after 9 steps
--   tenet explore models/german_broken.m --size NODE=1 --deadlock off   unsafe, "home knows" is false after 13 steps
--   every NODE >= 1: unsafe

const
  NODE_COUNT : 3;

type
  NODE      : scalarset(NODE_COUNT);
  COPY      : enum { Invalid, Shared, Exclusive };
  REQUEST   : enum { NoRequest, RequestShared, RequestExclusive };
  REPLY     : enum { NoReply, GrantShared, GrantExclusive, Invalidate };
  NODE_SET  : array [NODE] of boolean;

var
  -- the clients
  cache     : array [NODE] of COPY;
  -- the channels: requests to the home node, replies from it, acknowledgements to it
  request   : array [NODE] of REQUEST;
  reply     : array [NODE] of REPLY;
  ack       : NODE_SET;
  -- the home node
  current   : REQUEST;    -- the request in service
  client    : NODE;       -- who made it; undefined while there is none
  sharers   : NODE_SET;   -- who may have a copy
  pending   : NODE_SET;   -- who must still be sent an invalidation for the request in service
  exclusive : boolean;    -- whether the only sharer has an exclusive copy

startstate "nobody has a copy"
  for n : NODE do
    cache[n] := Invalid;
    request[n] := NoRequest;
    reply[n] := NoReply;
    ack[n] := false;
    sharers[n] := false;
    pending[n] := false;
  end;
  current := NoRequest;
  undefine client;
  exclusive := false;
end;

ruleset n : NODE do

  rule "ask for a shared copy"
    cache[n] = Invalid & request[n] = NoRequest
  ==>
    request[n] := RequestShared;
  end;

  rule "ask for an exclusive copy"
    cache[n] != Exclusive & request[n] = NoRequest
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
    pending[n] & reply[n] = NoReply
    & (current = RequestExclusive | current = RequestShared & exclusive)
  ==>
    reply[n] := Invalidate;
    pending[n] := false;
  end;

  rule "client gives its copy back"
    reply[n] = Invalidate & !ack[n]
  ==>
    reply[n] := NoReply;
    ack[n] := true;
    cache[n] := Invalid;
  end;

  rule "home takes an acknowledgement"
    ack[n] & current != NoRequest
  ==>
    ack[n] := false;
    sharers[n] := false;
    exclusive := false;
  end;

  rule "home grants a shared copy"
    current = RequestShared & client = n & reply[n] = NoReply & !exclusive
  ==>
    reply[n] := GrantShared;
    sharers[n] := true;
    current := NoRequest;
    undefine client;
  end;

  rule "home grants an exclusive copy"
    current = RequestExclusive & client = n & reply[n] = NoReply & !exclusive
    & forall m : NODE do !pending[m] end     -- BUG: `sharers` is meant
  ==>
    reply[n] := GrantExclusive;
    sharers[n] := true;
    exclusive := true;
    current := NoRequest;
    undefine client;
  end;

  rule "client receives a shared copy"
    reply[n] = GrantShared
  ==>
    reply[n] := NoReply;
    cache[n] := Shared;
  end;

  rule "client receives an exclusive copy"
    reply[n] = GrantExclusive
  ==>
    reply[n] := NoReply;
    cache[n] := Exclusive;
  end;

end;

invariant "coherence"
  forall a : NODE do forall b : NODE do
    a != b & cache[a] = Exclusive -> cache[b] = Invalid
  end end;

invariant "home knows"
  forall n : NODE do cache[n] = Exclusive -> exclusive & sharers[n] end;
