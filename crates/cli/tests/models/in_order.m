-- Messages into one queue from a loop: the order of the iterations matters, so there is no reading for every size.
const
  N : 2;

type
  NODE : scalarset(N);

var
  queue : array [0..8] of NODE;
  count : 0..9;
  asked : array [NODE] of boolean;

startstate
  undefine queue;
  count := 0;
  clear asked;
end;

rule "ask all"
  count = 0
==>
  for n : NODE do
    queue[count] := n;
    count := count + 1;
  end;
end;

rule "serve"
  count > 0
==>
  asked[queue[count - 1]] := true;
  undefine queue[count - 1];
  count := count - 1;
end;

invariant "room" count < 9;
