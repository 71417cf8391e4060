// A turnstile lets one person through for each coin; at most three coins are kept.
module turnstile #(parameter MOST = 3) (input clk, input rst, input coin, input push, output open);
    reg [3:0] coins;
    reg locked;
    assign open = !locked;

    always @(posedge clk) begin
        if (rst) begin
            coins <= 0;
            locked <= 1;
        end else begin
            case ({coin, push & open})
                2'b10: if (coins < MOST) coins <= coins + 1;
                2'b01: coins <= coins - 1;
                default: ;
            endcase
            locked <= coins == 0 || (coins == 1 && push && open);
        end
    end

    always @(posedge clk)
        if (!rst) begin
            few: assert (coins <= MOST);
            assert (!open || coins != 0);
        end
endmodule
