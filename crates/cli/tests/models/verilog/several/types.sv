package types;
    localparam WIDTH = 4;
endpackage
