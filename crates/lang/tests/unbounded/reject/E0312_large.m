type BIG : 0..255;
var flag : boolean;
startstate "start" flag := false; end;
rule "deep" true ==>
  for a : BIG do for b : BIG do for c : BIG do flag := !flag; end; end; end;
end;
