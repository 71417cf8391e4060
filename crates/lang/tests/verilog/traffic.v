// Two lights and the controller that switches them: `if`, `case` with and without a default, `casez`, a function, a
// generate loop, temporaries, an asynchronous reset, conditions that are wider than one bit.
`define LONGEST 4'd9
module light #(parameter FIRST = 2'd0) (input clk, input rst, input go, input [3:0] delay, output [1:0] colour);
    localparam RED = 2'd0, YELLOW = 2'd1, GREEN = 2'd2;
    reg [1:0] state;
    reg [3:0] count;
    assign colour = state;

    always @(posedge clk or posedge rst)
        if (rst) begin
            state <= FIRST;
            count <= 0;
        end else begin
            case (state)
                RED: if (go) state <= GREEN;
                GREEN: begin
                    if (count == `LONGEST) begin // long enough
                        state <= YELLOW;
                        count <= 0;
                    end else
                        count <= count + 1;
                end
                YELLOW:
                    if (count >= delay || count >= `LONGEST) state <= RED;
                    else count <= count + 1;
                default: state <= RED;
            endcase
        end

    in_range: assert property (count <= `LONGEST);
endmodule

module traffic (input clk, input rst, input [1:0] wish, input [3:0] delay, input [2:0] mode, output [1:0] a, output [1:0] b);
    reg turn = 0;
    reg [3:0] seen = 0;
    reg [1:0] busy;
    reg [1:0] level;
    reg pred2;
    integer i;

    function [1:0] strongest(input [1:0] x);
        if (x[1]) strongest = 2'd2;
        else strongest = x;
    endfunction

    light one (clk, rst, wish[0] & ~turn & b == 0, delay, a);
    light two (.clk(clk), .rst(rst), .go(wish[1] & turn & a == 0), .delay(delay), .colour(b));

    always @* begin
        busy = 0;
        if (a != 0) busy = busy + 1;
        if (busy) level = strongest(busy);
        else level = wish + 2'd3 ? 2'd1 : 2'd0;
    end

    always @(posedge clk) begin
        if (a == 0 && b == 0) turn <= ~turn;
        if (wish + 2'd1)
            seen <= seen ^ {mode, 1'b0};
        casez (mode)
            3'b1??: pred2 <= 1;
            3'b01?, 3'b000: pred2 <= level[0];
        endcase
        case (mode)
            3'd1, 3'd2: seen[0] <= 1;
            3'd5: seen[0] <= turn;
        endcase
        for (i = 0; i < 2; i = i + 1)
            if (wish[i]) seen[3] <= ^delay;
    end

    genvar k;
    generate
        for (k = 0; k < 2; k = k + 1) begin : g
            reg mark;
            always @(posedge clk) if (wish[k]) mark <= mode[k]; else mark <= 0;
        end
    endgenerate

    always @(posedge clk) begin
        if (!rst) begin
            exclusive: assert (a == 0 || b == 0);
            assert (a != 2'd3);
        end
        assume (delay < 4'd12);
    end
endmodule
