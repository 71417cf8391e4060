-- Misspelt keywords are read as what they are meant to be, so one mistake gives one message.
tpye T : enum { a, b };
var x : T;
    y : array [T] fo boolean;

statstate beign x := a; end;

ruel "one" x = a ==> begin
  if y[a] thn
    x := b;
  elseif y[b] then
    whlie x = b do x := a; edn;
  end;
endrul;

invarient "fine" x = a | x = b;
