var x : 0..3;
procedure p(); begin x := 1; end;
startstate begin x := p(); end;
rule p() ==> begin end;
