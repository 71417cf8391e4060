//! Value change dumps (IEEE 1364, section 18), the format of waveform viewers.
//!
//! One cycle is ten time units, so that a viewer has room between two edges. Names with dots are paths: `core.alu.carry` is the
//! signal `carry` in the scope `alu` in `core`.

use num_bigint::BigUint;
use std::fmt::Write;

/// The length of a cycle.
const CYCLE: usize = 10;

/// A signal with its value in each cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// With dots between scopes.
    pub name: String,
    pub width: u32,
    /// Does it keep its value over a cycle (a register), or get a new one in each (an input)?
    pub is_register: bool,
    /// Its value in each cycle; `None` where it is arbitrary.
    pub values: Vec<Option<BigUint>>,
}

/// The text of a dump.
pub fn vcd(signals: &[Signal], comment: &str) -> String {
    let mut sorted: Vec<(Vec<&str>, &Signal)> =
        signals.iter().map(|signal| (path(&signal.name), signal)).collect();
    // Scopes are contiguous; within one, signals keep their order.
    sorted.sort_by(|(left, _), (right, _)| scopes(left).cmp(scopes(right)));
    let comment = comment.replace("$end", "end");
    let mut text = format!("$comment {comment} $end\n$timescale 1 ns $end\n$scope module top $end\n");
    declare(&mut text, &sorted);
    text.push_str("$upscope $end\n$enddefinitions $end\n");
    let cycles = signals.iter().map(|signal| signal.values.len()).max().unwrap_or(0);
    for cycle in 0..cycles {
        // Writing to a string does not fail.
        let _ = writeln!(text, "#{}", cycle * CYCLE);
        if cycle == 0 {
            text.push_str("$dumpvars\n");
        }
        for (number, (_, signal)) in sorted.iter().enumerate() {
            let now = signal.values.get(cycle);
            if cycle == 0 || now != signal.values.get(cycle - 1) {
                text.push_str(&change(signal, now.and_then(Option::as_ref), &code(number)));
            }
        }
        if cycle == 0 {
            text.push_str("$end\n");
        }
    }
    let _ = writeln!(text, "#{}", cycles * CYCLE);
    text
}

fn declare(text: &mut String, sorted: &[(Vec<&str>, &Signal)]) {
    let mut open: Vec<&str> = Vec::new();
    for (number, (path, signal)) in sorted.iter().enumerate() {
        let wanted = scopes(path);
        let common = open.iter().zip(wanted).take_while(|(left, right)| left == right).count();
        while open.len() > common {
            open.pop();
            text.push_str("$upscope $end\n");
        }
        for scope in &wanted[common..] {
            open.push(scope);
            let _ = writeln!(text, "$scope module {} $end", printable(scope));
        }
        let kind = if signal.is_register { "reg" } else { "wire" };
        let name = printable(path.last().copied().unwrap_or_default());
        let range = if signal.width == 1 { String::new() } else { format!(" [{}:0]", signal.width - 1) };
        let _ = writeln!(text, "$var {kind} {} {} {name}{range} $end", signal.width, code(number));
    }
    text.push_str(&"$upscope $end\n".repeat(open.len()));
}

/// Scopes and the name itself. The dots in generated names (`$and$top.v:3$5`) and in indices (`m[1.5]`) do not separate scopes.
fn path(name: &str) -> Vec<&str> {
    let is_plain = !name.starts_with(['$', '\\']) && !name.split('.').any(str::is_empty);
    if is_plain { name.split('.').collect() } else { vec![name] }
}

fn scopes<'p, 's>(path: &'p [&'s str]) -> &'p [&'s str] {
    path.split_last().map_or(&[], |(_, scopes)| scopes)
}

/// White space ends a name.
fn printable(name: &str) -> String {
    name.chars().map(|letter| if letter.is_ascii_graphic() { letter } else { '_' }).collect()
}

/// A short code of printable characters.
fn code(mut number: usize) -> String {
    let mut code = String::new();
    loop {
        code.push(char::from(b'!' + (number % 94) as u8));
        number /= 94;
        if number == 0 {
            return code;
        }
        number -= 1;
    }
}

fn change(signal: &Signal, value: Option<&BigUint>, code: &str) -> String {
    let digits = value.map_or_else(|| "x".to_string(), |value| value.to_str_radix(2));
    if signal.width == 1 { format!("{digits}{code}\n") } else { format!("b{digits} {code}\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signal(name: &str, width: u32, is_register: bool, values: &[Option<u32>]) -> Signal {
        let values = values.iter().map(|value| value.map(BigUint::from)).collect();
        Signal { name: name.to_string(), width, is_register, values }
    }

    #[test]
    fn scopes_codes_and_changes() {
        let signals = [
            signal("go", 1, false, &[Some(1), Some(0), None]),
            signal("core.alu.sum", 8, true, &[Some(0), Some(0), Some(255)]),
            signal("core.state", 2, true, &[Some(1), Some(2), Some(3)]),
            signal("$and$top.v:3$5", 1, true, &[Some(0), Some(0), Some(0)]),
        ];
        let expected = "\
$comment count.btor2: \"three\" end $end
$timescale 1 ns $end
$scope module top $end
$var wire 1 ! go $end
$var reg 1 \" $and$top.v:3$5 $end
$scope module core $end
$var reg 2 # state [1:0] $end
$scope module alu $end
$var reg 8 $ sum [7:0] $end
$upscope $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
$dumpvars
1!
0\"
b1 #
b0 $
$end
#10
0!
b10 #
#20
x!
b11 #
b11111111 $
#30
";
        assert_eq!(vcd(&signals, "count.btor2: \"three\" $end"), expected);
    }

    #[test]
    fn codes_are_different_and_printable() {
        let codes: Vec<String> = (0..20_000).map(code).collect();
        let distinct: std::collections::BTreeSet<&String> = codes.iter().collect();
        assert_eq!(distinct.len(), codes.len());
        assert!(codes.iter().all(|code| code.bytes().all(|byte| byte.is_ascii_graphic())));
    }
}
