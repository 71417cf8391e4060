// Clusters of predicates (Clarke, Grumberg, Talupur, Wang, "High level verification of control intensive systems using predicate
// abstraction", section 3.1). Two predicates speak of x and y alone: they are a cluster, and enough of them for the registers x
// and y to be kept in their place. The two others speak of one more register each and stay predicates; what ties them to x and y
// is added as their definitions.
//
// The published predicates are x | y, x & y, x | y | z and x & y & w, over single bits. Here they are comparisons of words, which
// are predicates as they stand in an assertion.
//
// Property: of the four, each implies the next. It is true.
// What to expect:
//   tenet prove models/papers/hybrid_clusters.v --engine hybrid -v                  safe, x and y kept, 1 iteration
//   tenet prove models/papers/hybrid_clusters.v --engine hybrid --clusters off -v   safe, no register kept, 2 iterations

module hybrid_clusters(input clock, input [1:0] in_y, input [1:0] in_z, input [1:0] in_w);
  reg [1:0] x, y, z, w;

  always @(posedge clock) begin
    x <= ~z;
    y <= in_y;
    z <= in_z;
    w <= in_w;
  end

  wire less        = x < y;
  wire most        = x <= y;
  wire less_with_w = x < (y & w);
  wire most_with_z = x <= (y | z);

  always @(posedge clock)
    chain: assert ((!less_with_w || less) && (!less || most) && (!most || most_with_z));
endmodule
