var n : scalarset(3); a : array [scalarset(2)] of boolean;
startstate begin end;
