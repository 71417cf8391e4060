/* Declarations of every form.
   /* Comments do not nest. */
CONST
  N : 3; M, K : 2 * N - 1
  Big : 0xFFFFFFFFFFFFFFFFFF;
  Flag : True;
Type
  Node : ScalarSet(N);
  Small : 0..N-1; Shifted : -N .. (N + 1);
  State : Enum { Idle, Busy, Done, };
  Value : union { Node, enum { None }, };
  Plain : BOOLEAN;
  Table : array [Node] of array [State] of Small;
  Square : array [Node, Node] of boolean;
  Bag : MultiSet [N] of State;
  Message : record
    kind : State; from, to_ : Node
    body : record a : Small; end;
  endrecord;
  A, B : Small;
Var
  x, y : Small
  table : Table;;
  cover, union, choose : boolean;   -- reserved by some checkers only

function larger(a, b : Small; var c : Small) : Small;
  const One : 1;
  var d : Small;
begin
  d := a > b ? a : b;
  c := One;
  return d
end;

procedure nothing(); begin end

procedure direct(var m : Message;)
  m.kind := Idle; return;
endprocedure;

function mixed() : boolean begin return cover & !union; endprocedure

var late : Small;
startstate cover := true; union := choose end
