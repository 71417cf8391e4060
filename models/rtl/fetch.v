// The front of a processor with instructions of one to four bytes: prefetch buffer, decoding of lengths, branches, traps.
//
// Memory delivers aligned words of four bytes, each some time after it was asked for, one at a time. The bytes wait in a
// buffer, from whose front instructions are issued to the execution stage. A taken branch or a trap throws the buffer away,
// and a word that is still on its way belongs to nobody then: it has to be discarded when it comes. A trap is taken when the
// execution stage is empty and no word is on its way.
//
// Design of our own, in the spirit of integer units that execute byte code.
//
// Properties, all true: the buffer does not overflow ("buffer_in_range"), no bytes get into it that were asked for before the
// last branch or trap ("no_stale_bytes"), its bytes are those between the program counter and the word that comes next
// ("stream_is_contiguous"), while a trap is entered nothing else happens ("trap_is_quiet"), and traps do not nest
// ("traps_do_not_nest").
//
// What to expect:
//   tenet prove models/rtl/fetch.v    safe

module fetch #(
    parameter ADDRESS = 16        // bits of an address
) (
    input  wire               clk,
    input  wire               reset,
    // memory
    output wire               memory_request,
    output wire [ADDRESS-1:0] memory_address,
    input  wire               memory_valid,
    input  wire [31:0]        memory_data,
    // execution stage
    output reg                execute_valid,
    output reg  [31:0]        execute_instruction,
    output reg  [ADDRESS-1:0] execute_pc,
    input  wire               execute_stall,
    input  wire               branch_taken,
    input  wire [ADDRESS-1:0] branch_target,
    // traps
    input  wire               interrupt
);
    localparam [ADDRESS-1:0] RESET_VECTOR = 0, TRAP_VECTOR = 'h40;

    // RUN: instructions are issued. DRAIN: a trap waits for what is under way. SAVE, VECTOR: it is entered.
    localparam [1:0] RUN = 2'd0, DRAIN = 2'd1, SAVE = 2'd2, VECTOR = 2'd3;

    localparam [7:0] RETURN = 8'h3f, ILLEGAL = 8'hff;
    localparam [3:0] ROOM_FOR_A_WORD = 4'd4;

    reg [1:0]         state         = RUN;
    reg [63:0]        buffer        = 0;            // the first byte is the lowest one
    reg [3:0]         count         = 0;            // bytes in it
    reg [ADDRESS-1:0] pc            = RESET_VECTOR; // of the first byte
    reg [ADDRESS-1:0] fetch_address = RESET_VECTOR; // of the word that comes next
    reg [1:0]         skip          = 0;            // bytes of it in front of where the stream begins
    reg               outstanding   = 0;            // a word was asked for and has not come
    reg               discard       = 0;            // nobody wants it any more
    reg               may_interrupt = 1;
    reg [ADDRESS-1:0] saved_pc      = 0;

    // ----------------------------------------------------------------------------------------------------- decoding

    wire [7:0] opcode      = buffer[7:0];
    wire [2:0] size        = {1'b0, opcode[7:6]} + 3'd1;
    wire       is_complete = count >= {1'b0, size};
    wire       is_return   = opcode == RETURN;
    wire       is_illegal  = opcode == ILLEGAL;

    wire branches = execute_valid && !execute_stall && branch_taken;
    wire can_take = !execute_valid || !execute_stall;

    // An illegal instruction may stand behind a branch that is taken, so it counts when nothing is in front of it.
    wire traps = state == RUN && !branches
              && ((interrupt && may_interrupt) || (is_complete && is_illegal && !execute_valid));
    wire issues = state == RUN && is_complete && !is_illegal && can_take && !branches && !traps;

    // ------------------------------------------------------------------------------------------------------- stream

    wire flushes = branches || traps || state == VECTOR;
    wire fills   = outstanding && memory_valid && !discard && !flushes;

    assign memory_request = state == RUN && !outstanding && count <= ROOM_FOR_A_WORD && !flushes;
    assign memory_address = fetch_address;

    wire [3:0]  used    = issues ? {1'b0, size} : 4'd0;
    wire [3:0]  arrived = fills ? 4'd4 - {2'b00, skip} : 4'd0;
    wire [3:0]  kept    = count - used;
    wire [63:0] word    = fills ? {32'd0, memory_data} >> {skip, 3'b000} : 64'd0;

    always @(posedge clk)
        if (reset) begin
            buffer <= 0;
            count  <= 0;
        end else if (flushes) begin
            buffer <= 0;
            count  <= 0;
        end else begin
            buffer <= (buffer >> {used, 3'b000}) | (word << {kept, 3'b000});
            count  <= kept + arrived;
        end

    wire [ADDRESS-1:0] new_pc = branches ? branch_target : TRAP_VECTOR;

    always @(posedge clk)
        if (reset) begin
            pc            <= RESET_VECTOR;
            fetch_address <= RESET_VECTOR;
            skip          <= 0;
        end else if (branches || state == VECTOR) begin
            pc            <= new_pc;
            fetch_address <= {new_pc[ADDRESS-1:2], 2'b00};
            skip          <= new_pc[1:0];
        end else if (traps) begin
            // Where the stream goes on is known when the trap is entered.
            fetch_address <= {pc[ADDRESS-1:2], 2'b00};
            skip          <= pc[1:0];
        end else begin
            pc <= pc + used;
            if (fills) begin
                fetch_address <= fetch_address + 4;
                skip          <= 0;
            end
        end

    always @(posedge clk)
        if (reset) begin
            outstanding <= 0;
            discard     <= 0;
        end else if (memory_request)
            outstanding <= 1;
        else if (outstanding && memory_valid) begin
            outstanding <= 0;
            discard     <= 0;
        end else if (outstanding && flushes)
            discard <= 1;

    // -------------------------------------------------------------------------------------------------------- issue

    always @(posedge clk)
        if (reset)
            execute_valid <= 0;
        else if (issues) begin
            execute_valid       <= 1;
            execute_instruction <= buffer[31:0];
            execute_pc          <= pc;
        end else if (!execute_stall)
            execute_valid <= 0;

    always @(posedge clk)
        if (reset) begin
            state         <= RUN;
            may_interrupt <= 1;
        end else
            case (state)
                RUN:
                    if (traps)
                        state <= DRAIN;
                    else if (issues && is_return)
                        may_interrupt <= 1;
                DRAIN: begin
                    may_interrupt <= 0;
                    if (!execute_valid && !outstanding)
                        state <= SAVE;
                end
                SAVE: begin
                    saved_pc <= pc;
                    state    <= VECTOR;
                end
                VECTOR:
                    state <= RUN;
            endcase

    initial begin
        execute_valid       = 0;
        execute_instruction = 0;
        execute_pc          = 0;
    end

`ifdef FORMAL
    // Whose request is under way: the stream has another colour behind each branch and trap.
    reg stream_colour  = 0;
    reg request_colour = 0;
    always @(posedge clk) begin
        if (flushes)
            stream_colour <= !stream_colour;
        if (memory_request)
            request_colour <= stream_colour;
    end

    wire [ADDRESS-1:0] stream_end = pc + count;
    wire [ADDRESS-1:0] next_byte  = fetch_address + skip;

    always @* begin
        buffer_in_range: assert (count <= 8);
        no_stale_bytes: assert (!fills || request_colour == stream_colour);
        stream_is_contiguous: assert (stream_end == next_byte);
        trap_is_quiet: assert (!(state == SAVE || state == VECTOR) || (!execute_valid && !outstanding && count == 0));
        traps_do_not_nest: assert (!(state == SAVE || state == VECTOR) || !may_interrupt);
    end
`endif
endmodule
