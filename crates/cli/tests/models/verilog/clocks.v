module top(input clk, input fast, input a, output reg b, output reg c);
    always @(posedge clk) b <= a;
    always @(posedge fast) c <= b;
    always @* assert (b | ~c);
endmodule
