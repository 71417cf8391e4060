//! Verilog
mod lexer;
mod netlist;
pub mod rewrite;
pub mod scan;
