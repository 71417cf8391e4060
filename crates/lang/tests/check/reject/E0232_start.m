var x : 0..3;
rule x = 0 ==> begin x := 1; end;
invariant x < 3;
