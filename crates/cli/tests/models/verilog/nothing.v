module top(input clk, input a, output reg b);
    always @(posedge clk) b <= a;
endmodule
