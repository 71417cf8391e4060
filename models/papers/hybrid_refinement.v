// Lazy refinement (Clarke, Grumberg, Talupur, Wang, "High level verification of control intensive systems using predicate
// abstraction", figure 2): a design that has the counterexample of the figure, which shows nothing but a table. There B1 and B2 are
// predicates and B3, B4 and B5 candidates; here they are the registers b1 to b5, of which the first two are in the property
// and the others decide branches.
//
// Property: b1 and b2 are never 1 together. The three states of the figure are no run, because b4 = 0 makes b3 = 1, which keeps b1
// at 0. Once that is known, there is a run that is one step longer, so the property is false.
// What to expect:
//   tenet prove models/papers/hybrid_refinement.v --engine hybrid --clusters off -v   unsafe after 3 steps; the table of the figure
//   tenet prove models/papers/hybrid_refinement.v                                     unsafe after 3 steps

module hybrid_refinement(input clock, input in1, input in2, input in4, input in5);
  reg b1 = 1, b2 = 0, b3 = 1, b4 = 0, b5 = 0;

  always @(posedge clock) begin
    if (b1) b1 <= 0;
    else if (b3) b1 <= 0;
    else b1 <= in1;
    b2 <= in2;
    if (b4) b3 <= 0;
    else b3 <= 1;
    if (b5) b4 <= in4;
    else b4 <= in5;
    b5 <= 1;
  end

  always @(posedge clock)
    apart: assert (!(b1 && b2));
endmodule
