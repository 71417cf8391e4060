-- What holds of two players only because there are no more of them.
type
  PLAYER : scalarset(2);

var
  played : array [PLAYER] of boolean;

startstate
  clear played;
end;

ruleset p : PLAYER do
  rule "play"
    !played[p]
  ==>
    played[p] := true;
  end;
end;

invariant "at most two"
  forall p : PLAYER; q : PLAYER; r : PLAYER do
    played[p] & played[q] & played[r] -> p = q | q = r | p = r
  end;
