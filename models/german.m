-- German's cache coherence protocol, with channels that hold one message each.
--
-- Any number of clients share one memory line. A client asks the home node for a shared or an exclusive copy; before the
-- home node grants a request that is in conflict with copies it gave away, it calls these back and waits for the answers.
--
-- The protocol was posed by Steven German as a challenge for the verification of parameterized systems (personal
-- communication, 2000). It became known through A. Pnueli, S. Ruah, L. Zuck, "Automatic Deductive Verification with
-- Invisible Invariants", TACAS 2001. This model has the control part only; german_data.m adds the data.
--
-- Properties: a client with an exclusive copy is the only one with a copy ("coherence"), and an exclusive copy in a cache
-- is known to the home node ("home knows").
--
-- What to expect:
--   tenet explore models/german.m                 safe, 4947 states (27513 with --no-symmetry)
--   tenet explore models/german.m --size NODE=2   safe, 735 states (1461 with --no-symmetry)
--   tenet explore models/german.m --size NODE=4   safe, 27554 states (544617 with --no-symmetry)
--   every NODE: safe

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
    & forall m : NODE do !sharers[m] end
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
