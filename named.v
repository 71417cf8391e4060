// A turnstile lets one person through for each coin; at most three coins are kept.
module turnstile #(parameter MOST = 3) (input clk, input rst, input coin, input push, output open);
    reg [3:0] coins;
    reg locked;
    assign open = !locked;

    wire pred1;
    assign pred1 = !!(rst);
    wire pred2;
    assign pred2 = ({coin, push & open} == 2'b10);
    wire pred3;
    assign pred3 = ({coin, push & open} == 2'b01);
    wire pred4;
    assign pred4 = (coins < MOST);
    always @(posedge clk) begin
        if (pred1) begin
            coins <= 0;
            locked <= 1;
        end else begin
            case (1'b1)
                pred2: if (pred4) coins <= coins + 1;
                pred3: coins <= coins - 1;
                default: ;
            endcase
            locked <= coins == 0 || (coins == 1 && push && open);
        end
    end

    wire pred5;
    assign pred5 = (!rst);
    always @(posedge clk)
        if (pred5) begin
            few: assert (coins <= MOST);
            assert (!open || coins != 0);
        end
endmodule
