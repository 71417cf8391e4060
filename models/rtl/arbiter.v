// A round-robin arbiter whose grants last: a requester keeps the resource while it asks for it, for BURST cycles at most
// if somebody else waits.
//
// Design of our own.
//
// Properties, all true: one grant at a time ("mutual_exclusion"), only for who asked ("no_grant_without_request"), the last
// one served is who has the grant ("last_is_owner"), and who waits is served after at most REQUESTERS - 1 others
// ("bounded_waiting").
//
// What to expect:
//   tenet prove models/rtl/arbiter.v                          safe
//   tenet prove models/rtl/arbiter.v --const REQUESTERS=8     safe

module arbiter #(
    parameter REQUESTERS = 4,
    parameter BURST = 6,          // cycles that a requester has the resource while others wait
    parameter INDEX = $clog2(REQUESTERS),
    parameter TIMER = $clog2(BURST + 1)
) (
    input  wire                  clk,
    input  wire                  reset,
    input  wire [REQUESTERS-1:0] request,
    output reg  [REQUESTERS-1:0] grant
);
    reg [INDEX-1:0] last  = REQUESTERS - 1;     // who was served last
    reg [TIMER-1:0] timer = 0;                  // for how long

    wire [REQUESTERS-1:0] others = request & ~grant;
    wire is_free = (grant & request) == 0;
    wire is_over = timer == BURST && others != 0;

    // Whose turn it is: the requests behind `last` come first, then all of them; of these the lowest one.
    wire [REQUESTERS-1:0] behind    = ~((2 << last) - 1);
    wire [REQUESTERS-1:0] first     = request & behind;
    wire [REQUESTERS-1:0] candidate = first != 0 ? first : others;
    wire [REQUESTERS-1:0] chosen    = candidate & (~candidate + 1);

    reg [INDEX-1:0] chosen_index;
    integer place;
    always @* begin
        chosen_index = 0;
        for (place = 0; place < REQUESTERS; place = place + 1)
            if (chosen[place])
                chosen_index = place;
    end

    always @(posedge clk)
        if (reset) begin
            grant <= 0;
            last  <= REQUESTERS - 1;
            timer <= 0;
        end else if (is_free || is_over) begin
            grant <= chosen;
            timer <= 0;
            if (chosen != 0)
                last <= chosen_index;
        end else if (timer != BURST)
            timer <= timer + 1;

    initial grant = 0;

`ifdef FORMAL
    // What was asked for when the grants were given.
    reg [REQUESTERS-1:0] asked = 0;
    always @(posedge clk)
        asked <= reset ? 0 : request;

    // How many others were served while requester 0 asked without interruption.
    reg [INDEX:0] overtaken = 0;
    always @(posedge clk)
        if (reset || !request[0] || grant[0])
            overtaken <= 0;
        else if ((is_free || is_over) && chosen != 0 && !chosen[0])
            overtaken <= overtaken + 1;

    always @* begin
        mutual_exclusion: assert ((grant & (grant - 1'b1)) == 0);
        no_grant_without_request: assert ((grant & ~asked) == 0);
        last_is_owner: assert (grant == 0 || grant[last]);
        bounded_waiting: assert (overtaken < REQUESTERS);
    end
`endif
endmodule
