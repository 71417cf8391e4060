-- The MOESI protocol with a bug: see moesi.m for the correct one, its source and the properties.
--
-- The bug: a write to a shared copy invalidates the other shared copies, but not the owned one. Its owner believes that it has
-- the latest data, while the writer has.
--
-- What to expect:
--   tenet explore models/moesi_broken.m                  unsafe, "coherence" is false after 3 steps
--   tenet explore models/moesi_broken.m --size CACHE=2   unsafe, "coherence" is false after 3 steps
--   tenet explore models/moesi_broken.m --size CACHE=1   safe, 3 states
--   every CACHE >= 2: unsafe

const
  CACHE_COUNT : 3;

type
  CACHE : scalarset(CACHE_COUNT);
  COPY  : enum { Invalid, Shared, Exclusive, Owned, Modified };

var
  copy : array [CACHE] of COPY;

startstate "nobody has a copy"
  for c : CACHE do
    copy[c] := Invalid;
  end;
end;

ruleset c : CACHE do

  rule "read what nobody has"
    copy[c] = Invalid & forall d : CACHE do copy[d] = Invalid end
  ==>
    copy[c] := Exclusive;
  end;

  rule "read what somebody has"
    copy[c] = Invalid & exists d : CACHE do copy[d] != Invalid end
  ==>
    for d : CACHE do
      switch copy[d]
        case Exclusive: copy[d] := Shared;
        case Modified:  copy[d] := Owned;
      end;
    end;
    copy[c] := Shared;
  end;

  rule "write to an exclusive copy"
    copy[c] = Exclusive
  ==>
    copy[c] := Modified;
  end;

  rule "write to a copy that others may have, too, or to none"
    copy[c] = Shared | copy[c] = Owned | copy[c] = Invalid
  ==>
    for d : CACHE do
      if copy[d] != Owned then     -- BUG: the owned copy has to go, too
        copy[d] := Invalid;
      end;
    end;
    copy[c] := Modified;
  end;

  -- The copy stays, and is the same as memory then.
  rule "write back"
    copy[c] = Owned
  ==>
    copy[c] := Shared;
  end;

  -- A modified or owned copy goes to memory before that.
  rule "evict"
    copy[c] != Invalid
  ==>
    copy[c] := Invalid;
  end;

end;

invariant "coherence"
  forall a : CACHE do forall b : CACHE do
    a != b & (copy[a] = Modified | copy[a] = Exclusive) -> copy[b] = Invalid
  end end;

invariant "one owner"
  forall a : CACHE do forall b : CACHE do
    copy[a] = Owned & copy[b] = Owned -> a = b
  end end;
