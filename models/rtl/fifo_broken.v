// A queue of words with a bug: see fifo.v for the correct one and the properties.
//
// The bug: when a word goes in and one comes out in the same cycle, the second assignment to `count` wins, and a word is lost
// from the count.
//
// What to expect:
//   tenet prove models/rtl/fifo_broken.v    unsafe, "pointers_agree" and "watched_is_inside" are false after 2 steps,
//                                           "watched_comes_out" and "place_is_in_order" after 3, "word_is_there" after 10

module fifo #(
    parameter WIDTH = 32,
    parameter INDEX = 3           // bits of a pointer: 2^INDEX words
) (
    input  wire             clk,
    input  wire             reset,
    input  wire             push,
    input  wire [WIDTH-1:0] data_in,
    input  wire             pop,
    output wire [WIDTH-1:0] data_out,
    output wire             is_empty,
    output wire             is_full
);
    localparam DEPTH = 1 << INDEX;

    reg [WIDTH-1:0] memory [0:DEPTH-1];
    reg [INDEX-1:0] read_pointer  = 0;
    reg [INDEX-1:0] write_pointer = 0;
    reg [INDEX:0]   count         = 0;

    assign is_empty = count == 0;
    assign is_full  = count == DEPTH;
    assign data_out = memory[read_pointer];

    wire writes = push && !is_full;
    wire reads  = pop && !is_empty;

    always @(posedge clk)
        if (writes)
            memory[write_pointer] <= data_in;

    always @(posedge clk)
        if (reset) begin
            read_pointer  <= 0;
            write_pointer <= 0;
            count         <= 0;
        end else begin
            if (writes)
                write_pointer <= write_pointer + 1;
            if (reads)
                read_pointer <= read_pointer + 1;
            if (writes)
                count <= count + 1;
            if (reads)
                count <= count - 1;         // BUG: not if there is a write, too
        end

`ifdef FORMAL
    (* anyseq *) wire is_the_one;
    reg             watching = 0;
    reg [WIDTH-1:0] watched;
    reg [INDEX:0]   in_front = 0;
    reg [INDEX-1:0] place    = 0;

    always @(posedge clk)
        if (reset)
            watching <= 0;
        else if (watching) begin
            if (reads) begin
                in_front <= in_front - 1;
                if (in_front == 0)
                    watching <= 0;
            end
        end else if (writes && is_the_one) begin
            watching <= 1;
            watched  <= data_in;
            in_front <= reads ? count - 1 : count;
            place    <= write_pointer;
        end

    wire [INDEX-1:0] distance        = write_pointer - read_pointer;
    wire [INDEX-1:0] watched_pointer = read_pointer + in_front;

    always @* begin
        count_in_range: assert (count <= DEPTH);
        pointers_agree: assert (distance == count[INDEX-1:0]);
        watched_is_inside: assert (!watching || in_front < count);
        place_is_in_order: assert (!watching || place == watched_pointer);
        word_is_there: assert (!watching || memory[place] == watched);
        watched_comes_out: assert (!(watching && in_front == 0) || data_out == watched);
    end
`endif
endmodule
