var count : 0..3; flag : boolean;
startstate begin count := 0; flag := true; end;
rule Count < 3 & flg ==> begin count := count + step; reset(); end;
rule flag ==> begin for i : 0..3 do count := i; end; count := i; end;
