-- The MESI protocol: caches that listen to a common bus, any number of them.
--
-- Each cache has a copy of one memory line, or none. What a processor needs from others goes over the bus, on which one
-- transaction happens at a time and is seen by all caches at once:
--
--   Modified    the only copy, newer than memory
--   Exclusive   the only copy, the same as memory
--   Shared      perhaps one of several copies, all the same as memory
--   Invalid     no copy
--
-- From M. S. Papamarcos, J. H. Patel, "A Low-Overhead Coherence Solution for Multiprocessors with Private Cache Memories", ISCA
-- 1984. The data are left out: the property is about who may have a copy beside whom.
--
-- Property: beside a modified or exclusive copy there is no other.
--
-- What to expect:
--   tenet explore models/mesi.m                  safe, 6 states (14 with --no-symmetry)
--   tenet explore models/mesi.m --size CACHE=2   safe, 5 states (8 with --no-symmetry)
--   tenet explore models/mesi.m --size CACHE=5   safe, 8 states (42 with --no-symmetry)
--   every CACHE: safe

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
      if copy[d] != Invalid then
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
