-- Precedence and grouping. The other file shows every operation in parentheses.
type T : 0..3;
var a, b, c, d : boolean; x, y, z : T; bag : multiset [4] of T; u : union { T, enum { none } };

invariant "not binds loosely" !a = b;
invariant "but tighter than and" !a & b | !c;
invariant "not on the right" a & !b = c | d;
invariant "not after an operator" a = !b = c;
invariant "double" !!a;
invariant "arithmetic" -x * y + z % 2 - x / 3 = 1 - 2 - 3;
invariant "signs" - - x + +y * -z = 0;
invariant "comparison" x + 1 < y & y <= z | x > y & x >= y -> x != y & x == y;
invariant "implication" a -> b -> c;
invariant "ternary" a ? b : c ? d : a;
invariant "ternary inside" a ? b ? c : d : a -> b;
invariant "ternary of implication" a -> b ? c : d;
invariant "double operators" a || b && c | d & a;
invariant "parentheses" ((a & b)) & (c & d);
invariant "long" a & b & c & d & a & b & c;
invariant "mixed" x + y - z + x - 1 = 0;
invariant "symbols" ¬a ∧ b ∨ x ≠ y ∧ x ≤ y ∧ x ≥ y → ∀ i : T do ∃ j : T do i = j end end;
invariant "quantifier" forall i : T do exists j := 0 to 3 by 2 do i = j endexists endforall & a;
invariant "several" forall i : T; j : 0..x + 1 do i = j; end | FALSE;
invariant "calls" f() = f(x,) & isundefined(bag[1].f) & ismember(u, T) & ismember(u, enum { none });
invariant "count" multisetcount(i : bag, bag[i] = 1) > 0x10;
invariant "places" r.f.g[x + 1][y].h[x, y, z] = (r).f;
