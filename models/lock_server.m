-- A lock server, any number of clients, messages in no order.
--
-- Clients ask a server for a lock by messages that may overtake each other: the network is a multiset. The server grants the lock to one
-- client at a time, and a client sends it back when it is done. How large the network is does not matter, as long as it has room.
--
-- Properties: no two clients hold the lock ("mutual exclusion"), and at most one grant is on its way ("one grant").
--
-- What to expect:
--   tenet explore models/lock_server.m                   safe, 16 states (56 with --no-symmetry)
--   tenet explore models/lock_server.m --size CLIENT=2   safe, 11 states (20 with --no-symmetry)
--   every CLIENT: safe

const
  CLIENT_COUNT : 3;

type
  CLIENT  : scalarset(CLIENT_COUNT);
  KIND    : enum { Request, Grant, Release };
  MESSAGE : record kind : KIND; client : CLIENT; end;

var
  net   : multiset [2 * CLIENT_COUNT] of MESSAGE;
  state : array [CLIENT] of enum { Idle, Waiting, Holding };
  busy  : boolean;                 -- whether the server has given the lock away

procedure send(k : KIND; c : CLIENT);
var
  message : MESSAGE;
begin
  message.kind := k;
  message.client := c;
  multisetadd(message, net);
end;

startstate
  for c : CLIENT do state[c] := Idle; end;
  busy := false;
  undefine net;
end;

ruleset c : CLIENT do
  rule "ask"
    state[c] = Idle
  ==>
    state[c] := Waiting;
    send(Request, c);
  end;

  rule "give back"
    state[c] = Holding
  ==>
    state[c] := Idle;
    send(Release, c);
  end;
end;

choose m : net do
  rule "grant"
    net[m].kind = Request & !busy
  ==>
    busy := true;
    send(Grant, net[m].client);
    multisetremove(m, net);
  end;

  rule "hold"
    net[m].kind = Grant
  ==>
    state[net[m].client] := Holding;
    multisetremove(m, net);
  end;

  rule "take back"
    net[m].kind = Release
  ==>
    busy := false;
    multisetremove(m, net);
  end;
end;

invariant "mutual exclusion"
  forall a : CLIENT; b : CLIENT do state[a] = Holding & state[b] = Holding -> a = b end;

invariant "one grant"
  multisetcount(m : net, net[m].kind = Grant) <= 1;
