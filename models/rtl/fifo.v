// A queue of words in a memory, with pointers that go round.
//
// Design of our own. WIDTH is free, and nothing here computes with the words, so proofs should not depend on it.
//
// To say that every word comes out as it went in, and in order, one of them is watched: at a moment that is not determined
// the word that goes in is written down, and how many words are in front of it.
//
// Properties, all true. What a user sees: when it is its turn the watched word comes out unchanged ("watched_comes_out"). Why it is
// so: the number of words is in range ("count_in_range") and is what the pointers say ("pointers_agree"), the watched word is among
// them ("watched_is_inside"), its place is that of its turn ("place_is_in_order"), and there it is ("word_is_there").
//
// What to expect:
//   tenet prove models/rtl/fifo.v                     safe
//   tenet prove models/rtl/fifo.v --const WIDTH=64    safe

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
            if (writes && !reads)
                count <= count + 1;
            else if (reads && !writes)
                count <= count - 1;
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
