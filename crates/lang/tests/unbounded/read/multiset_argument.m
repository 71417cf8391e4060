-- A part of a multiset as an argument: by value, by reference, compared and copied.
type
  KIND : enum {Ask, Answer};
  MESSAGE : record kind : KIND; done : boolean; end;
var
  seen : boolean;
  last : MESSAGE;
  net : multiset [3] of MESSAGE;
procedure look(message : MESSAGE);
begin
  if message.kind = Ask & !message.done then seen := true; end;
end;
procedure change(var message : MESSAGE);
begin
  if !message.done then message.done := true; end;
end;
startstate seen := false; last.kind := Ask; last.done := false; undefine net; end;
choose place : net do
  rule "receive"
  begin
    look(net[place]);
    change(net[place]);
    if last = net[place] then last := net[place]; end;
    multisetremove(place, net);
  end;
end;
invariant "nothing" seen | !seen;
