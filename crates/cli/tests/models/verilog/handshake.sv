// A request is answered within three cycles, and is kept until then.
module handshake(input logic clk, input logic rst_n, input logic start);
    logic req, ack;
    logic [1:0] wait_for;

    always_ff @(posedge clk or negedge rst_n)
        if (!rst_n) begin
            req <= 0;
            ack <= 0;
            wait_for <= 0;
        end else if (!req) begin
            ack <= 0;
            req <= start && !ack;
            wait_for <= 2;
        end else if (wait_for != 0) begin
            wait_for <= wait_for - 1;
        end else begin
            req <= 0;
            ack <= 1;
        end

    default clocking cb @(posedge clk); endclocking
    default disable iff (!rst_n || started != 2'b11);

    // A reset comes first: registers without one begin with any value.
    logic [1:0] started = 0;
    always_ff @(posedge clk) started <= {started[0], !rst_n || started[0]};

    property answers(longest_wait);
        $rose(req) |-> longest_wait;
    endproperty
    sequence within_four;
        ##[1:4] ack;
    endsequence
`ifdef EARLY
    answered: assert property ($rose(req) |-> ##[1:2] ack);
`else
    answered: assert property (answers(within_four));
`endif
    kept: assert property (req && !$past(req) |=> req ##1 req);
    falls: assert property (req ##1 !req |-> ack);
    assert property (ack |=> !ack) else $error("twice");
endmodule
