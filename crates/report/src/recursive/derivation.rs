//! Readable derivations: one line for each step, with its atoms and terms.
//!
//! A step refers to atoms by position, so the obligation is carried along: each step changes it as `system::recursive` defines.
//! Questions for a solver are not asked here. Steps with one obligation follow each other; those with several have a case for
//! each.

use tenet_lang::clp::print::Printer;
use tenet_system::recursive::{Atom, Clause, Entailment, Goal, Known, Program, Recall, Restated, Step};
use tenet_term::{Substitution, SymbolId, TermId, TermStore};

/// Deeper derivations are truncated, as certificates are.
const MAX_DEPTH: usize = 1_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub kind: Kind,
    /// The name of the step.
    pub word: &'static str,
    pub text: String,
    /// The obligations that it creates, if there can be several.
    pub cases: Vec<Case>,
}

/// One of several obligations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The name of the case.
    pub title: String,
    pub lines: Vec<Line>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The rest follows from the constraints.
    Close,
    /// Conjunct by conjunct.
    Each,
    /// Witnesses for existential variables.
    Choose,
    /// An atom on the left is replaced by the bodies of its rules.
    Unfold,
    /// An atom on the right is replaced by the body of a rule.
    Right,
    /// A hypothesis is used.
    Hypothesis,
    /// A lemma is used.
    Lemma,
    /// A case split.
    Split,
    /// The obligation is restated.
    Restate,
    /// Truncated.
    Cut,
}

/// By which names steps go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Names {
    #[default]
    Tenet,
    /// Those of Jaffar and Santosa, figure 4.
    Paper,
}

impl Names {
    fn word(self, kind: Kind) -> &'static str {
        match (self, kind) {
            (Names::Paper, Kind::Close) => "CP",
            (Names::Paper, Kind::Choose) => "EXR",
            (Names::Paper, Kind::Unfold) => "LU+I",
            (Names::Paper, Kind::Right) => "RU",
            (Names::Paper, Kind::Hypothesis) => "CO",
            (Names::Paper, Kind::Split) => "SPL",
            _ => kind.word(),
        }
    }
}

impl Kind {
    pub fn word(self) -> &'static str {
        match self {
            Kind::Close => "close",
            Kind::Each => "each part",
            Kind::Choose => "choose",
            Kind::Unfold => "unfold",
            Kind::Right => "by rule",
            Kind::Hypothesis => "hypothesis",
            Kind::Lemma => "lemma",
            Kind::Split => "split",
            Kind::Restate => "that is",
            Kind::Cut => "…",
        }
    }
}

/// The obligation at some place of a derivation.
#[derive(Clone)]
struct Obligation {
    left: Goal,
    existentials: Vec<SymbolId>,
    right: Goal,
}

/// Converts derivations of one program to lines.
pub(super) struct Reader<'a> {
    /// The program, without its store.
    pub program: &'a Program,
    pub store: &'a mut TermStore,
    /// The statements of the lemmas.
    pub lemmas: &'a [Entailment],
    pub names: Names,
}

impl Reader<'_> {
    /// The derivation of an entailment; for a lemma that may use itself, with its position.
    pub fn lines(&mut self, entailment: &Entailment, proof: &Step, itself: Option<usize>) -> Vec<Line> {
        let Entailment { left, existentials, right, .. } = entailment;
        let obligation =
            Obligation { left: left.clone(), existentials: existentials.clone(), right: right.clone() };
        let mut walk = Walk { reader: self, itself, hypotheses: Vec::new(), depth: 0, said: String::new() };
        walk.said = walk.obligation(&obligation);
        walk.lines(obligation, proof)
    }

    /// Writes parts of the program.
    pub fn printer(&self) -> Printer<'_> {
        Printer::with_store(self.program, self.store)
    }
}

struct Walk<'r, 'a> {
    reader: &'r mut Reader<'a>,
    itself: Option<usize>,
    /// The obligations that were unfolded so far.
    hypotheses: Vec<Obligation>,
    depth: usize,
    /// The obligation as it was last written, to leave out repetitions.
    said: String,
}

impl Walk<'_, '_> {
    fn lines(&mut self, mut obligation: Obligation, first: &Step) -> Vec<Line> {
        let (outside, known) = (self.depth, self.hypotheses.len());
        let mut lines = Vec::new();
        let mut next = Some(first);
        while let Some(step) = next {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                lines.push(line(Kind::Cut, "the rest is too deep to be shown".to_string()));
                break;
            }
            let (shown, rest) = self.step(&mut obligation, step);
            lines.extend(shown);
            next = rest;
        }
        self.depth = outside;
        self.hypotheses.truncate(known);
        lines
    }

    /// One step, which changes the obligation; returns the next step.
    fn step<'s>(&mut self, obligation: &mut Obligation, step: &'s Step) -> (Option<Line>, Option<&'s Step>) {
        let (line, next): (Line, Option<&Step>) = match step {
            Step::Close => (line(Kind::Close, String::new()), None),
            Step::Each(steps) => (self.each(obligation, steps), None),
            Step::Choose(terms, next) => (self.choose(obligation, terms), Some(next)),
            Step::Unfold { atom, cases } => (self.unfold(obligation, *atom, cases), None),
            Step::Right { atom, rule, terms, next } => {
                (self.right(obligation, *atom, *rule, terms), Some(next))
            }
            Step::Recall(recall, next) => (self.recall(obligation, recall), Some(next)),
            Step::Split(cases) => (self.split(obligation, cases), None),
            Step::Restate(restated, next) => return (self.restate(obligation, restated), Some(next)),
        };
        let word = self.reader.names.word(line.kind);
        (Some(Line { word, ..line }), next)
    }

    fn each(&mut self, obligation: &Obligation, steps: &[Step]) -> Line {
        let mut cases = Vec::new();
        for (position, step) in steps.iter().enumerate() {
            let right = match obligation.right.atoms.get(position) {
                Some(atom) => Goal { atoms: vec![atom.clone()], constraint: TermId::TRUE },
                None => Goal { atoms: Vec::new(), constraint: obligation.right.constraint },
            };
            let title = self.goal(&right);
            let part = Obligation { right, ..obligation.clone() };
            cases.push(Case { title, lines: self.lines(part, step) });
        }
        Line { cases, ..line(Kind::Each, String::new()) }
    }

    fn choose(&mut self, obligation: &mut Obligation, terms: &[(SymbolId, TermId)]) -> Line {
        let text = self.bindings("?", terms);
        let chosen = Substitution::from_pairs(self.reader.store, terms.iter().copied());
        obligation.right = obligation.right.substitute(self.reader.store, &chosen);
        obligation.existentials.clear();
        line(Kind::Choose, text)
    }

    fn unfold(
        &mut self,
        obligation: &Obligation,
        position: usize,
        cases: &[(Vec<SymbolId>, Option<Step>)],
    ) -> Line {
        let Some(atom) = obligation.left.atoms.get(position).cloned() else { return malformed() };
        self.hypotheses.push(obligation.clone());
        let hypothesis = match self.itself {
            Some(_) => String::new(),
            None => format!(", which makes hypothesis {}", self.hypotheses.len()),
        };
        let text = format!("{}{hypothesis}", self.atom(&atom));
        let program = self.reader.program;
        let predicate = &program.predicates[atom.predicate];
        let mut shown = Vec::new();
        for (rule, (fresh, step)) in predicate.rules.iter().zip(cases) {
            let (body, equations) = self.unfolded(rule, &atom, fresh);
            let added = Goal { atoms: body.atoms.clone(), constraint: equations };
            let title = format!("{}: {}", self.clause(&predicate.name, rule), self.goal(&added));
            let Some(step) = step else {
                shown.push(Case { title: format!("{title} is impossible here"), lines: Vec::new() });
                continue;
            };
            let mut atoms = obligation.left.atoms.clone();
            atoms.splice(position..=position, body.atoms);
            let constraint = self.reader.store.mk_and([obligation.left.constraint, equations]);
            let case = Obligation { left: Goal { atoms, constraint }, ..obligation.clone() };
            shown.push(Case { title, lines: self.lines(case, step) });
        }
        self.hypotheses.pop();
        Line { cases: shown, ..line(Kind::Unfold, text) }
    }

    /// The body of a rule with its variables renamed to `fresh`, and what it adds to the constraint.
    fn unfolded(&mut self, rule: &Clause, atom: &Atom, fresh: &[SymbolId]) -> (Goal, TermId) {
        let store = &mut *self.reader.store;
        let names: Vec<TermId> = fresh.iter().map(|&symbol| store.mk_symbol(symbol)).collect();
        self.instance(rule, atom, &names)
    }

    /// The body of a rule with terms substituted for its variables, and what it adds to the constraint.
    fn instance(&mut self, rule: &Clause, atom: &Atom, terms: &[TermId]) -> (Goal, TermId) {
        let store = &mut *self.reader.store;
        let pairs = rule.variables.iter().copied().zip(terms.iter().copied());
        let renaming = Substitution::from_pairs(store, pairs);
        let body = Goal { atoms: rule.atoms.clone(), constraint: rule.constraint };
        let body = body.substitute(store, &renaming);
        let mut parts = Vec::new();
        for (&arg, &head) in atom.args.iter().zip(&rule.head) {
            let head = store.substitute(head, &renaming);
            parts.push(store.mk_eq(arg, head));
        }
        parts.push(body.constraint);
        let equations = store.mk_and(parts);
        (body, equations)
    }

    fn right(&mut self, obligation: &mut Obligation, position: usize, rule: usize, terms: &[TermId]) -> Line {
        let Some(atom) = obligation.right.atoms.get(position).cloned() else { return malformed() };
        let program = self.reader.program;
        let predicate = &program.predicates[atom.predicate];
        let Some(rule) = predicate.rules.get(rule) else { return malformed() };
        let pairs: Vec<(SymbolId, TermId)> =
            rule.variables.iter().copied().zip(terms.iter().copied()).collect();
        let bindings = match pairs.is_empty() {
            true => String::new(),
            false => format!(", with {}", self.bindings("", &pairs)),
        };
        let text = format!("{}{bindings}: {}", self.clause(&predicate.name, rule), self.atom(&atom));
        let (body, equations) = self.instance(rule, &atom, terms);
        obligation.right.atoms.splice(position..=position, body.atoms);
        obligation.right.constraint = self.reader.store.mk_and([obligation.right.constraint, equations]);
        line(Kind::Right, text)
    }

    fn recall(&mut self, obligation: &mut Obligation, recall: &Recall) -> Line {
        let of_lemma = |position: usize, lemmas: &[Entailment]| {
            lemmas.get(position).map(|lemma| (lemma.right.clone(), lemma.existentials.clone()))
        };
        let (kind, name, known) = match recall.known {
            Known::Hypothesis(number) => {
                let known = self.hypotheses.get(number);
                let known = known.map(|known| (known.right.clone(), known.existentials.clone()));
                (Kind::Hypothesis, (number + 1).to_string(), known)
            }
            Known::Lemma(number) => {
                (Kind::Lemma, (number + 1).to_string(), of_lemma(number, self.reader.lemmas))
            }
            Known::Itself => {
                let known = self.itself.and_then(|number| of_lemma(number, self.reader.lemmas));
                (Kind::Lemma, "itself, for less".to_string(), known)
            }
        };
        let Some((right, existentials)) = known else { return malformed() };
        let bindings: Vec<(SymbolId, TermId)> = self.changed(&recall.bindings);
        let bindings = match bindings.is_empty() {
            true => String::new(),
            false => format!(", with {}", self.bindings("", &bindings)),
        };
        let store = &mut *self.reader.store;
        let fresh = recall.fresh.iter().map(|&symbol| store.mk_symbol(symbol)).collect::<Vec<_>>();
        let pairs = recall.bindings.iter().copied().chain(existentials.into_iter().zip(fresh));
        let here = Substitution::from_pairs(store, pairs.collect::<Vec<_>>());
        let added = right.substitute(store, &here);
        let text = format!("{name}{bindings}: {}", self.goal(&added));
        obligation.left.atoms.extend(added.atoms);
        let store = &mut *self.reader.store;
        obligation.left.constraint = store.mk_and([obligation.left.constraint, added.constraint]);
        line(kind, text)
    }

    /// The bindings other than identities.
    fn changed(&mut self, bindings: &[(SymbolId, TermId)]) -> Vec<(SymbolId, TermId)> {
        let store = &*self.reader.store;
        bindings.iter().copied().filter(|&(symbol, term)| store.as_symbol(term) != Some(symbol)).collect()
    }

    fn split(&mut self, obligation: &Obligation, cases: &[(TermId, Step)]) -> Line {
        let (kind, text) = match (cases.is_empty(), self.reader.names) {
            (false, _) => (Kind::Split, ""),
            (true, Names::Tenet) => (Kind::Split, "no case is possible"),
            // For the paper this is a constraint proof like any other.
            (true, Names::Paper) => (Kind::Close, "the left-hand side is impossible"),
        };
        let text = text.to_string();
        let mut shown = Vec::new();
        for (formula, step) in cases {
            let title = self.reader.printer().term(*formula);
            let constraint = self.reader.store.mk_and([obligation.left.constraint, *formula]);
            let left = Goal { atoms: obligation.left.atoms.clone(), constraint };
            let case = Obligation { left, ..obligation.clone() };
            shown.push(Case { title, lines: self.lines(case, step) });
        }
        Line { cases: shown, ..line(kind, text) }
    }

    /// Nothing is shown if the text stays the same: such a step only simplifies terms.
    fn restate(&mut self, obligation: &mut Obligation, restated: &Restated) -> Option<Line> {
        let mut atoms = Vec::new();
        for (position, args) in &restated.left {
            let Some(atom) = obligation.left.atoms.get(*position) else { return Some(malformed()) };
            atoms.push(Atom { predicate: atom.predicate, args: args.clone() });
        }
        obligation.left = Goal { atoms, constraint: restated.constraint };
        obligation.right = Goal { atoms: restated.right.clone(), constraint: restated.right_constraint };
        let text = self.obligation(obligation);
        let is_new = text != self.said;
        self.said.clone_from(&text);
        is_new.then(|| line(Kind::Restate, text))
    }

    fn obligation(&self, obligation: &Obligation) -> String {
        let Obligation { left, existentials, right } = obligation.clone();
        let entailment = Entailment {
            name: String::new(),
            source: Default::default(),
            variables: Vec::new(),
            left,
            existentials,
            right,
        };
        self.reader.printer().entailment(&entailment)
    }

    fn atom(&self, atom: &Atom) -> String {
        self.reader.printer().atom(atom)
    }

    fn goal(&self, goal: &Goal) -> String {
        self.reader.printer().goal(goal)
    }

    fn clause(&self, predicate: &str, rule: &Clause) -> String {
        self.reader.printer().clause(predicate, rule)
    }

    /// `X = Y + 1, K = <K_2,N,0>`
    fn bindings(&self, mark: &str, bindings: &[(SymbolId, TermId)]) -> String {
        let store = &*self.reader.store;
        let shown = bindings.iter().map(|&(symbol, term)| {
            let name = &store.symbol(symbol).name;
            format!("{mark}{name} = {}", self.reader.printer().term(term))
        });
        shown.collect::<Vec<String>>().join(", ")
    }
}

fn line(kind: Kind, text: String) -> Line {
    Line { kind, word: kind.word(), text, cases: Vec::new() }
}

/// A malformed derivation is still shown, as far as it goes.
fn malformed() -> Line {
    line(Kind::Cut, "this step does not fit".to_string())
}
