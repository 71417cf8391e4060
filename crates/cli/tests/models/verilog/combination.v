// A lock that remembers sixteen keys and opens when they are repeated, each after a pause: the run that opens it is long, and what
// has to be typed depends on a memory.
module combination(input clk, input [1:0] key);
  reg [1:0] keys [0:15];
  reg [3:0] place = 0;
  reg [5:0] pause = 0;
  reg       learns = 1, open = 0;

  always @(posedge clk)
    if (learns) begin
      keys[place] <= key;
      place <= place + 1;
      if (place == 15)
        learns <= 0;
    end else if (pause != 40)
      pause <= pause + 1;
    else begin
      pause <= 0;
      if (keys[place] != key)
        place <= 0;
      else begin
        place <= place + 1;
        if (place == 15)
          open <= 1;
      end
    end

  always @(posedge clk)
    closed: assert (!open);
endmodule
