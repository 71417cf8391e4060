//! The supported subset of netlists (HL-T8): whatever has no meaning in cycles of one clock is refused, never guessed.

use super::netlist::{Bit, Cell, Direction, Netlist};
use super::registers::public_name;
use super::wiring::is_data;
use crate::codes::verilog as codes;
use crate::diagnostic::Explanation;

/// A refused part.
pub struct Refused {
    pub code: &'static Explanation,
    pub message: String,
    /// Its place, as Yosys writes it.
    pub source: String,
}

/// Everything in a netlist that is refused.
pub fn refused(netlist: &Netlist) -> Vec<Refused> {
    let both = netlist.ports.iter().filter(|port| port.direction == Direction::Both).map(|port| Refused {
        code: &codes::TRISTATE,
        message: format!("the port `{}` goes both ways", port.name),
        source: String::new(),
    });
    both.chain(netlist.cells.iter().filter_map(|cell| refused_cell(netlist, cell))).collect()
}

fn refused_cell(netlist: &Netlist, cell: &Cell) -> Option<Refused> {
    let output = || {
        let bits = if cell.port("Q").is_empty() { cell.port("Y") } else { cell.port("Q") };
        public_name(netlist, bits).unwrap_or_else(|| "a signal".to_owned())
    };
    let inputs = || cell.ports.iter().filter(|(port, _)| is_data(cell, port)).flat_map(|(_, bits)| bits);
    let (code, message) = match cell.kind.as_str() {
        "$aldff" | "$dffsr" => (
            &codes::UNSUPPORTED,
            format!("`{}` is set by something other than its clock or a constant reset", output()),
        ),
        "$live" | "$fair" => (&codes::UNSUPPORTED, "liveness and fairness are not supported".to_owned()),
        "$allconst" | "$allseq" => {
            (&codes::UNSUPPORTED, "`$allconst` and `$allseq` are not supported".to_owned())
        }
        // Newer versions of Yosys write assertions in this form.
        "$check" => {
            (&codes::UNSUPPORTED, "this version of Yosys is not supported; 0.23 is known to work".to_owned())
        }
        "$tribuf" => (&codes::TRISTATE, format!("`{}` can be high-impedance", output())),
        "$eqx" | "$nex" if inputs().any(|bit| matches!(bit, Bit::Undefined | Bit::HighZ)) => {
            (&codes::UNSUPPORTED, "a comparison with `x` or `z` has no meaning over two values".to_owned())
        }
        _ if inputs().any(|bit| *bit == Bit::HighZ) => {
            (&codes::TRISTATE, format!("`{}` can be high-impedance", output()))
        }
        kind if !kind.starts_with('$') || kind.starts_with("$paramod") => (
            &codes::UNSUPPORTED,
            format!("the module `{kind}` has no content (a black box), and a port that goes both ways"),
        ),
        _ => return None,
    };
    Some(Refused { code, message, source: cell.source.clone() })
}
