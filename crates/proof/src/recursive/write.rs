//! A proof as text: one S-expression over several lines, which `read` parses.
//!
//! ```text
//! (proof
//!   (variable X Int)
//!   (variable X_2 Int)
//!   (obligation 1
//!     (unfold 1
//!       (case ()
//!         (right 1 1)
//!         close)
//!       (case (X_2)
//!         (recall (hypothesis 1) ((X X_2)) (1) ())
//!         (right 1 2 (+ X_2 2))
//!         (right 1 2 X_2)
//!         close))))
//! ```
//!
//! Positions are counted from one. Steps with one obligation are followed by the next one; those with several contain them.

use tenet_system::recursive::tree::{Case, Child, Fate, Node, Outcome, Safe, Termination, Tree};
use tenet_system::recursive::{Atom, Goal, Known, Lemma, Program, Proof, Recall, Restated, State, Step};
use tenet_term::{SortId, SymbolId, TermId, TermStore};

use super::vocabulary::Vocabulary;

/// The depth from which proofs are neither written nor read: they are dropped recursively.
pub(super) const MAX_DEPTH: usize = 1_000;

type Written = Result<(), String>;

/// The lines of a proof. `sorts` are those that the program mentions.
pub(super) fn write(program: &mut Program, sorts: &[SortId], proof: &Proof) -> Result<Vec<String>, String> {
    let mut store = std::mem::take(&mut program.store);
    let lines = write_with(program, &mut store, sorts, proof);
    program.store = store;
    lines
}

fn write_with(
    program: &Program,
    store: &mut TermStore,
    sorts: &[SortId],
    proof: &Proof,
) -> Result<Vec<String>, String> {
    let vocabulary = Vocabulary::new(program, store, sorts);
    let mut writer = Writer { store, vocabulary, lines: Vec::new(), depth: 0 };
    // The name of a binder depends on the names of all symbols, so these are collected first.
    writer.proof(proof)?;
    let declarations = writer.vocabulary.declarations(writer.store)?;
    writer.lines = vec![(0, "(proof".to_owned())];
    declarations.into_iter().for_each(|declaration| writer.line(1, declaration));
    writer.proof(proof)?;
    writer.close();
    let indented = |(indent, text): (usize, String)| format!("{}{text}", "  ".repeat(indent));
    Ok(writer.lines.into_iter().map(indented).collect())
}

struct Writer<'a> {
    store: &'a mut TermStore,
    vocabulary: Vocabulary,
    /// Each with its indentation.
    lines: Vec<(usize, String)>,
    /// The number of enclosing steps.
    depth: usize,
}

impl Writer<'_> {
    fn line(&mut self, indent: usize, text: String) {
        self.lines.push((indent, text));
    }

    fn close(&mut self) {
        if let Some((_, last)) = self.lines.last_mut() {
            last.push(')');
        }
    }

    fn proof(&mut self, proof: &Proof) -> Written {
        for lemma in &proof.lemmas {
            self.lemma(lemma)?;
        }
        for (number, step) in proof.obligations.iter().enumerate() {
            if let Some(step) = step {
                self.line(1, format!("(obligation {}", number + 1));
                self.steps(2, step)?;
                self.close();
            }
        }
        match &proof.tree {
            None => Ok(()),
            Some(tree) => self.tree(tree),
        }
    }

    fn lemma(&mut self, lemma: &Lemma) -> Written {
        let entailment = &lemma.entailment;
        let (variables, existentials) =
            (self.symbols(&entailment.variables)?, self.symbols(&entailment.existentials)?);
        let (left, right) = (self.goal(&entailment.left)?, self.goal(&entailment.right)?);
        self.line(1, format!("(lemma {variables}"));
        self.line(2, left);
        self.line(2, existentials);
        self.line(2, right);
        if let Some(measure) = lemma.measure {
            let measure = self.term(measure)?;
            self.line(2, format!("(measure {measure})"));
        }
        self.steps(2, &lemma.proof)?;
        self.close();
        Ok(())
    }

    /// A step and what follows it.
    fn steps(&mut self, indent: usize, first: &Step) -> Written {
        let outside = self.depth;
        let mut step = Some(first);
        while let Some(this) = step {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return Err("the proof is too deep to be written".to_owned());
            }
            step = self.step(indent, this)?;
        }
        self.depth = outside;
        Ok(())
    }

    /// Writes one step; returns its successor.
    fn step<'s>(&mut self, indent: usize, step: &'s Step) -> Result<Option<&'s Step>, String> {
        match step {
            Step::Close => self.line(indent, "close".to_owned()),
            Step::Each(steps) => {
                self.line(indent, "(each".to_owned());
                for step in steps {
                    self.line(indent + 1, "(part".to_owned());
                    self.steps(indent + 2, step)?;
                    self.close();
                }
                self.close();
            }
            Step::Choose(terms, next) => {
                let terms = self.pairs(terms)?;
                self.line(indent, format!("(choose {terms})"));
                return Ok(Some(next));
            }
            Step::Unfold { atom, cases } => self.unfold(indent, *atom, cases)?,
            Step::Right { atom, rule, terms, next } => {
                let terms = self.terms(terms)?;
                self.line(indent, format!("(right {} {}{terms})", atom + 1, rule + 1));
                return Ok(Some(next));
            }
            Step::Recall(recall, next) => {
                self.recall(indent, recall)?;
                return Ok(Some(next));
            }
            Step::Split(cases) => {
                self.line(indent, "(split".to_owned());
                for (formula, step) in cases {
                    let formula = self.term(*formula)?;
                    self.line(indent + 1, format!("(when {formula}"));
                    self.steps(indent + 2, step)?;
                    self.close();
                }
                self.close();
            }
            Step::Restate(restated, next) => {
                self.restate(indent, restated)?;
                return Ok(Some(next));
            }
        }
        Ok(None)
    }

    fn unfold(&mut self, indent: usize, atom: usize, cases: &[(Vec<SymbolId>, Option<Step>)]) -> Written {
        self.line(indent, format!("(unfold {}", atom + 1));
        for (fresh, step) in cases {
            let fresh = self.symbols(fresh)?;
            match step {
                None => self.line(indent + 1, format!("(void {fresh})")),
                Some(step) => {
                    self.line(indent + 1, format!("(case {fresh}"));
                    self.steps(indent + 2, step)?;
                    self.close();
                }
            }
        }
        self.close();
        Ok(())
    }

    fn recall(&mut self, indent: usize, recall: &Recall) -> Written {
        let known = match recall.known {
            Known::Hypothesis(number) => format!("(hypothesis {})", number + 1),
            Known::Lemma(number) => format!("(lemma {})", number + 1),
            Known::Itself => "itself".to_owned(),
        };
        let (bindings, fresh) = (self.pairs(&recall.bindings)?, self.symbols(&recall.fresh)?);
        let atoms: Vec<String> = recall.atoms.iter().map(|position| (position + 1).to_string()).collect();
        self.line(indent, format!("(recall {known} {bindings} ({}) {fresh})", atoms.join(" ")));
        Ok(())
    }

    fn restate(&mut self, indent: usize, restated: &Restated) -> Written {
        let mut left = Vec::new();
        for (position, args) in &restated.left {
            left.push(format!("({}{})", position + 1, self.terms(args)?));
        }
        let constraint = self.term(restated.constraint)?;
        let right = Goal { atoms: restated.right.clone(), constraint: restated.right_constraint };
        let right = self.goal(&right)?;
        self.line(indent, format!("(restate ({}) {constraint}", left.join(" ")));
        self.line(indent + 1, format!("{right})"));
        Ok(())
    }

    fn tree(&mut self, tree: &Tree) -> Written {
        self.line(1, "(tree".to_owned());
        for (position, node) in tree.nodes.iter().enumerate() {
            self.node(position, node)?;
        }
        if let Some(termination) = &tree.termination {
            self.termination(termination)?;
        }
        self.close();
        Ok(())
    }

    fn node(&mut self, position: usize, node: &Node) -> Written {
        match position {
            // The checker requires it to be the start.
            0 => self.line(2, "(node start".to_owned()),
            _ => {
                self.line(2, "(node".to_owned());
                self.state(&node.state)?;
            }
        }
        match &node.fate {
            Fate::Open => return Err("a tree with an open node proves nothing".to_owned()),
            Fate::Expanded { children, properties } => self.expanded(children, properties)?,
            Fate::Abstracted { abstraction, to, proof } => {
                let by = abstraction.map_or("found".to_owned(), |number| (number + 1).to_string());
                self.line(3, format!("(abstracted {by} {}", to + 1));
                self.steps(4, proof)?;
                self.close();
            }
            Fate::Subsumed { by, proof } => {
                self.line(3, format!("(subsumed {}", by + 1));
                self.steps(4, proof)?;
                self.close();
            }
            Fate::Split { cases, proof } => self.cases(cases, proof)?,
        }
        self.close();
        Ok(())
    }

    fn cases(&mut self, cases: &[Case], proof: &Step) -> Written {
        self.line(3, "(split".to_owned());
        self.line(4, "(cover".to_owned());
        self.steps(5, proof)?;
        self.close();
        for case in cases {
            let when = self.term(case.when)?;
            self.line(4, format!("(when {when} {}", case.to + 1));
            self.steps(5, &case.proof)?;
            self.close();
        }
        self.close();
        Ok(())
    }

    fn state(&mut self, state: &State) -> Written {
        let (variables, args) = (self.symbols(&state.variables)?, self.terms(&state.args)?);
        let goal = self.goal(&state.goal)?;
        self.line(3, format!("(state {variables}"));
        self.line(4, format!("({})", args.trim_start()));
        self.line(4, format!("{goal})"));
        Ok(())
    }

    fn expanded(&mut self, children: &[Child], properties: &[Option<Safe>]) -> Written {
        self.line(3, "(expanded".to_owned());
        for child in children {
            let fresh = self.symbols(&child.fresh)?;
            let proof = match &child.outcome {
                Outcome::Node(node, proof) => {
                    self.line(4, format!("(to {} {fresh}", node + 1));
                    proof
                }
                Outcome::Impossible(proof) => {
                    self.line(4, format!("(impossible {fresh}"));
                    proof
                }
            };
            self.steps(5, proof)?;
            self.close();
        }
        for (number, safe) in properties.iter().enumerate() {
            let Some(safe) = safe else { continue };
            let fresh = self.symbols(&safe.fresh)?;
            self.line(4, format!("(property {} {fresh}", number + 1));
            self.steps(5, &safe.proof)?;
            self.close();
        }
        self.close();
        Ok(())
    }

    fn termination(&mut self, termination: &Termination) -> Written {
        let ranking = self.terms(&termination.ranking)?;
        self.line(2, format!("(termination ({})", ranking.trim_start()));
        for proof in &termination.proofs {
            self.line(3, "(decrease".to_owned());
            self.steps(4, proof)?;
            self.close();
        }
        self.close();
        Ok(())
    }

    fn goal(&mut self, goal: &Goal) -> Result<String, String> {
        let mut atoms = Vec::new();
        for atom in &goal.atoms {
            atoms.push(self.atom(atom)?);
        }
        Ok(format!("(({}) {})", atoms.join(" "), self.term(goal.constraint)?))
    }

    fn atom(&mut self, atom: &Atom) -> Result<String, String> {
        let args = self.terms(&atom.args)?;
        Ok(format!("({}{args})", self.vocabulary.predicate(atom.predicate)?))
    }

    /// Terms, each preceded by a space.
    fn terms(&mut self, terms: &[TermId]) -> Result<String, String> {
        let mut text = String::new();
        for &term in terms {
            text.push(' ');
            text.push_str(&self.term(term)?);
        }
        Ok(text)
    }

    fn term(&mut self, term: TermId) -> Result<String, String> {
        self.vocabulary.term(self.store, term)
    }

    fn symbols(&mut self, symbols: &[SymbolId]) -> Result<String, String> {
        let mut names = Vec::new();
        for &symbol in symbols {
            names.push(self.vocabulary.symbol(self.store, symbol)?);
        }
        Ok(format!("({})", names.join(" ")))
    }

    fn pairs(&mut self, pairs: &[(SymbolId, TermId)]) -> Result<String, String> {
        let mut written = Vec::new();
        for &(symbol, term) in pairs {
            let name = self.vocabulary.symbol(self.store, symbol)?;
            written.push(format!("({name} {})", self.term(term)?));
        }
        Ok(format!("({})", written.join(" ")))
    }
}
