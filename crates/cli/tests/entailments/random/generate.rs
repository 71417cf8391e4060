//! Random programs of three families: over few numbers, over all integers, over arrays.
//!
//! Most rules have typical forms of definitions: an end, a step, a copy, a join of two predicates. Others are made of random
//! parts. Some predicates are empty, some call each other.

use super::language::{Atom, Constraint, Entailment, Goal, Kind, PLACES, Program, Relation, Rule, Term};
use super::least::{Least, Window};
use tenet_chance::Random;

/// The families of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Every variable of every rule is between 0 and 3: the least model is known.
    Few,
    /// Any integers, of which a window is known.
    Integers,
    /// The same with a process.
    Processes,
    /// The first argument is an array of bits, and numbers are as in the first family.
    Arrays,
}

/// The largest number in rules of few numbers.
const FEW: i64 = 3;
/// How many entailments a program has.
const ENTAILMENTS: usize = 3;
/// The number of candidates for one that holds.
const CANDIDATES: usize = 8;

impl Family {
    /// The window in which the least model is computed. Numbers in rules are at most 3 and 2 more, differences at most 5: 6 for
    /// each of two variables beyond the edge suffice.
    pub fn window(self) -> Window {
        match self {
            Family::Few | Family::Arrays => {
                Window { rules: (0, FEW), universal: (-4, 10), existential: (-6, 12), edge: 1000 }
            }
            Family::Integers | Family::Processes => {
                Window { rules: (-19, 19), universal: (-7, 7), existential: (-19, 19), edge: 7 }
            }
        }
    }

    fn is_unbounded(self) -> bool {
        matches!(self, Family::Integers | Family::Processes)
    }

    fn variables(self) -> usize {
        if self.is_unbounded() { 2 } else { 3 }
    }
}

/// A program with entailments, and its least model.
pub fn program(chance: &mut Random, family: Family) -> (Program, Least) {
    let mut maker = Maker { chance, family, program: Program::default() };
    maker.predicates();
    maker.rules();
    if family == Family::Processes {
        maker.process();
    }
    let least = Least::new(&maker.program, family.window());
    for _ in 0..ENTAILMENTS {
        // Most random entailments are false, and most false ones obviously so.
        let wants_truth = maker.chance.percent(70);
        let mut entailment = maker.question();
        for _ in 0..CANDIDATES {
            if !wants_truth || least.contradiction(&entailment).is_none() {
                break;
            }
            entailment = maker.question();
        }
        maker.program.entailments.push(entailment);
    }
    (maker.program, least)
}

struct Maker<'a> {
    chance: &'a mut Random,
    family: Family,
    program: Program,
}

impl Maker<'_> {
    fn question(&mut self) -> Entailment {
        match self.program.process {
            Some(process) => self.property(process),
            None => self.entailment(),
        }
    }

    fn predicates(&mut self) {
        for _ in 0..2 + self.chance.below(2) {
            let mut kinds = vec![Kind::Number];
            if self.family == Family::Arrays {
                kinds.insert(0, Kind::Array);
            } else if self.chance.percent(25) {
                kinds.push(Kind::Number);
            }
            self.program.predicates.push(kinds);
        }
    }

    fn rules(&mut self) {
        for predicate in 0..self.program.predicates.len() {
            if self.chance.percent(6) {
                let rule = self.impossible(predicate);
                self.program.rules.push(rule);
                continue;
            }
            if self.chance.percent(85) {
                let rule = self.end(predicate);
                self.program.rules.push(rule);
            }
            for _ in 0..1 + self.chance.below(2) {
                let rule = match self.chance.below(10) {
                    0..=4 => self.step(predicate),
                    5 | 6 => self.copy(predicate),
                    7 => self.meeting(predicate),
                    _ => self.anything(predicate),
                };
                self.program.rules.push(rule);
            }
        }
    }

    /// A rule whose head has a variable for each argument.
    fn plain(&mut self, predicate: usize) -> Rule {
        let variables = self.program.predicates[predicate].clone();
        let head = self.applied(predicate, &variables);
        Rule { variables, head, body: Goal::default() }
    }

    /// A predicate with the first variables of each kind, in order.
    fn applied(&mut self, predicate: usize, variables: &[Kind]) -> Atom {
        let kinds = self.program.predicates[predicate].clone();
        let mut args = Vec::new();
        let mut from = 0;
        for kind in kinds {
            let next = (from..variables.len()).find(|&at| variables[at] == kind);
            let at =
                next.or_else(|| variables.iter().position(|&known| known == kind)).expect("there is one");
            from = at + 1;
            args.push(if kind == Kind::Array { Term::Array(at) } else { Term::Shifted(at, 0) });
        }
        Atom { predicate, args }
    }

    fn impossible(&mut self, predicate: usize) -> Rule {
        let mut rule = self.plain(predicate);
        match self.chance.percent(50) {
            true => rule.body.atoms.push(rule.head.clone()),
            false => {
                let (zero, one) = (Term::Number(0), Term::Number(1));
                rule.body.constraints.push(Constraint::Compare(zero, Relation::Equal, one));
            }
        }
        self.guarded(rule)
    }

    /// `p(0)`, or a relation between two numbers.
    fn end(&mut self, predicate: usize) -> Rule {
        let mut rule = self.plain(predicate);
        if self.chance.percent(20) {
            let constraint = self.constraint(&rule.variables.clone());
            rule.body.constraints.push(constraint);
            return self.guarded(rule);
        }
        for arg in &mut rule.head.args {
            if let Term::Shifted(_, _) = arg {
                *arg = Term::Number(if self.chance.percent(70) { 0 } else { self.chance.between(0, 3) });
            }
        }
        self.guarded(rule)
    }

    /// `p(X+1) :- p(X)`, perhaps of a predicate of the same kind, perhaps with a condition.
    fn step(&mut self, predicate: usize) -> Rule {
        let mut rule = self.plain(predicate);
        let alike = self.alike(predicate);
        let callee = if self.chance.percent(75) { predicate } else { self.chance.pick(&alike) };
        let mut atom = rule.head.clone();
        atom.predicate = callee;
        for arg in &mut rule.head.args {
            if let Term::Shifted(_, by) = arg {
                *by = self.chance.pick(&[1, 1, 1, 2, 2, -1, 0]);
            }
        }
        if self.family == Family::Arrays && self.chance.percent(60) {
            let array = Term::Entry(0, Box::new(Term::Shifted(1, 0)));
            let bit = Term::Number(self.chance.between(0, 1));
            match self.chance.percent(60) {
                true => rule.body.constraints.push(Constraint::Compare(array, Relation::Equal, bit)),
                false => {
                    rule.head.args[0] = Term::Changed(0, Box::new(Term::Shifted(1, 0)), Box::new(bit));
                }
            }
        }
        rule.body.atoms.push(atom);
        if self.chance.percent(20) {
            let constraint = self.constraint(&rule.variables.clone());
            rule.body.constraints.push(constraint);
        }
        self.guarded(rule)
    }

    fn copy(&mut self, predicate: usize) -> Rule {
        let mut rule = self.plain(predicate);
        let alike = self.alike(predicate);
        let mut atom = rule.head.clone();
        atom.predicate = self.chance.pick(&alike);
        rule.body.atoms.push(atom);
        if self.chance.percent(40) {
            let constraint = self.constraint(&rule.variables.clone());
            rule.body.constraints.push(constraint);
        }
        self.guarded(rule)
    }

    /// Two atoms in the body, often of the predicate itself.
    fn meeting(&mut self, predicate: usize) -> Rule {
        let mut rule = self.plain(predicate);
        for _ in 0..2 {
            let any = self.chance.below(self.program.predicates.len());
            let callee = if self.chance.percent(50) { predicate } else { any };
            let atom = self.atom(callee, &rule.variables.clone());
            rule.body.atoms.push(atom);
        }
        if self.chance.percent(30) {
            let last = rule.head.args.len() - 1;
            rule.head.args[last] = Term::Shifted(last, 1);
        }
        self.guarded(rule)
    }

    fn anything(&mut self, predicate: usize) -> Rule {
        let mut variables = self.program.predicates[predicate].clone();
        while variables.len() < self.family.variables() && self.chance.percent(50) {
            variables.push(Kind::Number);
        }
        let head = self.atom(predicate, &variables);
        let mut rule = Rule { variables, head, body: Goal::default() };
        for _ in 0..self.chance.below(3) {
            let callee = self.chance.below(self.program.predicates.len());
            let atom = self.atom(callee, &rule.variables.clone());
            rule.body.atoms.push(atom);
        }
        if self.chance.percent(50) {
            let constraint = self.constraint(&rule.variables.clone());
            rule.body.constraints.push(constraint);
        }
        self.guarded(rule)
    }

    /// A start and transitions, perhaps with a predicate among their conditions.
    fn process(&mut self) {
        let process = self.program.predicates.len();
        let variables = vec![Kind::Number];
        let number = Term::Number(self.chance.between(0, 2));
        let start = Rule {
            variables: Vec::new(),
            head: Atom { predicate: process, args: vec![number] },
            body: Goal::default(),
        };
        let mut rules = vec![start];
        for _ in 0..1 + self.chance.below(2) {
            let before = Atom { predicate: process, args: vec![Term::Shifted(0, 0)] };
            let by = self.chance.pick(&[1, 1, 2, -1, -2]);
            let mut rule = Rule {
                variables: variables.clone(),
                head: Atom { predicate: process, args: vec![Term::Shifted(0, by)] },
                body: Goal { atoms: vec![before], constraints: Vec::new() },
            };
            if self.chance.percent(40) {
                let predicate = self.chance.below(process);
                let atom = self.atom(predicate, &variables);
                rule.body.atoms.push(atom);
            }
            if self.chance.percent(60) {
                let constraint = self.constraint(&variables);
                rule.body.constraints.push(constraint);
            }
            rules.push(rule);
        }
        self.program.rules.extend(rules);
        self.program.predicates.push(variables);
        self.program.process = Some(process);
    }

    fn property(&mut self, process: usize) -> Entailment {
        let variables = vec![Kind::Number];
        let state = Atom { predicate: process, args: vec![Term::Shifted(0, 0)] };
        let mut left = Goal { atoms: vec![state], constraints: Vec::new() };
        let mut right = Goal::default();
        if self.chance.percent(30) {
            let constraint = self.constraint(&variables);
            left.constraints.push(constraint);
        }
        if self.chance.percent(30) {
            let predicate = self.chance.below(process);
            let atom = self.applied(predicate, &variables);
            right.atoms.push(atom);
        } else {
            let constraint = self.constraint(&variables);
            right.constraints.push(constraint);
        }
        Entailment { variables, universal: 1, left, right }
    }

    /// The rule with the constraints on variables that its family requires.
    fn guarded(&mut self, mut rule: Rule) -> Rule {
        if self.family.is_unbounded() {
            return rule;
        }
        let mut guards = guards(&rule.variables, FEW);
        if self.family == Family::Arrays {
            // Places are numbers of the rule without anything added.
            let narrow = rule.variables.iter().enumerate().filter(|(_, kind)| **kind == Kind::Number);
            guards.extend(narrow.map(|(at, _)| Constraint::Within(0, Term::Shifted(at, 0), PLACES - 1)));
        }
        guards.append(&mut rule.body.constraints);
        rule.body.constraints = guards;
        rule
    }

    /// Predicates with the same kinds of arguments.
    fn alike(&self, predicate: usize) -> Vec<usize> {
        let kinds = &self.program.predicates;
        (0..kinds.len()).filter(|&other| kinds[other] == kinds[predicate]).collect()
    }

    /// A predicate with random arguments.
    fn atom(&mut self, predicate: usize, variables: &[Kind]) -> Atom {
        let kinds = self.program.predicates[predicate].clone();
        let args = kinds.iter().map(|&kind| match kind {
            Kind::Array => Term::Array(self.variable(variables, Kind::Array)),
            Kind::Number => self.number(variables),
        });
        Atom { predicate, args: args.collect() }
    }

    fn variable(&mut self, variables: &[Kind], kind: Kind) -> usize {
        let all: Vec<usize> = (0..variables.len()).filter(|&at| variables[at] == kind).collect();
        self.chance.pick(&all)
    }

    fn number(&mut self, variables: &[Kind]) -> Term {
        let variable = self.variable(variables, Kind::Number);
        match self.chance.below(12) {
            0 => Term::Number(self.chance.between(0, 3)),
            1 if self.family == Family::Few => Term::Sum(variable, self.variable(variables, Kind::Number)),
            1..=3 => Term::Shifted(variable, self.chance.pick(&[1, 2, -1])),
            _ => Term::Shifted(variable, 0),
        }
    }

    fn constraint(&mut self, variables: &[Kind]) -> Constraint {
        if self.chance.percent(12) {
            return Constraint::Either(vec![self.comparison(variables), self.comparison(variables)]);
        }
        self.comparison(variables)
    }

    fn comparison(&mut self, variables: &[Kind]) -> Constraint {
        let one = self.number(variables);
        let relation =
            self.chance.pick(&[Relation::Equal, Relation::Different, Relation::Less, Relation::AtMost]);
        let other = match self.chance.percent(50) {
            true => self.number(variables),
            false => Term::Number(self.chance.between(0, 3)),
        };
        match self.chance.percent(50) {
            true => Constraint::Compare(one, relation, other),
            false => Constraint::Compare(other, relation, one),
        }
    }

    fn entailment(&mut self) -> Entailment {
        let arrays = usize::from(self.family == Family::Arrays);
        let mut variables = vec![Kind::Array; arrays];
        variables.extend(vec![Kind::Number; 1 + self.chance.below(2)]);
        let universal = variables.len();
        let left = self.left(&variables);
        if self.chance.percent(25) {
            variables.push(if self.chance.percent(25 * arrays) { Kind::Array } else { Kind::Number });
        }
        let right = self.right(&variables, universal);
        Entailment { variables, universal, left, right }
    }

    /// One atom or several, often of the same predicate, with every variable as an argument somewhere.
    fn left(&mut self, variables: &[Kind]) -> Goal {
        let mut goal = Goal::default();
        let first = self.chance.below(self.program.predicates.len());
        let atom = self.applied(first, variables);
        goal.atoms.push(atom);
        for at in 0..variables.len() {
            let is_argument = |atom: &Atom| atom.args.iter().any(|arg| is_variable(arg, at));
            if !goal.atoms.iter().any(is_argument) {
                let atom = self.atom_with(variables, at);
                goal.atoms.push(atom);
            }
        }
        if self.chance.percent(25) {
            let predicate = if self.chance.percent(40) {
                first
            } else {
                self.chance.below(self.program.predicates.len())
            };
            let atom = self.atom(predicate, variables);
            goal.atoms.push(atom);
        }
        if self.chance.percent(30) {
            let constraint = self.constraint(variables);
            goal.constraints.push(constraint);
        }
        goal
    }

    /// An atom that has a variable as an argument.
    fn atom_with(&mut self, variables: &[Kind], at: usize) -> Atom {
        let predicate = self.chance.below(self.program.predicates.len());
        let mut atom = self.atom(predicate, variables);
        let place = self.program.predicates[predicate].iter().position(|&kind| kind == variables[at]);
        let place = place.expect("every predicate has every kind of argument");
        atom.args[place] = if variables[at] == Kind::Array { Term::Array(at) } else { Term::Shifted(at, 0) };
        atom
    }

    fn right(&mut self, variables: &[Kind], universal: usize) -> Goal {
        let mut goal = Goal::default();
        if variables.len() > universal {
            let atom = self.atom_with(variables, universal);
            goal.atoms.push(atom);
            if self.chance.percent(50) && variables[universal] == Kind::Number {
                let constraint = self.constraint(variables);
                goal.constraints.push(constraint);
            }
            return goal;
        }
        match self.chance.below(10) {
            0 => goal.constraints.push(Constraint::Compare(Term::Number(1), Relation::Less, Term::Number(0))),
            1..=3 => {
                let constraint = self.constraint(variables);
                goal.constraints.push(constraint);
            }
            4..=6 => {
                let predicate = self.chance.below(self.program.predicates.len());
                let atom = self.applied(predicate, variables);
                goal.atoms.push(atom);
            }
            _ => {
                let predicate = self.chance.below(self.program.predicates.len());
                let atom = self.atom(predicate, variables);
                goal.atoms.push(atom);
            }
        }
        if self.chance.percent(15) {
            let constraint = self.constraint(variables);
            goal.constraints.push(constraint);
        }
        goal
    }
}

fn is_variable(term: &Term, at: usize) -> bool {
    matches!(term, Term::Shifted(variable, 0) | Term::Array(variable) if *variable == at)
}

/// That numbers are few, and arrays have bits.
fn guards(variables: &[Kind], few: i64) -> Vec<Constraint> {
    let mut guards = Vec::new();
    for (at, kind) in variables.iter().enumerate() {
        match kind {
            Kind::Number => guards.push(Constraint::Within(0, Term::Shifted(at, 0), few)),
            Kind::Array => guards.extend(
                (0..PLACES)
                    .map(|place| Constraint::Within(0, Term::Entry(at, Box::new(Term::Number(place))), 1)),
            ),
        }
    }
    guards
}
