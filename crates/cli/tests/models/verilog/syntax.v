module top(input clk, input a);
    wire b = a &;
    always @* assert (b);
endmodule
