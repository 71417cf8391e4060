-- Two lamps with a switch each; a third property makes the search go on after the first two are violated.
type
  LAMP : scalarset(2);
  COLOUR : enum { Off, Red, Green };

var
  lamp : array [LAMP] of record
    colour : COLOUR;
    broken : boolean;
  end;

startstate "all off"
  for i : LAMP do
    lamp[i].colour := Off;
    lamp[i].broken := false;
  end;
end;

ruleset i : LAMP do
  rule "change"
    lamp[i].colour != Green
  ==>
    lamp[i].colour := lamp[i].colour = Off ? Red : Green;
  end;

  rule "off"
    lamp[i].colour != Off
  ==>
    lamp[i].colour := Off;
  end;
end;

invariant "never green"
  forall i : LAMP do lamp[i].colour != Green end;

invariant "never both red"
  !forall i : LAMP do lamp[i].colour = Red end;

invariant "never broken"
  forall i : LAMP do !lamp[i].broken end;
