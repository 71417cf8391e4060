-- The MOESI protocol: caches that listen to a common bus, any number of them, and pass modified data on to each other.
--
-- MESI (see mesi.m) with a fifth state: a cache with modified data that is asked for them answers without writing them to
-- memory. Its copy is then Owned: others may have shared copies, memory is out of date, and the owner has to write the data
-- back in the end.
--
-- From P. Sweazey, A. J. Smith, "A Class of Compatible Cache Consistency Protocols and their Support by the IEEE Futurebus",
-- ISCA 1986. The data are left out.
--
-- Properties: beside a modified or exclusive copy there is no other ("coherence"), and at most one copy is owned ("one owner").
--
-- What to expect:
--   tenet explore models/moesi.m                  safe, 9 states (26 with --no-symmetry)
--   tenet explore models/moesi.m --size CACHE=2   safe, 7 states (12 with --no-symmetry)
--   tenet explore models/moesi.m --size CACHE=5   safe, 13 states (122 with --no-symmetry)
--   every CACHE: safe

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
      copy[d] := Invalid;
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
