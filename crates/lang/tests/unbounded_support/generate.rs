//! Random small models: one scalarset, an enumeration, a range, a few arrays and scalars, rules with nested statements.
//!
//! Values are always defined. Some loops are independent and some are not, so that both the reading and the refusal are
//! exercised.

use std::fmt::Write;

use tenet_chance::Random;

/// A random model; the declaration says what the type `P` is.
pub fn generate(seed: u64, declaration: &str) -> String {
    let mut random = Random::new(seed);
    let mut text = format!("{declaration}\n");
    text.push_str(
        "type E : enum {red, green}; R : 0..2;\n\
         var a : array [P] of R; b : array [P] of boolean; c : array [P] of array [E] of boolean;\n\
         d : record who : P; col : E; end; n : R; f : boolean; m : array [R] of boolean;\n\
         function some(x : R) : boolean;\nbegin\n  for q : P do if a[q] = x then return true; end; end;\n  return false;\nend;\n\
         define either(x : array [P] of boolean; q : P; r : P) : boolean := x[q] | x[r] & q != r;\n\
         procedure set(var r : R; v : R);\nbegin\n  if v > 1 then return; end;\n  r := v + 1;\nend;\n\
         ruleset s : P do startstate \"start\"\n  for i : P do a[i] := 0; b[i] := i = s; for e : E do c[i][e] := false; end; end;\n\
         \x20 d.who := s; d.col := red; n := 0; f := false; for k : R do m[k] := false; end;\nend end;\n",
    );
    for number in 0..2 {
        let mut body = Body { random: &mut random, loops: Vec::new(), temporary: false };
        let guard = body.formula(2);
        let statements = body.block(3, 2);
        let _ = writeln!(
            text,
            "ruleset p : P do rule \"rule {number}\"\n  {guard}\n==>\nvar t : R; w : P;\nbegin\n  t := 0; w := p;\n{statements}end end;"
        );
    }
    let mut body = Body { random: &mut random, loops: Vec::new(), temporary: false };
    let formula = body.formula(3).replace("t = ", "n = ").replace(" w", " p");
    let _ = writeln!(text, "ruleset p : P do invariant \"inv\" {formula}; end;");
    text
}

struct Body<'a> {
    random: &'a mut Random,
    /// Names of loop variables over `P` that are in scope.
    loops: Vec<String>,
    /// Whether locals may be read.
    temporary: bool,
}

impl Body<'_> {
    fn node(&mut self) -> String {
        if let Some(variable) = self.loops.last()
            && self.random.below(20) > 0
        {
            return variable.clone();
        }
        let local = self.temporary && self.loops.is_empty();
        let places: &[&str] = if local { &["p", "d.who", "w"] } else { &["p", "d.who"] };
        self.random.pick(places).to_owned()
    }

    fn number(&mut self) -> String {
        // A scalar that a loop writes is read by other iterations: rare, or nearly every loop would be refused.
        let scalars = self.loops.is_empty() || self.random.below(8) == 0;
        match self.random.below(if self.temporary { 8 } else { 7 }) {
            0 | 3 | 4 if !scalars => format!("a[{}]", self.node()),
            0 => "n".to_owned(),
            1 => format!("a[{}]", self.node()),
            2 => format!("(a[{}] + 1) % 3", self.node()),
            3 => "2 - n".to_owned(),
            4 => "n + 1".to_owned(),
            5 | 6 => self.random.pick(&["0", "1", "2"]).to_owned(),
            _ if scalars => "t".to_owned(),
            _ => "1".to_owned(),
        }
    }

    fn formula(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.below(3) == 0 {
            let scalars = self.loops.is_empty() || self.random.below(8) == 0;
            return match self.random.below(10) {
                8 if self.loops.is_empty() => {
                    let (place, value) = (self.node(), self.random.pick(&["true", "f"]));
                    format!("either(b[{place} := {value}], {}, {})", self.node(), self.node())
                }
                9 if self.loops.is_empty() => {
                    format!("c[{}, {} := f] = c", self.node(), self.random.pick(&["red", "d.col"]))
                }
                0 | 4 | 6 if !scalars => format!("b[{}]", self.node()),
                0 => "f".to_owned(),
                1 => format!("b[{}]", self.node()),
                2 => format!("c[{}][{}]", self.node(), self.random.pick(&["red", "green", "d.col"])),
                3 => format!("{} = {}", self.node(), self.node()),
                4 => format!("n {} {}", self.random.pick(&["=", "<=", "<"]), self.number()),
                5 => format!("m[{}]", self.number()),
                6 => format!("some({})", self.random.pick(&["n", "0", "1"])),
                _ => format!("d.col = {}", self.random.pick(&["red", "green"])),
            };
        }
        match self.random.below(5) {
            0 => format!("!({})", self.formula(depth - 1)),
            1 => format!("({} & {})", self.formula(depth - 1), self.formula(depth - 1)),
            2 => format!("({} | {})", self.formula(depth - 1), self.formula(depth - 1)),
            3 => format!("({} -> {})", self.formula(depth - 1), self.formula(depth - 1)),
            _ => {
                let name = format!("q{}", self.loops.len());
                let kind = self.random.pick(&["forall", "exists"]);
                self.loops.push(name.clone());
                let body = self.formula(depth - 1);
                self.loops.pop();
                format!("({kind} {name} : P do {body} end)")
            }
        }
    }

    fn block(&mut self, length: usize, depth: u32) -> String {
        let count = 1 + self.random.below(length);
        self.temporary = true;
        (0..count).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: u32) -> String {
        if depth > 0 && self.random.below(3) > 0 {
            return match self.random.below(6) {
                0 | 1 => {
                    let condition = self.formula(2);
                    format!(
                        "  if {condition} then\n{}  else\n{}  end;\n",
                        self.block(2, depth - 1),
                        self.block(1, depth - 1)
                    )
                }
                2..=4 => {
                    let name = format!("i{}", self.loops.len());
                    self.loops.push(name.clone());
                    let body = self.block(2, depth - 1);
                    self.loops.pop();
                    format!("  for {name} : P do\n{body}  end;\n")
                }
                _ => {
                    let body = self.block(1, depth - 1);
                    format!(
                        "  for e : E do\n    c[{}][e] := {};\n{body}  end;\n",
                        self.node(),
                        self.formula(1)
                    )
                }
            };
        }
        match self.random.below(15) {
            12 if self.loops.is_empty() => format!("  b := b[{} := {}];\n", self.node(), self.formula(1)),
            13 if self.loops.is_empty() => {
                format!("  a := a[{} := {}][{} := n];\n", self.node(), self.number(), self.node())
            }
            14 => {
                let (from, to) = (self.node(), self.node());
                format!(
                    "  c[{to}] := c[{from}][{} := {}];\n",
                    self.random.pick(&["red", "d.col"]),
                    self.formula(1)
                )
            }
            0 | 1 => format!("  a[{}] := {};\n", self.node(), self.number()),
            2 | 3 => format!("  b[{}] := {};\n", self.node(), self.formula(1)),
            4 if self.loops.is_empty() => format!("  n := {};\n", self.number()),
            4 => format!("  n := {};\n", self.random.pick(&["0", "1", "2"])),
            5 => format!("  f := {};\n", self.random.pick(&["true", "false", "d.col = red"])),
            6 => format!("  t := {};\n  n := t;\n", self.number()),
            7 => format!("  w := {};\n  b[w] := {};\n", self.node(), self.formula(1)),
            8 => format!("  set(a[{}], {});\n", self.node(), self.number()),
            9 => format!("  assert {} \"asserted\";\n", self.formula(1)),
            10 => format!("  c[{}] := c[{}];\n", self.node(), self.node()),
            _ => format!("  alias z : a[{}] do z := {}; end;\n", self.node(), self.number()),
        }
    }
}
