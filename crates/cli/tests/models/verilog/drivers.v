module top(input clk, input a, output b);
    assign b = a;
    assign b = ~a;
    always @* assert (b);
endmodule
