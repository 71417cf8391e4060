
    always @(posedge clk) assert (n != 3);
