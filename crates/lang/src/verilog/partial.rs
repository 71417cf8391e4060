//! Partial operators: division by zero, and selection of bits that a word does not have.
//!
//! In Verilog the results are undefined, so they are arbitrary here. In BTOR2 they would be ones and zeros, and a proof could
//! rest on that (HL-T8).

use super::netlist::{Bit, Cell, Netlist, Signal};
use serde_json::json;

/// Makes undefined results arbitrary.
pub fn open(netlist: &mut Netlist) {
    for position in 0..netlist.cells.len() {
        match netlist.cells[position].kind.as_str() {
            "$div" | "$mod" | "$divfloor" | "$modfloor" => open_quotient(netlist, position),
            "$shiftx" => open_selection(netlist, position),
            _ => {}
        }
    }
}

/// A quotient or remainder: arbitrary if the divisor is zero.
fn open_quotient(netlist: &mut Netlist, position: usize) {
    let divisor = netlist.cells[position].port("B").to_vec();
    if divisor.contains(&Bit::One) {
        return;
    }
    let is_zero = netlist.binary("$eq", &divisor, &vec![Bit::Zero; divisor.len()]);
    let (result, computed) = replace_output(netlist, position);
    let anything = vec![Bit::Undefined; result.len()];
    let inputs: [(&str, &[Bit]); 3] = [("A", &computed), ("B", &anything), ("S", &[is_zero])];
    netlist.drive("$mux", json!({ "WIDTH": result.len() }), &inputs, "Y", &result);
}

/// Bits of a word from a position on: arbitrary where the word has none. The same selection from a word of ones tells
/// which bits exist.
fn open_selection(netlist: &mut Netlist, position: usize) {
    let cell = netlist.cells[position].clone();
    if is_inside(&cell) {
        return;
    }
    let (result, selected) = replace_output(netlist, position);
    // A shift has zeros outside, if the word has no sign.
    let selecting = &mut netlist.cells[position];
    selecting.kind = "$shift".to_owned();
    selecting.parameters.insert("A_SIGNED".to_owned(), json!(0));
    let parameters = serde_json::Value::Object(selecting.parameters.clone());
    let ones = vec![Bit::One; cell.port("A").len()];
    let inputs: [(&str, &[Bit]); 2] = [("A", &ones), ("B", cell.port("B"))];
    let has_bits = netlist.add("$shift", parameters, &inputs, result.len());
    let width = result.len();
    let one = json!({ "A_SIGNED": 0, "A_WIDTH": width, "Y_WIDTH": width });
    let two = json!({ "A_SIGNED": 0, "A_WIDTH": width, "B_SIGNED": 0, "B_WIDTH": width, "Y_WIDTH": width });
    let has_none = netlist.add("$not", one, &[("A", &has_bits)], width);
    let anything = vec![Bit::Undefined; width];
    let outside = netlist.add("$and", two.clone(), &[("A", &has_none), ("B", &anything)], width);
    netlist.drive("$or", two, &[("A", &selected), ("B", &outside)], "Y", &result);
}

/// Does the word have all bits that can be selected?
fn is_inside(cell: &Cell) -> bool {
    let (word, place, result) = (cell.port("A").len(), cell.port("B").len(), cell.port("Y").len());
    let places = u32::try_from(place).ok().and_then(|bits| 1_usize.checked_shl(bits));
    cell.number("B_SIGNED") == Some(0) && places.is_some_and(|places| places - 1 + result <= word)
}

/// Gives a cell a new output; returns the old one and the new one.
fn replace_output(netlist: &mut Netlist, position: usize) -> (Signal, Signal) {
    let result = netlist.cells[position].port("Y").to_vec();
    let computed = netlist.fresh(result.len());
    netlist.cells[position].ports.insert("Y".to_owned(), computed.clone());
    (result, computed)
}
