// The instruction unit of a pipelined processor: instruction cache, prefetch queue, decoding with a scoreboard, a large register
// file, execution with branches and a serial multiplier, loads, traps. About as large as the instruction unit in the published
// experiments of Clarke, Grumberg, Talupur and Wang; a design of our own.
//
// The cache is direct mapped and has sixteen lines of four words, which are filled from the bus one word after the other. Words go
// into a queue of four, from whose front instructions are decoded in order. An instruction waits until none of its three
// registers is written by an instruction before it, which is what the scoreboard says. A branch is decided when it is executed;
// if it is taken, the queue and what is decoded are thrown away, and a line that is just being filled is filled to the end for
// later. A trap waits until the pipeline is empty.
//
// Since branches test registers, and registers hold what was loaded and computed, every property depends on all registers, the
// contents of cache and register file included.
//
// Properties. True: the queue is what its pointers say ("queue_in_range"), a line that is being filled is not valid
// ("filled_line_is_invalid"), the multiplier only counts for an instruction that multiplies ("multiplier_has_work"), a trap is
// entered when the pipeline is empty ("trap_is_quiet") and with interrupts off ("traps_do_not_nest"), what is written is announced
// by the scoreboard ("writes_are_announced"), and words count as arrived only while a line is filled ("words_are_counted").
// False: the queue never gets full ("queue_never_full"), and a line is never filled for a branch that was thrown away
// ("fills_are_wanted").
//
// What to expect:
//   tenet prove models/rtl/instruction_unit.v --property trap_is_quiet       safe
//   tenet prove models/rtl/instruction_unit.v --property queue_never_full    unsafe

module instruction_unit (
    input  wire        clk,
    input  wire        reset,
    // bus, for instructions
    output wire        bus_request,
    output wire [23:0] bus_address,
    input  wire        bus_grant,
    input  wire        bus_valid,
    input  wire [31:0] bus_data,
    // data memory
    output wire        data_request,
    output wire [31:0] data_address,
    input  wire        data_valid,
    input  wire [31:0] data_value,
    input  wire        interrupt
);
    // Addresses are those of words: tag, line, word in the line.
    localparam TAG = 18;
    localparam [23:0] RESET_VECTOR = 24'h000000, TRAP_VECTOR = 24'h000010;

    localparam [3:0] ADD = 4'd0, SUBTRACT = 4'd1, AND = 4'd2, SHIFT = 4'd3, MULTIPLY = 4'd4, LOAD_CONSTANT = 4'd5,
                     LOAD = 4'd6, BRANCH_IF_ZERO = 4'd7, BRANCH_IF_NEGATIVE = 4'd8, JUMP = 4'd9, RETURN = 4'd10,
                     NOTHING = 4'd11;

    // What stages say to those in front of them.
    wire        throws_away, is_trapping, issues, delivers;
    wire [23:0] target;

    // RUN: instructions are issued. DRAIN: a trap waits for those under way. SAVE, ENTER: it is entered.
    localparam [1:0] RUN = 2'd0, DRAIN = 2'd1, SAVE = 2'd2, ENTER = 2'd3;

    reg [1:0]  trap_state    = RUN;
    reg        may_interrupt = 0;
    reg [23:0] saved_pc      = 0;

    // ------------------------------------------------------------------------------------------- instruction cache

    localparam [1:0] LOOK_UP = 2'd0, REQUEST = 2'd1, FILL = 2'd2;

    reg [TAG-1:0] tags  [0:15];
    reg [31:0]    lines [0:63];
    reg [15:0]    valid       = 0;
    reg [1:0]     cache_state = LOOK_UP;
    reg [21:0]    fill_line   = 0;            // tag and number of the line that is filled
    reg [1:0]     fill_count  = 0;            // words of it that have come
    reg [23:0]    fetch_pc    = RESET_VECTOR;

    wire [3:0] index = fetch_pc[5:2];
    wire       hits  = cache_state == LOOK_UP && valid[index] && tags[index] == fetch_pc[23:6];
    wire       misses = cache_state == LOOK_UP && !hits;
    wire       last_word = fill_count == 2'd3;

    assign bus_request = cache_state == REQUEST;
    assign bus_address = {fill_line, 2'b00};

    always @(posedge clk)
        if (reset) begin
            cache_state <= LOOK_UP;
            valid       <= 0;
            fill_count  <= 0;
        end else
            case (cache_state)
                LOOK_UP:
                    if (misses && !throws_away && !is_trapping) begin
                        cache_state  <= REQUEST;
                        fill_line    <= fetch_pc[23:2];
                        valid[index] <= 0;
                    end
                REQUEST:
                    if (bus_grant) begin
                        cache_state <= FILL;
                        fill_count  <= 0;
                    end
                FILL:
                    if (bus_valid) begin
                        fill_count <= fill_count + 1;
                        if (last_word) begin
                            cache_state         <= LOOK_UP;
                            valid[fill_line[3:0]] <= 1;
                        end
                    end
            endcase

    always @(posedge clk)
        if (cache_state == FILL && bus_valid) begin
            lines[{fill_line[3:0], fill_count}] <= bus_data;
            tags[fill_line[3:0]]                <= fill_line[21:4];
        end

    // ----------------------------------------------------------------------------------------------- prefetch queue

    reg [31:0] queue [0:3];
    reg [1:0]  head  = 0;
    reg [1:0]  tail  = 0;
    reg [2:0]  count = 0;
    reg [23:0] pc    = RESET_VECTOR;          // of the instruction in front

    assign delivers = hits && count < 3'd4 && !throws_away && !is_trapping;

    always @(posedge clk)
        if (delivers)
            queue[tail] <= lines[fetch_pc[5:0]];

    always @(posedge clk)
        if (reset) begin
            head  <= 0;
            tail  <= 0;
            count <= 0;
        end else if (throws_away) begin
            head  <= 0;
            tail  <= 0;
            count <= 0;
        end else begin
            if (delivers)
                tail <= tail + 1;
            if (issues)
                head <= head + 1;
            if (delivers && !issues)
                count <= count + 1;
            else if (issues && !delivers)
                count <= count - 1;
        end

    always @(posedge clk)
        if (reset) begin
            fetch_pc <= RESET_VECTOR;
            pc       <= RESET_VECTOR;
        end else if (throws_away) begin
            fetch_pc <= target;
            pc       <= target;
        end else begin
            if (delivers)
                fetch_pc <= fetch_pc + 1;
            if (issues)
                pc <= pc + 1;
        end

    // ------------------------------------------------------------------------------------------------------- decode

    wire [31:0] instruction = queue[head];
    wire [3:0]  opcode      = instruction[31:28];
    wire [5:0]  to          = instruction[27:22];
    wire [5:0]  left        = instruction[21:16];
    wire [5:0]  right       = instruction[15:10];
    wire [15:0] constant    = instruction[15:0];

    wire is_computing = opcode <= LOAD_CONSTANT;
    wire writes       = is_computing || opcode == LOAD;
    wire reads_left   = opcode <= BRANCH_IF_NEGATIVE && opcode != LOAD_CONSTANT;
    wire reads_right  = opcode <= MULTIPLY;
    wire is_illegal   = opcode > NOTHING;

    reg [63:0] busy = 0;                      // registers that are going to be written
    wire conflicts = (writes && busy[to]) || (reads_left && busy[left]) || (reads_right && busy[right]);

    // ------------------------------------------------------------------------------------------------ register file

    reg [31:0] file [0:63];
    reg        store_valid = 0;               // the last stage: a value goes to the file
    reg [5:0]  store_to    = 0;
    reg [31:0] store_value = 0;

    always @(posedge clk)
        if (store_valid)
            file[store_to] <= store_value;

    // ------------------------------------------------------------------------------------------------------ execute

    reg        execute_valid    = 0;
    reg [3:0]  execute_opcode   = NOTHING;
    reg [5:0]  execute_to       = 0;
    reg        execute_writes   = 0;
    reg [31:0] execute_left     = 0;
    reg [31:0] execute_right    = 0;
    reg [15:0] execute_constant = 0;
    reg [23:0] execute_pc       = 0;
    reg [2:0]  multiply_count   = 0;
    reg [31:0] product          = 0;

    reg        memory_valid = 0;              // the stage behind: a load, or a value on its way
    reg        memory_loads = 0;
    reg        memory_writes = 0;
    reg [5:0]  memory_to    = 0;
    reg [31:0] memory_value = 0;

    wire memory_waits  = memory_valid && memory_loads && !data_valid;
    wire multiplies    = execute_valid && execute_opcode == MULTIPLY;
    wire multiply_ends = multiply_count == 3'd7;
    wire execute_waits = execute_valid && (memory_waits || (multiplies && !multiply_ends));
    wire executes      = execute_valid && !execute_waits;

    wire is_zero     = execute_left == 32'd0;
    wire is_negative = execute_left[31];
    reg  branches;
    always @*
        case (execute_opcode)
            BRANCH_IF_ZERO:     branches = is_zero;
            BRANCH_IF_NEGATIVE: branches = is_negative;
            JUMP, RETURN:       branches = 1;
            default:            branches = 0;
        endcase

    reg [31:0] result;
    always @*
        case (execute_opcode)
            ADD:           result = execute_left + execute_right;
            SUBTRACT:      result = execute_left - execute_right;
            AND:           result = execute_left & execute_right;
            SHIFT:         result = execute_left >> execute_right[4:0];
            MULTIPLY:      result = product;
            LOAD_CONSTANT: result = {16'd0, execute_constant};
            default:       result = execute_left + {16'd0, execute_constant};
        endcase

    assign issues = count != 0 && !is_trapping && !throws_away && !conflicts && !is_illegal
                 && !execute_waits && !(interrupt && may_interrupt);

    always @(posedge clk)
        if (reset)
            execute_valid <= 0;
        else if (issues) begin
            execute_valid    <= 1;
            execute_opcode   <= opcode;
            execute_to       <= to;
            execute_writes   <= writes;
            execute_left     <= file[left];
            execute_right    <= file[right];
            execute_constant <= constant;
            execute_pc       <= pc;
        end else if (executes)
            execute_valid <= 0;

    always @(posedge clk)
        if (reset) begin
            multiply_count <= 0;
            product        <= 0;
        end else if (multiplies && !multiply_ends) begin
            multiply_count <= multiply_count + 1;
            product        <= {product[27:0], 4'd0} + (execute_left & {32{execute_right[multiply_count]}});
        end else if (executes) begin
            multiply_count <= 0;
            product        <= 0;
        end

    always @(posedge clk)
        if (reset)
            memory_valid <= 0;
        else if (executes) begin
            memory_valid  <= 1;
            memory_loads  <= execute_opcode == LOAD;
            memory_writes <= execute_writes;
            memory_to     <= execute_to;
            memory_value  <= result;
        end else if (!memory_waits)
            memory_valid <= 0;

    assign data_request = memory_valid && memory_loads;
    assign data_address = memory_value;

    always @(posedge clk)
        if (reset)
            store_valid <= 0;
        else begin
            store_valid <= memory_valid && !memory_waits && memory_writes;
            if (memory_valid && !memory_waits) begin
                store_to    <= memory_to;
                store_value <= memory_loads ? data_value : memory_value;
            end
        end

    always @(posedge clk)
        if (reset)
            busy <= 0;
        else begin
            if (store_valid)
                busy[store_to] <= 0;
            if (issues && writes)
                busy[to] <= 1;
        end

    // -------------------------------------------------------------------------------------------------------- traps

    assign is_trapping = trap_state != RUN;
    wire is_empty    = !execute_valid && !memory_valid && !store_valid;
    // Of an illegal instruction behind a branch nobody knows yet whether it is executed.
    wire traps = trap_state == RUN && !execute_valid && count != 0 && (is_illegal || (interrupt && may_interrupt));

    always @(posedge clk)
        if (reset) begin
            trap_state    <= RUN;
            may_interrupt <= 0;
        end else
            case (trap_state)
                RUN:
                    if (traps) begin
                        trap_state    <= DRAIN;
                        may_interrupt <= 0;
                    end else if (executes && execute_opcode == RETURN)
                        may_interrupt <= 1;
                DRAIN:
                    if (is_empty && cache_state == LOOK_UP)
                        trap_state <= SAVE;
                SAVE: begin
                    saved_pc   <= pc;
                    trap_state <= ENTER;
                end
                ENTER:
                    trap_state <= RUN;
            endcase

    assign throws_away = (executes && branches) || trap_state == ENTER;
    assign target = trap_state == ENTER             ? TRAP_VECTOR
                  : execute_opcode == RETURN        ? saved_pc
                  : execute_opcode == JUMP          ? execute_left[23:0]
                  : execute_pc + {{8{execute_constant[15]}}, execute_constant};

`ifdef FORMAL
    // Was there a branch since the line was asked for?
    reg is_unwanted = 0;
    always @(posedge clk)
        if (cache_state == LOOK_UP)
            is_unwanted <= 0;
        else if (throws_away)
            is_unwanted <= 1;

    wire [1:0] distance = tail - head;

    always @(posedge clk) begin
        queue_in_range:         assert (count <= 4 && count[1:0] == distance);
        filled_line_is_invalid: assert (cache_state == LOOK_UP || !valid[fill_line[3:0]]);
        multiplier_has_work:    assert (multiply_count == 0 || multiplies);
        trap_is_quiet:          assert (!(trap_state == SAVE || trap_state == ENTER) || (is_empty && cache_state == LOOK_UP));
        traps_do_not_nest:      assert (trap_state == RUN || !may_interrupt);
        writes_are_announced:   assert (!store_valid || busy[store_to]);
        words_are_counted:      assert (fill_count == 0 || cache_state == FILL);
        queue_never_full:       assert (count != 4);
        fills_are_wanted:       assert (!(cache_state == FILL && last_word && is_unwanted));
    end
`endif
endmodule
