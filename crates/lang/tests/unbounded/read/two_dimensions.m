-- Arrays in two dimensions, rows and columns copied at once, nested loops, equality of whole arrays.
type
  NODE : scalarset(2);
  COLOUR : enum {red, green};
  CELL : record seen : boolean; colour : COLOUR; end;
var
  grid : array [NODE] of array [NODE] of CELL;
  spare : array [NODE] of CELL;
  changed : boolean;

startstate "start"
  for i : NODE do
    for j : NODE do
      grid[i][j].seen := i = j;
      grid[i][j].colour := red;
    end;
    clear spare[i];
  end;
  changed := false;
end;

ruleset i : NODE; j : NODE do rule "toggle"
  ==>
  grid[i][j].seen := !grid[i][j].seen;
  changed := true;
end end;

ruleset i : NODE do rule "save row"
  grid[i] != spare
==>
  spare := grid[i];
end end;

ruleset i : NODE do rule "restore column"
  ==>
  for k : NODE do grid[k][i] := spare[k]; end;
  for k : NODE do if spare[k].seen then changed := false; end; end;
end end;

ruleset i : NODE do rule "paint"
  ==>
  for k : NODE do
    for l : NODE do
      if grid[k][l].seen & k != i then grid[k][l].colour := green; end;
    end;
  end;
end end;

invariant "unchanged diagonal" !changed -> forall i : NODE do grid[i][i].seen | spare[i].seen end;
