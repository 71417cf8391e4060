// A lock with a bug: see lock.v for the correct one and the properties.
//
// The bug: the mistake that blocks the lock does not send it back to the first code. Who waits may go on where he was.
//
// What to expect:
//   tenet prove models/rtl/lock_broken.v    unsafe, "blocked_is_closed" is false after 4 steps, "opens_by_codes" after 18

module lock #(
    parameter WIDTH = 32
) (
    input  wire             clk,
    input  wire             reset,
    input  wire             enter,
    input  wire [WIDTH-1:0] code,
    output wire             is_open
);
    localparam [WIDTH-1:0] CODE_0 = 64'h1f3d5b79_a8c6e4b2, CODE_1 = 64'h90c2e417_53b6d8fa, CODE_2 = 64'h6e5a4c3b_2d1f0e97,
                           CODE_3 = 64'hd7b1a593_8f6e2c40, CODE_4 = 64'h3c4d5e6f_708192a3, CODE_5 = 64'hb5c6d7e8_f90a1b2c,
                           CODE_6 = 64'h4a3b2c1d_0e9f8d7c, CODE_7 = 64'he8f7a6b5_c4d3e261;

    localparam [3:0] OPEN = 4'd8;
    localparam [1:0] TOO_MANY = 2'd3;
    localparam [2:0] PENALTY = 3'd6;

    reg [3:0] step     = 0;       // how many codes were right
    reg [1:0] mistakes = 0;
    reg [2:0] timer    = 0;       // how long the lock is still blocked

    assign is_open = step == OPEN;
    wire is_blocked = mistakes == TOO_MANY;

    reg is_right;
    always @*
        case (step)
            0: is_right = code == CODE_0;
            1: is_right = code == CODE_1;
            2: is_right = code == CODE_2;
            3: is_right = code == CODE_3;
            4: is_right = code == CODE_4;
            5: is_right = code == CODE_5;
            6: is_right = code == CODE_6;
            7: is_right = code == CODE_7;
            default: is_right = 0;
        endcase

    always @(posedge clk)
        if (reset) begin
            step     <= 0;
            mistakes <= 0;
            timer    <= 0;
        end else if (is_blocked) begin
            if (timer == 0)
                mistakes <= 0;
            else
                timer <= timer - 1;
        end else if (is_open) begin
            if (enter)
                step <= 0;        // whatever is entered closes it
        end else if (enter) begin
            if (is_right) begin
                step <= step + 1;
                if (step == OPEN - 1)
                    mistakes <= 0;
            end else begin
                mistakes <= mistakes + 1;
                if (mistakes == TOO_MANY - 1)
                    timer <= PENALTY;
                else
                    step <= 0;    // BUG: in any case
            end
        end

`ifdef FORMAL
    // What was entered, the last code in front.
    reg [WIDTH-1:0] entered_0, entered_1, entered_2, entered_3, entered_4, entered_5, entered_6, entered_7;
    always @(posedge clk)
        if (enter && !is_open && !is_blocked) begin
            entered_0 <= code;
            entered_1 <= entered_0;
            entered_2 <= entered_1;
            entered_3 <= entered_2;
            entered_4 <= entered_3;
            entered_5 <= entered_4;
            entered_6 <= entered_5;
            entered_7 <= entered_6;
        end

    wire were_right = entered_0 == CODE_7 && entered_1 == CODE_6 && entered_2 == CODE_5 && entered_3 == CODE_4
                   && entered_4 == CODE_3 && entered_5 == CODE_2 && entered_6 == CODE_1 && entered_7 == CODE_0;

    always @* begin
        opens_by_codes: assert (!is_open || were_right);
        blocked_is_closed: assert (!(is_blocked && step != 0));
        timer_is_for_blocking: assert (timer == 0 || is_blocked);
    end
`endif
endmodule
