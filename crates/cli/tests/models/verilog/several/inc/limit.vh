`define LIMIT 9
