-- The MESI protocol with a bug: see mesi.m for the correct one, its source and the property.
--
-- The bug: a cache that answers a read lets go of the right to write only if its copy is modified. An exclusive copy, which is
-- the same as memory, stays exclusive, and is written to later without a word on the bus.
--
-- What to expect:
--   tenet explore models/mesi_broken.m                  unsafe, "coherence" is false after 2 steps
--   tenet explore models/mesi_broken.m --size CACHE=2   unsafe, "coherence" is false after 2 steps
--   tenet explore models/mesi_broken.m --size CACHE=1   safe, 3 states
--   every CACHE >= 2: unsafe

const
  CACHE_COUNT : 3;

type
  CACHE : scalarset(CACHE_COUNT);
  COPY  : enum { Invalid, Shared, Exclusive, Modified };

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

  -- Whoever has a copy answers; a modified one also goes to memory.
  rule "read what somebody has"
    copy[c] = Invalid & exists d : CACHE do copy[d] != Invalid end
  ==>
    for d : CACHE do
      if copy[d] = Modified then     -- BUG: an exclusive copy has to become a shared one, too
        copy[d] := Shared;
      end;
    end;
    copy[c] := Shared;
  end;

  rule "write to an exclusive copy"
    copy[c] = Exclusive
  ==>
    copy[c] := Modified;
  end;

  rule "write to a shared copy, or to none"
    copy[c] = Shared | copy[c] = Invalid
  ==>
    for d : CACHE do
      copy[d] := Invalid;
    end;
    copy[c] := Modified;
  end;

  -- A modified copy goes to memory before that.
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
