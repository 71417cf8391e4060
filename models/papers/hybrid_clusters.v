// Clusters of predicates (Clarke, Grumberg, Talupur, Wang, "High level verification of control intensive systems using predicate
// abstraction", section 3.1): two predicates speak of x and y alone and are a cluster with as many predicates as bits, so the
// registers x and y are kept in their place. The two others speak of one more register each and stay predicates; what ties them to
// x and y is added as their definitions.
//
// The published example has x | y, x & y, x | y | z and x & y & w. Here they are comparisons of the bits together, which
// are predicates as they stand in an assertion.
//
// Property: of the four, each implies the next. It is true.
// What to expect:
//   tenet prove models/papers/hybrid_clusters.v --engine hybrid -v                  safe, x and y kept
//   tenet prove models/papers/hybrid_clusters.v --engine hybrid --clusters off -v   safe, four predicates

module hybrid_clusters(input clock, input in_y, input in_z, input in_w);
  reg x, y, z, w;

  always @(posedge clock) begin
    x <= !z;
    y <= in_y;
    z <= in_z;
    w <= in_w;
  end

  wire some_of_two   = {x, y} != 2'b00;
  wire both          = {x, y} == 2'b11;
  wire some_of_three = {x, y, z} != 3'b000;
  wire all_three     = {x, y, w} == 3'b111;

  always @(posedge clock)
    chain: assert ((!all_three || both) && (!both || some_of_two) && (!some_of_two || some_of_three));
endmodule
