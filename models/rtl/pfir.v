// A programmable FIR filter: up to eight taps, coefficients that a host loads, one multiplier that works bit by bit.
//
// The host sends commands: how many taps, then the coefficients, then their checksum; only a filter whose checksum was
// right can be started. Samples go into a delay line. When it is full, every (skip + 1)th sample gives a result: the
// sequencer fetches sample and coefficient of one tap after the other, multiplies by shifting and adding, and puts the
// saturated sum out. The coefficients have one port, which the sequencer and a host that reads them back share. A filter
// stops when it is told to, at the end of a burst, or when it has saturated too often.
//
// Design of our own for the experiment with hybrid abstraction (E. Clarke, O. Grumberg, M. Talupur, D. Wang, "High Level
// Verification of Control Intensive Systems Using Predicate Abstraction", MEMOCODE 2003), whose PFIR is not public: the
// same size (246 to 249 register bits in the cone of influence of each property), the same kind of control.
//
// Properties: nine, at the end of the file. Seven are true, two are too bold. The conditions of the self-checks are what proofs
// of prop7, prop10 and prop12 need; who does not take branch conditions for predicates has to find them out.
//
// What to expect:
//   tenet prove models/rtl/pfir.v --property scr1     unsafe; the shortest run has 16 states (15 steps)
//   tenet prove models/rtl/pfir.v --property prop5    unsafe; the shortest run has 17 states (16 steps)
//   tenet prove models/rtl/pfir.v --property prop2    safe, and so are prop3, prop7, prop8, prop9, prop10 and prop12

module pfir #(
    parameter WIDTH = 8,          // of samples, coefficients and results
    parameter COUNT = 3           // bits of a tap number: 2^COUNT taps at most
) (
    input  wire                    clk,
    input  wire                    reset,
    // commands of the host
    input  wire                    host_valid,
    input  wire [2:0]              host_command,
    input  wire [WIDTH-1:0]        host_data,
    output reg  [WIDTH-1:0]        host_answer,
    // samples
    input  wire                    sample_valid,
    input  wire signed [WIDTH-1:0] sample,
    output wire                    sample_ready,
    // results
    output reg                     result_valid,
    output reg  signed [WIDTH-1:0] result,
    input  wire                    result_ready,
    output wire                    busy,
    // what the self-checks have seen
    output reg  [1:0]              alarms
);
    localparam TAPS = 1 << COUNT;
    localparam SUM  = 2 * WIDTH + COUNT;

    // What the host can ask for.
    localparam [2:0] SET_LENGTH = 3'd0, WRITE = 3'd1, CHECK = 3'd2, START = 3'd3, STOP = 3'd4, READ = 3'd5, CLEAR = 3'd6,
                     SET_TIMEOUT = 3'd7;

    // How far the configuration is.
    localparam [2:0] NO_CONF = 3'd0, LOADING = 3'd1, CHECKING = 3'd2, READY = 3'd3, RUNNING = 3'd4, DRAINING = 3'd5,
                     FAULT = 3'd6;

    // What the sequencer does.
    localparam [2:0] IDLE = 3'd0, REQUEST = 3'd1, FETCH = 3'd2, MULTIPLY = 3'd3, SATURATE = 3'd4, OUTPUT = 3'd5;

    // Who has the port of the coefficients.
    localparam [1:0] FREE = 2'd0, SEQUENCER = 2'd1, HOST = 2'd2, TURNAROUND = 2'd3;

    localparam [1:0] SATURATED_TOO_OFTEN = 2'd3;
    localparam [1:0] WAITED_TOO_LONG = 2'd3;

    wire set_length  = host_valid && host_command == SET_LENGTH;
    wire write       = host_valid && host_command == WRITE;
    wire check       = host_valid && host_command == CHECK;
    wire start       = host_valid && host_command == START;
    wire stop        = host_valid && host_command == STOP;
    wire read        = host_valid && host_command == READ;
    wire clear       = host_valid && host_command == CLEAR;
    wire set_timeout = host_valid && host_command == SET_TIMEOUT;

    // ------------------------------------------------------------------------------------------------ configuration

    reg [2:0]            mode         = NO_CONF;
    reg [COUNT-1:0]      length       = 0;      // number of the last tap
    reg [COUNT-1:0]      skip         = 0;      // samples between two results
    reg [COUNT-1:0]      loaded       = 0;      // where the next coefficient goes
    reg [WIDTH-1:0]      checksum     = 0;
    reg [TAPS*WIDTH-1:0] coefficients = 0;
    reg [WIDTH-1:0]      timeout      = 0;      // how long a result may wait while the filter is being stopped
    reg [WIDTH-1:0]      burst        = 0;      // results until the filter stops by itself; 0 if it does not
    reg [1:0]            saturations  = 0;      // results in a row that did not fit

    reg [2:0]            sequencer    = IDLE;

    wire is_idle      = sequencer == IDLE;
    wire is_saturated = saturations == SATURATED_TOO_OFTEN;
    wire is_taken     = result_valid && result_ready;

    always @(posedge clk)
        if (reset) begin
            mode     <= NO_CONF;
            length   <= 0;
            skip     <= 0;
            loaded   <= 0;
            checksum <= 0;
            timeout  <= 0;
            burst    <= 0;
        end else
            case (mode)
                NO_CONF:
                    if (set_length) begin
                        length   <= host_data[COUNT-1:0];
                        skip     <= host_data[2*COUNT-1:COUNT];
                        loaded   <= 0;
                        checksum <= 0;
                        mode     <= LOADING;
                    end
                LOADING:
                    if (clear)
                        mode <= NO_CONF;
                    else if (write) begin
                        checksum <= {checksum[WIDTH-2:0], checksum[WIDTH-1]} ^ host_data;
                        if (loaded == length)
                            mode <= CHECKING;
                        else
                            loaded <= loaded + 1;
                    end
                CHECKING:
                    if (clear)
                        mode <= NO_CONF;
                    else if (check)
                        mode <= host_data == checksum ? READY : FAULT;
                READY:
                    if (clear)
                        mode <= NO_CONF;
                    else if (set_timeout)
                        timeout <= host_data;
                    else if (start) begin
                        burst <= host_data;
                        mode  <= RUNNING;
                    end
                RUNNING: begin
                    if (is_taken && burst != 0)
                        burst <= burst - 1;
                    if (stop || (is_taken && burst == 1))
                        mode <= DRAINING;
                    else if (is_saturated && is_idle)
                        mode <= FAULT;
                end
                DRAINING:
                    if (is_idle)
                        mode <= READY;
                FAULT:
                    if (clear)
                        mode <= NO_CONF;
                default:
                    mode <= FAULT;
            endcase

    // The address decoder of the coefficients.
    integer tap_number;
    always @(posedge clk)
        for (tap_number = 0; tap_number < TAPS; tap_number = tap_number + 1)
            if (mode == LOADING && write && loaded == tap_number)
                coefficients[tap_number*WIDTH +: WIDTH] <= host_data;

    // --------------------------------------------------------------------------------------------------- delay line

    reg [TAPS*WIDTH-1:0] samples = 0;
    reg [COUNT-1:0]      filled  = 0;           // samples in the line, without the one that makes it full
    reg [COUNT-1:0]      missing = 0;           // and how many more it needs
    reg [COUNT-1:0]      phase   = 0;           // samples since the last result

    assign sample_ready = mode == RUNNING && is_idle && !is_saturated;
    wire accept = sample_valid && sample_ready;
    wire begins = accept && missing == 0 && phase == skip;

    always @(posedge clk)
        if (reset || mode == READY) begin
            filled  <= 0;
            missing <= length;
            phase   <= 0;
        end else if (accept) begin
            samples <= {samples[(TAPS-1)*WIDTH-1:0], sample};
            if (missing != 0) begin
                filled  <= filled + 1;
                missing <= missing - 1;
            end else if (phase == skip)
                phase <= 0;
            else
                phase <= phase + 1;
        end

    // ---------------------------------------------------------------------------------- the port of the coefficients

    reg [1:0]       port           = FREE;
    reg             grants_fetch   = 0;         // the sequencer may fetch
    reg             grants_host    = 0;         // the host may read
    reg             host_waits     = 0;
    reg [1:0]       host_patience  = 0;         // how long it does
    reg [COUNT-1:0] host_address   = 0;

    always @(posedge clk)
        if (reset) begin
            port         <= FREE;
            grants_fetch <= 0;
            grants_host  <= 0;
        end else
            case (port)
                FREE:
                    if (host_waits && (sequencer != REQUEST || host_patience == WAITED_TOO_LONG)) begin
                        port        <= HOST;
                        grants_host <= 1;
                    end else if (sequencer == REQUEST) begin
                        port         <= SEQUENCER;
                        grants_fetch <= 1;
                    end
                SEQUENCER:
                    if (sequencer == FETCH) begin
                        port         <= TURNAROUND;
                        grants_fetch <= 0;
                    end
                HOST: begin
                    port        <= TURNAROUND;
                    grants_host <= 0;
                end
                TURNAROUND:
                    port <= FREE;
            endcase

    always @(posedge clk)
        if (reset) begin
            host_waits    <= 0;
            host_patience <= 0;
        end else if (grants_host) begin
            host_answer   <= coefficients[host_address*WIDTH +: WIDTH];
            host_waits    <= 0;
            host_patience <= 0;
        end else if (host_waits) begin
            if (host_patience != WAITED_TOO_LONG)
                host_patience <= host_patience + 1;
        end else if (read && mode != NO_CONF && mode != LOADING) begin
            host_address <= host_data[COUNT-1:0];
            host_waits   <= 1;
        end

    // ---------------------------------------------------------------------------------------------------- sequencer

    reg [COUNT-1:0]        tap          = 0;
    reg [COUNT-1:0]        left         = 0;    // taps behind this one
    reg signed [SUM-1:0]   multiplicand = 0;    // the sample, shifted to where the multiplication is
    reg [WIDTH-1:0]        multiplier   = 0;    // the bits of the coefficient that are left
    reg [COUNT-1:0]        bit_number   = 0;
    reg signed [SUM-1:0]   sum          = 0;
    reg [WIDTH-1:0]        patience     = 0;    // how long a result has waited

    // The sign bit of a coefficient counts negative; if all bits that are left are zero, nothing would be added.
    wire is_sign       = bit_number == WIDTH - 1;
    wire product_done  = is_sign || multiplier[WIDTH-1:1] == 0;
    wire fits          = &sum[SUM-1:2*WIDTH-2] || ~|sum[SUM-1:2*WIDTH-2];

    always @(posedge clk)
        if (reset) begin
            sequencer    <= IDLE;
            result_valid <= 0;
            tap          <= 0;
            left         <= 0;
            patience     <= 0;
            saturations  <= 0;
        end else
            case (sequencer)
                IDLE: begin
                    if (mode == READY)
                        saturations <= 0;
                    if (begins) begin
                        tap       <= 0;
                        left      <= length;
                        sum       <= 0;
                        sequencer <= REQUEST;
                    end
                end
                REQUEST:
                    if (grants_fetch)
                        sequencer <= FETCH;
                FETCH: begin
                    multiplicand <= $signed(samples[tap*WIDTH +: WIDTH]);
                    multiplier   <= coefficients[tap*WIDTH +: WIDTH];
                    bit_number   <= 0;
                    sequencer    <= MULTIPLY;
                end
                MULTIPLY: begin
                    if (multiplier[0])
                        sum <= is_sign ? sum - multiplicand : sum + multiplicand;
                    multiplicand <= multiplicand <<< 1;
                    multiplier   <= multiplier >> 1;
                    bit_number   <= bit_number + 1;
                    if (product_done) begin
                        if (left == 0)
                            sequencer <= SATURATE;
                        else begin
                            tap       <= tap + 1;
                            left      <= left - 1;
                            sequencer <= REQUEST;
                        end
                    end
                end
                SATURATE: begin
                    if (fits) begin
                        result      <= sum[2*WIDTH-2:WIDTH-1];
                        saturations <= 0;
                    end else begin
                        result <= {sum[SUM-1], {WIDTH-1{!sum[SUM-1]}}};
                        if (!is_saturated)
                            saturations <= saturations + 1;
                    end
                    result_valid <= 1;
                    patience     <= 0;
                    sequencer    <= OUTPUT;
                end
                OUTPUT:
                    // A result that nobody takes is given up while draining, so that draining ends.
                    if (result_ready || (mode == DRAINING && patience == timeout)) begin
                        result_valid <= 0;
                        sequencer    <= IDLE;
                    end else
                        patience <= patience + 1;
                default:
                    sequencer <= IDLE;
            endcase

    assign busy = !is_idle;

    // -------------------------------------------------------------------------------------------------- self-checks

    // Counters that go up and those that go down have to agree. If one of them is disturbed, the host can see it.
    always @(posedge clk)
        if (reset)
            alarms <= 0;
        else begin
            if (busy)
                if (tap + left != length)
                    alarms[0] <= 1;
            if (mode == RUNNING)
                if (filled + missing != length)
                    alarms[1] <= 1;
        end

    initial begin
        result_valid = 0;
        result       = 0;
        host_answer  = 0;
        alarms       = 0;
    end

`ifdef FORMAL
    // --------------------------------------------------------------------------------------------------- properties

    wire is_configured = mode == READY || mode == RUNNING || mode == DRAINING;

    always @* begin
        // A host does not lose its patience before a sum of several taps is complete. False: the sequencer can be first
        // at the port twice.
        scr1: assert (!(host_patience == WAITED_TOO_LONG && sequencer == SATURATE && tap != 0));
        // A result is shown only by a filter that runs or is being stopped.
        prop2: assert (!result_valid || (sequencer == OUTPUT && (mode == RUNNING || mode == DRAINING)));
        // Coefficients do not change under the sequencer.
        prop3: assert (!(busy && mode == LOADING));
        // A filter that is being stopped has no result of several taps to show. False: that is what draining is for.
        prop5: assert (!(mode == DRAINING && result_valid && length != 0));
        // The tap number stays in range.
        prop7: assert (!busy || tap <= length);
        // Whoever is configured has loaded as many coefficients as were announced.
        prop8: assert (!is_configured || loaded == length);
        // The port has one owner, and who fetches owns it.
        prop9: assert (!(grants_fetch && grants_host) && (sequencer != FETCH || grants_fetch));
        // No sum is begun before the delay line is full.
        prop10: assert (!busy || filled == length);
        // A result has seen all taps.
        prop12: assert (!result_valid || tap == length);
    end
`endif
endmodule
