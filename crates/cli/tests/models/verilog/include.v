`include "missing.vh"
module top(input clk, input a);
    always @* assert (a);
endmodule
