// A cache controller: direct mapped, write back, write allocate; one word of WIDTH bits in each line.
//
// A request that hits is answered at once. One that misses first writes the line back that is in its place if that is dirty,
// then reads its own line from memory, and is tried again. Memory takes as long as it likes for each transfer.
//
// Design of our own. WIDTH is free, and nothing here computes with the words, so proofs should not depend on it.
//
// To say what memory and cache hold together, one address is watched, which may be any: `expected` is the word that was
// written there last, and `stored` the one in memory, which is assumed to answer with it.
//
// Properties, all true. What a user sees: a hit on the watched address gives the word that was written there last
// ("reads_what_was_written"). Why it is so: the word is in the cache, or else in memory ("word_is_somewhere"), and in both if its
// line is clean ("clean_is_stored"); what is in the cache was read or written before ("cached_is_known"). And about the
// controller: a dirty line is valid ("dirty_is_valid"), only dirty lines are written back ("only_dirty_is_written"), a line that is
// filled was not there ("refill_is_needed"), and nothing is lost by filling it ("refill_loses_nothing").
//
// What to expect:
//   tenet prove models/rtl/cache.v                     safe
//   tenet prove models/rtl/cache.v --const WIDTH=64    safe

module cache #(
    parameter WIDTH = 32,
    parameter TAG   = 4,
    parameter INDEX = 2           // bits of a line number: 2^INDEX lines
) (
    input  wire                 clk,
    input  wire                 reset,
    // processor
    input  wire                 request,
    input  wire                 request_writes,
    input  wire [TAG+INDEX-1:0] request_address,
    input  wire [WIDTH-1:0]     request_data,
    output wire                 answers,
    output wire [WIDTH-1:0]     answer_data,
    // memory
    output wire                 memory_request,
    output wire                 memory_writes,
    output wire [TAG+INDEX-1:0] memory_address,
    output wire [WIDTH-1:0]     memory_write_data,
    input  wire                 memory_done,
    input  wire [WIDTH-1:0]     memory_read_data
);
    localparam LINES = 1 << INDEX;
    localparam ADDRESS = TAG + INDEX;

    localparam [1:0] LOOK_UP = 2'd0, WRITE_BACK = 2'd1, REFILL = 2'd2;

    reg [1:0]         state = LOOK_UP;
    reg [LINES-1:0]   valid = 0;
    reg [LINES-1:0]   dirty = 0;
    reg [TAG-1:0]     tags [0:LINES-1];
    reg [WIDTH-1:0]   data [0:LINES-1];
    // The request that missed.
    reg [ADDRESS-1:0] missed = 0;

    // -------------------------------------------------------------------------------------------------------- lookup

    wire [INDEX-1:0] line = request_address[INDEX-1:0];
    wire [TAG-1:0]   tag  = request_address[ADDRESS-1:INDEX];

    wire is_hit = valid[line] && tags[line] == tag;

    assign answers     = state == LOOK_UP && request && is_hit;
    assign answer_data = data[line];

    // -------------------------------------------------------------------------------------------------------- memory

    wire [INDEX-1:0] missed_line = missed[INDEX-1:0];
    wire [TAG-1:0]   missed_tag  = missed[ADDRESS-1:INDEX];

    assign memory_request    = state == WRITE_BACK || state == REFILL;
    assign memory_writes     = state == WRITE_BACK;
    assign memory_address    = state == WRITE_BACK ? {tags[missed_line], missed_line} : missed;
    assign memory_write_data = data[missed_line];

    wire refills = state == REFILL && memory_done;
    wire updates = answers && request_writes;

    always @(posedge clk)
        if (refills) begin
            data[missed_line] <= memory_read_data;
            tags[missed_line] <= missed_tag;
        end else if (updates)
            data[line] <= request_data;

    // --------------------------------------------------------------------------------------------------- controller

    always @(posedge clk)
        if (reset) begin
            state <= LOOK_UP;
            valid <= 0;
            dirty <= 0;
        end else
            case (state)
                LOOK_UP:
                    if (request && is_hit) begin
                        if (request_writes)
                            dirty[line] <= 1;
                    end else if (request) begin
                        missed <= request_address;
                        state  <= valid[line] && dirty[line] ? WRITE_BACK : REFILL;
                    end
                WRITE_BACK:
                    if (memory_done) begin
                        valid[missed_line] <= 0;
                        dirty[missed_line] <= 0;
                        state       <= REFILL;
                    end
                REFILL:
                    if (memory_done) begin
                        valid[missed_line] <= 1;
                        dirty[missed_line] <= 0;
                        state       <= LOOK_UP;
                    end
                default:
                    state <= LOOK_UP;
            endcase

`ifdef FORMAL
    (* anyconst *) wire [ADDRESS-1:0] watched;

    // A reset forgets what is in dirty lines, so the watched word is then the one in memory.
    reg [WIDTH-1:0] stored;
    reg [WIDTH-1:0] expected;
    reg             is_known = 0;     // something was written to the watched address, or read from it
    always @(posedge clk) begin
        if (memory_done && state == WRITE_BACK && memory_address == watched)
            stored <= memory_write_data;
        if (reset)
            is_known <= 0;
        else if (refills && missed == watched && !is_known) begin
            expected <= stored;
            is_known <= 1;
        end else if (updates && request_address == watched) begin
            expected <= request_data;
            is_known <= 1;
        end
    end

    wire [INDEX-1:0] place     = watched[INDEX-1:0];
    wire             is_cached = valid[place] && tags[place] == watched[ADDRESS-1:INDEX];

    always @* begin
        if (refills && missed == watched)
            assume (memory_read_data == stored);
        reads_what_was_written: assert (!(answers && request_address == watched) || (is_known && answer_data == expected));
        word_is_somewhere: assert (!is_known || (is_cached ? data[place] == expected : stored == expected));
        clean_is_stored: assert (!(is_cached && !dirty[place]) || data[place] == stored);
        cached_is_known: assert (!is_cached || is_known);
        dirty_is_valid: assert ((dirty & ~valid) == 0);
        only_dirty_is_written: assert (state != WRITE_BACK || dirty[missed_line]);
        refill_is_needed: assert (state != REFILL || !(valid[missed_line] && tags[missed_line] == missed_tag));
        refill_loses_nothing: assert (state != REFILL || !dirty[missed_line]);
    end
`endif
endmodule
