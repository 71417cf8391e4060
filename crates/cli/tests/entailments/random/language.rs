//! Small programs: their text, and the meaning of their terms and constraints.
//!
//! A value is a number. An array has the places 0, 1 and 2 with 0 or 1 at each, and is the number with these bits: other places
//! are never read, and other entries are excluded by constraints.

use std::fmt;

/// The number of places of an array that matter.
pub const PLACES: i64 = 3;

/// The sort of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Number,
    /// An array of bits.
    Array,
}

/// A term over variables, which are numbered.
#[derive(Clone, Debug)]
pub enum Term {
    Number(i64),
    /// A variable plus a number.
    Shifted(usize, i64),
    /// The sum of two variables.
    Sum(usize, usize),
    /// An array.
    Array(usize),
    /// The entry of an array at a place.
    Entry(usize, Box<Term>),
    /// An array changed at a place.
    Changed(usize, Box<Term>, Box<Term>),
}

/// How two terms compare.
#[derive(Clone, Copy, Debug)]
pub enum Relation {
    Equal,
    Different,
    /// Less.
    Less,
    /// At most.
    AtMost,
}

/// A constraint.
#[derive(Clone, Debug)]
pub enum Constraint {
    Compare(Term, Relation, Term),
    /// Between two numbers, both included.
    Within(i64, Term, i64),
    /// One of them.
    Either(Vec<Constraint>),
}

/// A predicate applied to terms.
#[derive(Clone, Debug)]
pub struct Atom {
    pub predicate: usize,
    pub args: Vec<Term>,
}

/// Atoms and constraints.
#[derive(Clone, Debug, Default)]
pub struct Goal {
    pub atoms: Vec<Atom>,
    pub constraints: Vec<Constraint>,
}

#[derive(Clone, Debug)]
pub struct Rule {
    pub variables: Vec<Kind>,
    pub head: Atom,
    pub body: Goal,
}

#[derive(Clone, Debug)]
pub struct Entailment {
    /// Its variables, the existential ones last.
    pub variables: Vec<Kind>,
    /// How many of them are not existential.
    pub universal: usize,
    /// The assumption.
    pub left: Goal,
    /// The conclusion, perhaps.
    pub right: Goal,
}

/// A program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The arguments of each predicate.
    pub predicates: Vec<Vec<Kind>>,
    /// All rules.
    pub rules: Vec<Rule>,
    /// The obligations.
    pub entailments: Vec<Entailment>,
    /// The predicate of the states that a process reaches. It has one fact, the start; its other rules have it first in their
    /// bodies, and are transitions; entailments that have it first are properties.
    pub process: Option<usize>,
}

impl Term {
    /// Its value; `None` if an array would be read or changed in ways that are excluded.
    pub fn value(&self, values: &[i64]) -> Option<i64> {
        Some(match self {
            Term::Number(number) => *number,
            Term::Shifted(variable, by) => values[*variable] + by,
            Term::Sum(one, other) => values[*one] + values[*other],
            Term::Array(variable) => values[*variable],
            Term::Entry(array, place) => (values[*array] >> place_of(place, values)?) & 1,
            Term::Changed(array, place, entry) => {
                let (place, entry) = (place_of(place, values)?, entry.value(values)?);
                let without = values[*array] & !(1 << place);
                (0..=1).contains(&entry).then_some(without | (entry << place))?
            }
        })
    }
}

fn place_of(place: &Term, values: &[i64]) -> Option<i64> {
    place.value(values).filter(|place| (0..PLACES).contains(place))
}

impl Constraint {
    /// Is it true?
    pub fn holds(&self, values: &[i64]) -> bool {
        match self {
            Constraint::Compare(one, relation, other) => {
                let (Some(one), Some(other)) = (one.value(values), other.value(values)) else { return false };
                match relation {
                    Relation::Equal => one == other,
                    Relation::Different => one != other,
                    Relation::Less => one < other,
                    Relation::AtMost => one <= other,
                }
            }
            Constraint::Within(low, term, high) => {
                term.value(values).is_some_and(|value| (*low..=*high).contains(&value))
            }
            Constraint::Either(parts) => parts.iter().any(|part| part.holds(values)),
        }
    }
}

impl Atom {
    /// The values of its arguments.
    pub fn values(&self, values: &[i64]) -> Option<Vec<i64>> {
        self.args.iter().map(|arg| arg.value(values)).collect()
    }
}

/// Variables from this number on are existential.
struct Printed<'a, T>(&'a T, usize);

fn name(f: &mut fmt::Formatter<'_>, letter: char, variable: usize, universal: usize) -> fmt::Result {
    let mark = if variable < universal { "" } else { "?" };
    write!(f, "{mark}{letter}{variable}")
}

impl fmt::Display for Printed<'_, Term> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let universal = self.1;
        match self.0 {
            Term::Number(number) => write!(f, "{number}"),
            Term::Shifted(variable, by) => {
                name(f, 'X', *variable, universal)?;
                if *by == 0 { Ok(()) } else { write!(f, "{by:+}") }
            }
            Term::Sum(one, other) => {
                name(f, 'X', *one, universal)?;
                write!(f, "+")?;
                name(f, 'X', *other, universal)
            }
            Term::Array(variable) => name(f, 'A', *variable, universal),
            Term::Entry(array, place) => {
                name(f, 'A', *array, universal)?;
                write!(f, "[{}]", Printed(&**place, universal))
            }
            Term::Changed(array, place, entry) => {
                write!(f, "<")?;
                name(f, 'A', *array, universal)?;
                write!(f, ",{},{}>", Printed(&**place, universal), Printed(&**entry, universal))
            }
        }
    }
}

impl fmt::Display for Printed<'_, Constraint> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let universal = self.1;
        match self.0 {
            Constraint::Compare(one, relation, other) => {
                let sign = match relation {
                    Relation::Equal => "=",
                    Relation::Different => "!=",
                    Relation::Less => "<",
                    Relation::AtMost => "<=",
                };
                write!(f, "{} {sign} {}", Printed(one, universal), Printed(other, universal))
            }
            Constraint::Within(low, term, high) => {
                write!(f, "{low} <= {} <= {high}", Printed(term, universal))
            }
            Constraint::Either(parts) => {
                let parts: Vec<String> =
                    parts.iter().map(|part| Printed(part, universal).to_string()).collect();
                write!(f, "({})", parts.join(" \\/ "))
            }
        }
    }
}

impl fmt::Display for Printed<'_, Atom> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let args: Vec<String> = self.0.args.iter().map(|arg| Printed(arg, self.1).to_string()).collect();
        write!(f, "p{}({})", self.0.predicate, args.join(", "))
    }
}

impl fmt::Display for Printed<'_, Goal> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let atoms = self.0.atoms.iter().map(|atom| Printed(atom, self.1).to_string());
        let constraints = self.0.constraints.iter().map(|part| Printed(part, self.1).to_string());
        let parts: Vec<String> = atoms.chain(constraints).collect();
        write!(f, "{}", if parts.is_empty() { "true".to_owned() } else { parts.join(", ") })
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rule in &self.rules {
            self.write_rule(f, rule)?;
        }
        for entailment in &self.entailments {
            let (mut left, universal) = (entailment.left.clone(), entailment.universal);
            let right = Printed(&entailment.right, universal);
            if self.process == Some(left.atoms[0].predicate) {
                let state = self.state(&left.atoms.remove(0), universal);
                writeln!(f, "property {state}, {} |= {right}.", Printed(&left, universal))?;
            } else {
                writeln!(f, "prove {} |= {right}.", Printed(&left, universal))?;
            }
        }
        Ok(())
    }
}

impl Program {
    fn write_rule(&self, f: &mut fmt::Formatter<'_>, rule: &Rule) -> fmt::Result {
        let universal = rule.variables.len();
        if self.process != Some(rule.head.predicate) {
            return writeln!(f, "{} :- {}.", Printed(&rule.head, universal), Printed(&rule.body, universal));
        }
        let after = self.state(&rule.head, universal);
        let mut body = rule.body.clone();
        if body.atoms.is_empty() {
            return writeln!(f, "start {after}, {}.", Printed(&body, universal));
        }
        let before = self.state(&body.atoms.remove(0), universal);
        writeln!(f, "{before} :- {}, {after}.", Printed(&body, universal))
    }

    fn state(&self, atom: &Atom, universal: usize) -> String {
        let args: Vec<String> = atom.args.iter().map(|arg| Printed(arg, universal).to_string()).collect();
        format!("sys({})", args.join(", "))
    }
}
