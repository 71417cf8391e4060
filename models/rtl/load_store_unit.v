// A load/store unit: a write-back data cache with a parity bit for each word, a store buffer, compare-and-swap, and a bus that may
// refuse a transfer. About as large as the instruction unit in the published experiments of Clarke, Grumberg, Talupur and Wang; a
// design of our own.
//
// Loads are answered from the store buffer if they find their address there, and else by the cache. Stores go to the buffer and
// from there, in order, to the cache when that is idle. A compare-and-swap waits until the buffer is empty; it writes if the word is
// the expected one, so what happens depends on the contents of the cache. A miss first writes a dirty line back, then reads its
// own, word by word. A word whose parity is wrong stops the unit until it is told to go on.
//
// Properties. True: the store buffer is what its pointers say ("buffer_in_range"), a dirty line is valid ("dirty_is_valid"), a
// line that is filled is not valid ("filled_line_is_invalid"), only dirty lines are written back ("only_dirty_goes_back"), the bus is
// only used for a miss ("bus_has_a_reason"), a stopped unit answers nothing ("stopped_is_silent"), and a swap is answered with an
// empty buffer ("swaps_are_ordered").
// False: the store buffer never gets full while a line is filled ("stores_do_not_wait"), and nothing is refused twice in a row
// ("refused_once").
//
// What to expect:
//   tenet prove models/rtl/load_store_unit.v --property stopped_is_silent     safe
//   tenet prove models/rtl/load_store_unit.v --property refused_once          unsafe

module load_store_unit (
    input  wire        clk,
    input  wire        reset,
    // processor
    input  wire        request,
    input  wire [1:0]  request_kind,          // as in LOAD, STORE, SWAP
    input  wire [23:0] request_address,       // of a word
    input  wire [31:0] request_data,
    input  wire [31:0] request_expected,
    output wire        accepts,
    output reg         answer_valid,
    output reg  [31:0] answer_data,
    input  wire        acknowledge,           // goes on after an error
    // bus
    output wire        bus_request,
    output wire        bus_writes,
    output wire [23:0] bus_address,
    output wire [31:0] bus_write_data,
    input  wire        bus_grant,
    input  wire        bus_refuse,
    input  wire        bus_valid,
    input  wire [31:0] bus_read_data
);
    localparam [1:0] LOAD = 2'd0, STORE = 2'd1, SWAP = 2'd2;

    // Addresses: tag, line, word in the line.
    localparam TAG = 17;

    wire is_stopped;

    // ------------------------------------------------------------------------------------------------------ request

    // The request that is looked up.
    reg        pending          = 0;
    reg [1:0]  pending_kind     = LOAD;
    reg [23:0] pending_address  = 0;
    reg [31:0] pending_data     = 0;
    reg [31:0] pending_expected = 0;
    wire       is_done;

    assign accepts = (!pending || is_done) && !is_stopped;

    always @(posedge clk)
        if (reset)
            pending <= 0;
        else if (request && accepts) begin
            pending          <= request_kind <= SWAP;
            pending_kind     <= request_kind;
            pending_address  <= request_address;
            pending_data     <= request_data;
            pending_expected <= request_expected;
        end else if (is_done)
            pending <= 0;

    // ------------------------------------------------------------------------------------------------- store buffer

    reg [23:0] buffer_address [0:3];
    reg [31:0] buffer_data    [0:3];
    reg [1:0]  head  = 0;
    reg [1:0]  tail  = 0;
    reg [2:0]  count = 0;

    wire is_full  = count == 3'd4;
    wire is_empty = count == 3'd0;
    wire pushes   = pending && pending_kind == STORE && !is_full && !is_stopped;
    wire pops;

    always @(posedge clk)
        if (pushes) begin
            buffer_address[tail] <= pending_address;
            buffer_data[tail]    <= pending_data;
        end

    always @(posedge clk)
        if (reset) begin
            head  <= 0;
            tail  <= 0;
            count <= 0;
        end else begin
            if (pushes)
                tail <= tail + 1;
            if (pops)
                head <= head + 1;
            case ({pushes, pops})
                2'b10:   count <= count + 1;
                2'b01:   count <= count - 1;
                default: count <= count;
            endcase
        end

    // The youngest entry with the address of a load.
    wire [1:0] place0 = head, place1 = head + 2'd1, place2 = head + 2'd2, place3 = head + 2'd3;
    wire found0 = count > 3'd0 && buffer_address[place0] == pending_address;
    wire found1 = count > 3'd1 && buffer_address[place1] == pending_address;
    wire found2 = count > 3'd2 && buffer_address[place2] == pending_address;
    wire found3 = count > 3'd3 && buffer_address[place3] == pending_address;
    wire is_forwarded = pending_kind == LOAD && (found0 || found1 || found2 || found3);
    wire [31:0] forwarded = buffer_data[found3 ? place3 : found2 ? place2 : found1 ? place1 : place0];

    // -------------------------------------------------------------------------------------------------------- cache

    localparam [2:0] LOOK_UP = 3'd0, WRITE_BACK = 3'd1, ASK = 3'd2, FILL = 3'd3, BACK_OFF = 3'd4, STOPPED = 3'd5;

    reg [TAG-1:0] tags   [0:31];
    reg [31:0]    words  [0:127];
    reg [127:0]   parity = 0;
    reg [31:0]    valid  = 0;
    reg [31:0]    dirty  = 0;
    reg [2:0]     state  = LOOK_UP;
    reg [21:0]    line   = 0;                 // tag and number of the line that is exchanged
    reg [1:0]     word   = 0;                 // the word of it that comes next
    reg           writes_back = 0;            // was it refused while writing back?
    reg [2:0]     refusals = 0;               // in a row

    assign is_stopped = state == STOPPED;

    // A store from the buffer has precedence over the request, except over a load that it does not keep waiting.
    wire        wants      = pending && (pending_kind == LOAD ? !is_forwarded : pending_kind == SWAP && is_empty);
    wire        drains     = !is_empty && !wants;
    wire        looks_up   = state == LOOK_UP && (wants || drains);
    wire [23:0] address    = drains ? buffer_address[head] : pending_address;
    wire [4:0]  index      = address[6:2];
    wire        hits       = looks_up && valid[index] && tags[index] == address[23:7];
    wire        misses     = looks_up && !hits;
    wire [31:0] found      = words[address[6:0]];
    wire        is_wrong   = hits && parity[address[6:0]] != ^found;
    wire        is_equal   = found == pending_expected;
    wire        swaps      = hits && !drains && pending_kind == SWAP && is_equal && !is_wrong;
    wire        last_word  = word == 2'd3;

    assign pops    = hits && drains && !is_wrong;
    assign is_done = !is_stopped && pending
                  && (pending_kind == STORE ? !is_full
                    : is_forwarded || (hits && !drains && !is_wrong));

    wire [31:0] new_word = drains ? buffer_data[head] : pending_data;

    always @(posedge clk)
        if (pops || swaps)
            words[address[6:0]] <= new_word;
        else if (state == FILL && bus_valid && !bus_refuse)
            words[{line[4:0], word}] <= bus_read_data;

    always @(posedge clk)
        if (state == FILL && bus_valid && !bus_refuse)
            tags[line[4:0]] <= line[21:5];

    always @(posedge clk)
        if (pops || swaps)
            parity[address[6:0]] <= ^new_word;
        else if (state == FILL && bus_valid && !bus_refuse)
            parity[{line[4:0], word}] <= ^bus_read_data;

    always @(posedge clk)
        if (reset) begin
            state    <= LOOK_UP;
            valid    <= 0;
            dirty    <= 0;
            word     <= 0;
            refusals <= 0;
        end else
            case (state)
                LOOK_UP: begin
                    if (is_wrong)
                        state <= STOPPED;
                    else if (misses) begin
                        word     <= 0;
                        refusals <= 0;
                        if (valid[index] && dirty[index]) begin
                            state <= WRITE_BACK;
                            line  <= {tags[index], index};
                        end else begin
                            state        <= ASK;
                            line         <= address[23:2];
                            valid[index] <= 0;
                        end
                    end
                    if (pops || swaps)
                        dirty[index] <= 1;
                end
                WRITE_BACK:
                    if (bus_grant && bus_refuse) begin
                        state       <= BACK_OFF;
                        writes_back <= 1;
                        refusals    <= refusals + 1;
                    end else if (bus_grant) begin
                        word     <= word + 1;
                        refusals <= 0;
                        if (last_word) begin
                            // The line is clean; the lookup is tried again.
                            state             <= LOOK_UP;
                            dirty[line[4:0]]  <= 0;
                        end
                    end
                ASK:
                    if (bus_grant && bus_refuse) begin
                        state       <= BACK_OFF;
                        writes_back <= 0;
                        refusals    <= refusals + 1;
                    end else if (bus_grant)
                        state <= FILL;
                FILL:
                    if (bus_valid && bus_refuse) begin
                        state       <= BACK_OFF;
                        writes_back <= 0;
                        refusals    <= refusals + 1;
                    end else if (bus_valid) begin
                        word     <= word + 1;
                        refusals <= 0;
                        if (last_word) begin
                            state            <= LOOK_UP;
                            valid[line[4:0]] <= 1;
                            dirty[line[4:0]] <= 0;
                        end
                    end
                BACK_OFF:
                    // Seven refusals in a row are an error.
                    if (refusals == 3'd7)
                        state <= STOPPED;
                    else
                        state <= writes_back ? WRITE_BACK : ASK;
                STOPPED:
                    if (acknowledge) begin
                        state    <= LOOK_UP;
                        valid    <= 0;
                        dirty    <= 0;
                        refusals <= 0;
                    end
            endcase

    assign bus_request    = state == WRITE_BACK || state == ASK;
    assign bus_writes     = state == WRITE_BACK;
    assign bus_address    = {line, word};
    assign bus_write_data = words[{line[4:0], word}];

    // ------------------------------------------------------------------------------------------------------- answer

    initial answer_valid = 0;

    always @(posedge clk)
        if (reset)
            answer_valid <= 0;
        else begin
            answer_valid <= is_done;
            answer_data  <= is_forwarded ? forwarded : found;
        end

`ifdef FORMAL
    wire [1:0] distance = tail - head;
    // Was a swap answered in the cycle before, and were there stores then?
    reg swap_answered = 0, stores_waited = 0, was_stopped = 0;
    always @(posedge clk) begin
        swap_answered <= is_done && pending_kind == SWAP && !reset;
        stores_waited <= !is_empty;
        was_stopped   <= is_stopped && !reset;
    end

    always @(posedge clk) begin
        buffer_in_range:        assert (count <= 4 && count[1:0] == distance);
        dirty_is_valid:         assert ((dirty & ~valid) == 32'd0);
        filled_line_is_invalid: assert (!(state == ASK || state == FILL) || !valid[line[4:0]]);
        only_dirty_goes_back:   assert (state != WRITE_BACK || dirty[line[4:0]]);
        bus_has_a_reason:       assert (!(state == WRITE_BACK || state == ASK || state == FILL) || wants || drains);
        stopped_is_silent:      assert (!(was_stopped && answer_valid));
        swaps_are_ordered:      assert (!(swap_answered && stores_waited));
        stores_do_not_wait:     assert (!(state == FILL && is_full));
        refused_once:           assert (refusals < 2);
    end
`endif
endmodule
