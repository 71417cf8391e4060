`include "limit.vh"

// A counter below a top module, from several files.
module top(input logic clk, input logic go);
    logic [types::WIDTH-1:0] n;
    counter #(.W(types::WIDTH)) u(.clk, .go, .n);
    always @(posedge clk) small: assert (n <= `LIMIT + `EXTRA);
endmodule
