type S : scalarset(0); M : multiset [1 - 3] of boolean; 
startstate begin end;
