var x : 0..3;
ruleset i : 0..3 do
  rule "one" x = i ==> begin
    if x = 1 then
      x := (2 +
