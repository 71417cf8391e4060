module top(input clk, input a, output b);
    wire c = b ^ a;
    assign b = ~c;
    always @* assert (b);
endmodule
