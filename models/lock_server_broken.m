-- A lock server with hasty clients: see lock_server.m for the correct protocol.
--
-- The bug: a client sends the lock back when it gets it, and not when it is done.
--
-- What to expect:
--   tenet explore models/lock_server_broken.m                   unsafe, "mutual exclusion" is false after 7 steps
--   tenet explore models/lock_server_broken.m --size CLIENT=2   unsafe, "mutual exclusion" is false after 7 steps
--   tenet explore models/lock_server_broken.m --size CLIENT=1   safe, 7 states
--   every CLIENT >= 2: unsafe

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
    send(Release, net[m].client);
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
