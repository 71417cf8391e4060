//! A property as Verilog: registers that follow every attempt, and an expression that is false when one fails.
//!
//! An attempt begins in every cycle. Attempts that are at the same place behave alike from there on, so one bit tells whether there
//! is any: a sequence turns the bit for "an attempt begins here" into that for "one matches here", and a delay is a shift register,
//! which is empty in the first cycle. Where a sequence has to match, the bits for its expressions are the assertion. While the
//! property is disabled nothing fails, and all attempts are forgotten.

use super::property::{Property, Refusal, Sequence, Spec};

/// The registers for a property, and what holds unless an attempt fails.
#[derive(Clone, Debug, Default)]
pub struct Monitor {
    /// The prefix of its registers.
    prefix: String,
    /// Declarations.
    declared: Vec<String>,
    /// Next values.
    next: Vec<String>,
    /// Conjuncts.
    holds: Vec<String>,
    disable: Option<String>,
}

/// A bit that tells whether an attempt is here.
type Here = String;

impl Monitor {
    /// The monitor of an assertion or assumption.
    pub fn of(spec: &Spec, prefix: &str) -> Result<Monitor, Refusal> {
        let mut monitor =
            Monitor { prefix: prefix.to_owned(), disable: spec.disable.clone(), ..Monitor::default() };
        monitor.property("1'b1".to_owned(), &spec.property)?;
        Ok(monitor)
    }

    /// The monitor of a cover: the bit for a match is its only conjunct.
    pub fn of_cover(spec: &Spec, prefix: &str) -> Result<Monitor, Refusal> {
        let mut monitor =
            Monitor { prefix: prefix.to_owned(), disable: spec.disable.clone(), ..Monitor::default() };
        let mut here = "1'b1".to_owned();
        let mut property = &spec.property;
        loop {
            match property {
                Property::Match(sequence) => {
                    let matched = monitor.matches(here, sequence);
                    monitor.holds.push(matched);
                    return Ok(monitor);
                }
                // It is covered by what is not vacuous.
                Property::Implies { if_matched, is_next, then } => {
                    here = monitor.matches(here, if_matched);
                    if *is_next {
                        here = monitor.delayed(&here, 1);
                    }
                    property = then;
                }
                Property::Not(_) => return Err(Refusal::Unsupported("`not` in a cover".to_owned())),
            }
        }
    }

    /// Declarations and the clocked block without the statement itself.
    pub fn declarations(&self) -> String {
        self.declared.concat()
    }

    /// Assignments of the registers.
    pub fn updates(&self) -> String {
        self.next.concat()
    }

    /// What an assertion or assumption says.
    pub fn condition(&self) -> String {
        let all = self.holds.join(" && ");
        match &self.disable {
            None => all,
            Some(disable) => format!("({disable}) || ({all})"),
        }
    }

    /// What a cover reaches.
    pub fn reached(&self) -> String {
        let all = self.holds.join(" && ");
        match &self.disable {
            None => all,
            Some(disable) => format!("!({disable}) && ({all})"),
        }
    }

    fn property(&mut self, here: Here, property: &Property) -> Result<(), Refusal> {
        match property {
            Property::Match(sequence) => self.must_match(here, sequence, true).map(|_| ()),
            Property::Implies { if_matched, is_next, then } => {
                let mut matched = self.matches(here, if_matched);
                if *is_next {
                    matched = self.delayed(&matched, 1);
                }
                self.property(matched, then)
            }
            Property::Not(sequence) => {
                let matched = self.matches(here, sequence);
                self.holds.push(format!("!({matched})"));
                Ok(())
            }
        }
    }

    /// Where an attempt that begins here matches.
    fn matches(&mut self, here: Here, sequence: &Sequence) -> Here {
        match sequence {
            Sequence::Now(expression) => format!("({here} && ({expression}))"),
            Sequence::Delay { first, low, high, then } => {
                let here = match first {
                    Some(first) => self.matches(here, first),
                    None => here,
                };
                let here = match high {
                    Some(high) => self.delayed_between(&here, *low, *high),
                    None => {
                        let since = self.delayed(&here, *low);
                        self.ever(&since)
                    }
                };
                self.matches(here, then)
            }
            Sequence::Repeat { part, low, high } => {
                let (mut here, mut matched) = (here, Vec::new());
                for count in 1..=*high {
                    if count > 1 {
                        here = self.delayed(&here, 1);
                    }
                    here = self.matches(here, part);
                    if count >= *low {
                        matched.push(here.clone());
                    }
                }
                format!("({})", matched.join(" || "))
            }
            Sequence::Or(one, other) => {
                let (one, other) = (self.matches(here.clone(), one), self.matches(here, other));
                format!("({one} || {other})")
            }
        }
    }

    /// An attempt that begins here has to match; gives where it does.
    fn must_match(&mut self, here: Here, sequence: &Sequence, is_last: bool) -> Result<Here, Refusal> {
        match sequence {
            Sequence::Now(expression) => {
                self.holds.push(format!("(!({here}) || ({expression}))"));
                Ok(format!("({here} && ({expression}))"))
            }
            Sequence::Delay { first, low, high, then } => {
                let here = match first {
                    Some(first) => self.must_match(here, first, false)?,
                    None => here,
                };
                match (high, &**then) {
                    (Some(high), _) if high == low => {
                        let here = self.delayed(&here, *low);
                        self.must_match(here, then, is_last)
                    }
                    (Some(high), Sequence::Now(expression)) if is_last => {
                        let begins = self.delayed(&here, *low);
                        let waits = self.waiting(&begins, expression, high - low);
                        self.holds.push(format!("(!({waits}) || ({expression}))"));
                        Ok(waits)
                    }
                    (None, _) => Err(Refusal::Liveness("##[…:$]".to_owned())),
                    _ => Err(several_ways()),
                }
            }
            Sequence::Repeat { part, low, high } if low == high => {
                let mut here = here;
                for count in 1..=*high {
                    if count > 1 {
                        here = self.delayed(&here, 1);
                    }
                    here = self.must_match(here, part, is_last && count == *high)?;
                }
                Ok(here)
            }
            Sequence::Or(one, other) => match (&**one, &**other) {
                (Sequence::Now(one), Sequence::Now(other)) => {
                    self.must_match(here, &Sequence::Now(format!("({one}) || ({other})")), is_last)
                }
                _ => Err(several_ways()),
            },
            Sequence::Repeat { .. } => Err(several_ways()),
        }
    }

    /// The same some cycles later.
    fn delayed(&mut self, here: &str, cycles: u32) -> Here {
        self.delayed_between(here, cycles, cycles)
    }

    /// The same at any time between so many cycles later.
    fn delayed_between(&mut self, here: &str, low: u32, high: u32) -> Here {
        if high == 0 {
            return here.to_owned();
        }
        let name = self.register(high, here, "");
        match low {
            0 => format!("({here} || (|{name}))"),
            _ => format!("(|{name}[{}:{}])", high - 1, low - 1),
        }
    }

    /// Has it been here before, or is it now?
    fn ever(&mut self, here: &str) -> Here {
        let name = self.name();
        self.declared.push(format!("reg {name} = 0; "));
        let on = self.enabled();
        self.next.push(format!("{name} <= {on}({name} || {here}); "));
        format!("({name} || {here})")
    }

    /// Where an attempt still waits for an expression after so many cycles, of those that begin to wait here.
    fn waiting(&mut self, here: &str, expression: &str, cycles: u32) -> Here {
        if cycles == 0 {
            return here.to_owned();
        }
        let name = self.register(cycles, here, &format!("{{{cycles}{{!({expression})}}}} & "));
        format!("{name}[{}]", cycles - 1)
    }

    /// A shift register of this length; `mask` says what goes on.
    fn register(&mut self, length: u32, here: &str, mask: &str) -> String {
        let name = self.name();
        self.declared.push(format!("reg [{}:0] {name} = 0; ", length - 1));
        let on = match &self.disable {
            None => String::new(),
            Some(disable) => format!("{{{length}{{!({disable})}}}} & "),
        };
        // The oldest bit falls out at the left.
        let shifted =
            if length == 1 { format!("({here})") } else { format!("{{{name}[{}:0], ({here})}}", length - 2) };
        self.next.push(format!("{name} <= {on}{mask}{shifted}; "));
        name
    }

    fn enabled(&self) -> String {
        self.disable.as_ref().map_or(String::new(), |disable| format!("!({disable}) && "))
    }

    fn name(&self) -> String {
        format!("{}_{}", self.prefix, self.declared.len())
    }
}

fn several_ways() -> Refusal {
    let why = "a sequence with several ways to match, where it has to match: only a last delay may have a range there";
    Refusal::Unsupported(why.to_owned())
}
