//! The two directions behind one interface: `<F, start, bound>` is `<post, init, safe>` or `<pre, unsafe, nonInit>` (Ball,
//! Podelski and Rajamani, section 2). A bound is given by its complement.

use super::formula::{Disjunct, Formula};
use super::outcome::{Direction, Early, Options, PostForm, Pruning, Unsupported};
use super::post::post;
use super::pre::{before, clashes, pre};
use super::program::Program;
use super::prover::{Prover, syntactic};
use crate::common::watch::Watch;
use tenet_abstraction::monotone::{Conjunction, Monotone};
use tenet_term::{TermId, TermStore};

/// An operator on formulas, with where it starts and what it must not meet.
pub struct Operator<'a> {
    pub program: &'a Program,
    pub direction: Direction,
    pruning: Pruning,
    form: PostForm,
}

impl<'a> Operator<'a> {
    pub fn new(program: &'a Program, direction: Direction, options: &Options) -> Operator<'a> {
        Operator { program, direction, pruning: options.pre, form: options.post }
    }

    pub fn start(&self) -> &'a Formula {
        match self.direction {
            Direction::Forward => &self.program.init,
            Direction::Backward => &self.program.bad,
        }
    }

    /// The complement of the bound.
    pub fn end(&self) -> &'a Formula {
        match self.direction {
            Direction::Forward => &self.program.bad,
            Direction::Backward => &self.program.init,
        }
    }

    /// `F_c` of a disjunct, before anything is left out.
    pub fn apply(
        &self,
        store: &mut TermStore,
        command: usize,
        disjunct: &Disjunct,
    ) -> Result<Vec<Disjunct>, Unsupported> {
        let (command, is_split) = (&self.program.commands[command], self.program.is_split);
        match self.direction {
            Direction::Forward => post(store, command, disjunct, self.form, is_split),
            Direction::Backward => pre(store, command, disjunct, is_split),
        }
    }

    /// Is a disjunct left out of the result?
    pub fn is_dropped(&self, store: &mut TermStore, prover: &mut Prover, disjunct: &Disjunct) -> bool {
        match (self.direction, self.pruning) {
            (Direction::Forward, _) | (_, Pruning::Literal) => false,
            (_, Pruning::Control) => clashes(store, disjunct),
            (_, Pruning::Unsatisfiable) => prover.refutes(store, disjunct),
        }
    }

    /// `F` of a formula.
    pub fn image(
        &self,
        store: &mut TermStore,
        prover: &mut Prover,
        formula: &Formula,
        watch: &dyn Watch,
    ) -> Result<Formula, Early> {
        let mut result = Formula::default();
        for disjunct in formula.disjuncts() {
            for command in 0..self.program.commands.len() {
                if let Some(stop) = watch.stop() {
                    return Err(Early::Stopped(stop));
                }
                for image in self.apply(store, command, disjunct)? {
                    if !self.is_dropped(store, prover, &image) {
                        result.add(image);
                    }
                }
            }
        }
        Ok(result)
    }

    /// `F#_c` of a conjunction of predicates (in ascending order).
    ///
    /// The prover sees a step as it is, with old state, new state and inputs. No old value has to be eliminated for it, so the
    /// normal form of `post` does not matter to abstraction, only to refinement.
    pub fn abstract_image(
        &self,
        store: &mut TermStore,
        prover: &mut Prover,
        command: usize,
        from: &Disjunct,
        predicates: &Predicates,
    ) -> Monotone {
        let step = &self.program.commands[command];
        let (facts, images) = match self.direction {
            Direction::Backward => (before(store, step, from), &predicates.atoms),
            Direction::Forward => ([from.atoms(), &step.guard[..]].concat(), &predicates.after[command]),
        };
        let least = prover.least(store, &facts, images);
        least.unwrap_or_else(|| self.syntactic_image(store, command, from, predicates))
    }

    /// The same without the prover: *true* if the image cannot be written down either.
    fn syntactic_image(
        &self,
        store: &mut TermStore,
        command: usize,
        from: &Disjunct,
        predicates: &Predicates,
    ) -> Monotone {
        let Ok(images) = self.apply(store, command, from) else { return Monotone::top() };
        let is_control = (self.direction, self.pruning) == (Direction::Backward, Pruning::Control);
        let kept = images.iter().filter(|image| !(is_control && clashes(store, image)));
        Monotone::of(kept.map(|image| syntactic(image, &predicates.atoms)))
    }
}

pub struct Predicates {
    /// The atoms, in ascending order.
    pub atoms: Vec<TermId>,
    /// For each command, the same about the state after it; empty unless the direction is forward.
    after: Vec<Vec<TermId>>,
}

impl Predicates {
    /// These atoms, in ascending order, for an operator.
    pub fn new(store: &mut TermStore, operator: &Operator<'_>, atoms: Vec<TermId>) -> Predicates {
        let commands = match operator.direction {
            Direction::Forward => &operator.program.commands[..],
            Direction::Backward => &[],
        };
        let mut after = Vec::new();
        for command in commands {
            let substitution = command.substitution(store);
            after.push(atoms.iter().map(|&atom| store.substitute(atom, &substitution)).collect());
        }
        Predicates { atoms, after }
    }

    pub fn disjunct(&self, conjunction: &Conjunction) -> Disjunct {
        Disjunct::of_atoms(conjunction.predicates().iter().map(|&position| self.atoms[position]).collect())
    }

    pub fn formula(&self, element: &Monotone) -> Formula {
        element.minimal().map(|conjunction| self.disjunct(conjunction)).collect()
    }
}
