// A queue in a memory with a number of words that is no power of two, and a table with a first content.
module queue #(parameter WIDTH = 4) (input clk, input rst, input push, input pop, input [WIDTH-1:0] in, output [WIDTH-1:0] out);
    reg [WIDTH-1:0] words [0:4];
    reg [1:0] table_of [1:3];
    reg [2:0] first, last, length;
    reg [WIDTH-1:0] spare;
    initial begin
        table_of[1] = 1;
        table_of[3] = 2;
    end
    assign out = words[first];

    always @(posedge clk) begin
        if (push && length < 5) begin
            words[last] <= in;
            last <= last == 4 ? 0 : last + 1;
        end
        if (pop && length != 0) first <= first == 4 ? 0 : first + 1;
        case ({push && length < 5, pop && length != 0})
            2'b10: length <= length + 1;
            2'b01: length <= length - 1;
            default: spare <= table_of[in[1:0]];
        endcase
        if (rst) begin
            first <= 0;
            last <= 0;
            length <= 0;
        end
    end

    always @* if (!rst) fits: assert (length <= 5);
    always @(posedge clk) known: assert (first < 5 || rst);
endmodule
