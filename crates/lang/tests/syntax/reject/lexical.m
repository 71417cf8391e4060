var x : 0..12ab;
rule "unclosed x = 1 ==>
begin x := 1 @@ + $ 2; end;
rule 'quoted' x = 1 ==> x := 1.5; end;
rule x ^ 1 = 0 ==> x := ~x; end;
/* the rest is lost
rule x = 2 ==> end;
