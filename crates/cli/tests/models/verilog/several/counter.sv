module counter #(parameter W = 2)(input logic clk, input logic go, output logic [W-1:0] n);
    initial n = 0;
    always_ff @(posedge clk) if (go && n < `LIMIT) n <= n + 1;
    always @(posedge clk) assert (n <= `LIMIT);
    `include "checks.vh"
endmodule
