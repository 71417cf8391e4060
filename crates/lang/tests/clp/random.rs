//! Random programs survive printing and reading.

use crate::interpreter::Dice;
use crate::roundtrip::survives;
use proptest::prelude::*;

const NUMBERS: &[&str] = &["X", "Y", "N", "I'", "Id"];
const ARRAYS: &[&str] = &["K", "L", "K'"];
const COMPARISONS: &[&str] = &["=", "!=", "<", "<=", ">", ">="];

/// Writes random programs whose sorts fit.
struct Author {
    dice: Dice,
}

impl Author {
    fn pick(&mut self, words: &[&'static str]) -> &'static str {
        words[self.dice.below(words.len())]
    }

    fn number(&mut self, depth: usize) -> String {
        match self.dice.below(if depth == 0 { 2 } else { 10 }) {
            0 => (self.dice.below(7) as i64 - 3).to_string(),
            1 | 2 => self.pick(NUMBERS).to_string(),
            3 => format!("{} + {}", self.number(depth - 1), self.number(depth - 1)),
            4 => format!("({} - {})", self.number(depth - 1), self.number(depth - 1)),
            5 => format!("{}*({})", self.dice.below(4), self.number(depth - 1)),
            6 => format!("-({})", self.number(depth - 1)),
            7 | 8 => format!("{}[{}]", self.array(depth - 1), self.number(depth - 1)),
            _ => {
                let (condition, then) = (self.constraint(depth - 1), self.number(depth - 1));
                format!("(if {condition} then {then} else {})", self.number(depth - 1))
            }
        }
    }

    fn array(&mut self, depth: usize) -> String {
        match self.dice.below(if depth == 0 { 1 } else { 6 }) {
            0..3 => self.pick(ARRAYS).to_string(),
            3 | 4 => {
                let (array, place) = (self.array(depth - 1), self.number(depth - 1));
                format!("<{array},{place},{}>", self.number(depth - 1))
            }
            _ => {
                let (condition, then) = (self.constraint(depth - 1), self.array(depth - 1));
                format!("(if {condition} then {then} else {})", self.array(depth - 1))
            }
        }
    }

    fn constraint(&mut self, depth: usize) -> String {
        match self.dice.below(if depth == 0 { 2 } else { 9 }) {
            0 | 1 => {
                format!("{} {} {}", self.number(depth), self.pick(COMPARISONS), self.number(depth))
            }
            2 => {
                let sign = self.pick(&["=", "!="]);
                format!("{} {sign} {}", self.array(depth - 1), self.array(depth - 1))
            }
            3 => format!("({}, {})", self.constraint(depth - 1), self.constraint(depth - 1)),
            4 => format!("({} \\/ {})", self.constraint(depth - 1), self.constraint(depth - 1)),
            5 => format!("~({})", self.constraint(depth - 1)),
            6 => {
                let [a, b, c, d] = [(); 4].map(|()| self.number(depth - 1));
                format!("({a}, {b}) {} ({c}, {d})", self.pick(COMPARISONS))
            }
            7 => {
                let [a, b, c] = [(); 3].map(|()| self.number(depth - 1));
                format!("{a} {} {b} {} {c}", self.pick(COMPARISONS), self.pick(COMPARISONS))
            }
            _ => self.pick(&["true", "false"]).to_string(),
        }
    }

    fn atom(&mut self) -> String {
        match self.dice.below(3) {
            0 => "r".to_string(),
            1 => format!("p({})", self.number(2)),
            _ => format!("q({}, {})", self.array(2), self.number(2)),
        }
    }

    fn goal(&mut self) -> String {
        let parts: Vec<String> = (0..1 + self.dice.below(4))
            .map(|_| match self.dice.below(5) {
                0 | 1 => self.atom(),
                2 => format!("({} ; {})", self.atom(), self.constraint(1)),
                _ => self.constraint(3),
            })
            .collect();
        parts.join(", ")
    }

    /// A goal without disjunctions that have atoms in them.
    fn simple(&mut self) -> String {
        let parts: Vec<String> = (0..1 + self.dice.below(3))
            .map(|_| if self.dice.below(2) == 0 { self.atom() } else { self.constraint(3) })
            .collect();
        parts.join(", ")
    }

    fn state(&mut self) -> String {
        format!("sys({}, {})", self.array(2), self.number(2))
    }

    fn program(&mut self) -> String {
        let mut text = "p(0). q(K, 0) :- K = L, L = <K',0,1>. r.\n".to_string();
        for _ in 0..3 {
            let (head, body) = (self.atom(), self.goal());
            text.push_str(&format!("{head} :- {body}.\n"));
        }
        for _ in 0..2 {
            let (from, goal, to) = (self.state(), self.goal(), self.state());
            text.push_str(&format!("{from} :- {goal}, {to}.\n"));
        }
        text.push_str(&format!("start {}, {}.\n", self.state(), self.simple()));
        let (at, by) = (self.state(), self.state());
        text.push_str(&format!("abstract {at}, {} by {by}, {}.\n", self.simple(), self.simple()));
        let (state, left) = (self.state(), self.goal());
        text.push_str(&format!("property {state}, {left} |= {}.\n", self.simple()));
        for _ in 0..2 {
            let left = self.goal();
            text.push_str(&format!("prove {left} |= {}.\n", self.simple()));
        }
        text
    }
}

proptest! {
    #![proptest_config(tenet_chance::cases(400))]

    #[test]
    fn random_programs_survive(seed in any::<u64>()) {
        let text = Author { dice: Dice(seed) }.program();
        survives(&text);
    }
}

/// A program of which another form was read when it was printed: `1 = (c ? 1 + (d ? -1 : I') : -1)` was simplified less than
/// its parts.
#[test]
fn what_was_found_before_survives() {
    survives(&Author { dice: Dice(11504017017121596700) }.program());
}
