-- read: --size SLOT=2
-- Every kind of loop that has a reading: over an unbounded type, over a finite one, with steps, with the last one winning.
type
  NODE : scalarset(3);
  SLOT : scalarset(3);
  LONG : 0..1000;
  COLOUR : enum {red, green, blue};
var
  flag : array [NODE] of boolean;
  slot : array [SLOT] of NODE;
  paint : array [COLOUR] of boolean;
  number : array [LONG] of boolean;
  found : boolean;
  chosen, other : NODE;
  colour : COLOUR;

startstate "start"
  for i : NODE do flag[i] := false; end;
  for s : SLOT do slot[s] := chosen; end;
  for c : COLOUR do paint[c] := c = red; end;
  for n : LONG do number[n] := false; end;
  found := false;
  clear colour;
end;

rule "some flag"
  ==>
  found := false;
  for i : NODE do if flag[i] then found := true; end; end;
end;

rule "swap within an iteration"
  ==>
var old : boolean;
begin
  for i : NODE do old := flag[i]; flag[i] := i = chosen; found := old; end;
end;

rule "the last one wins"
  ==>
  for i : NODE do if flag[i] then chosen := i; end; end;
end;

rule "even numbers"
  ==>
  for n := 0 to 1000 by 2 do number[n] := true; end;
  for n := 3 to 5 do number[n] := !number[n]; end;
end;

rule "the last number wins"
  ==>
  for n : LONG do if number[n] then found := n > 500; end; end;
end;

rule "constant while"
  ==>
var count : 0..3;
begin
  count := 0;
  while count < 3 do
    switch count case 0: colour := green; case 1, 2: colour := blue; else error "never"; end;
    count := count + 1;
  end;
  assume colour != red;
end;

invariant "a slot" forall s : SLOT do flag[slot[s]] -> found end;
