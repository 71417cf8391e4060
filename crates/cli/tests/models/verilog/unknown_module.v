module top(input clk, input a);
    missing u(clk, a);
    always @* assert (a);
endmodule
