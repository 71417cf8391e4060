//! The search for lemmas with a vocabulary that grows: first what is cheap, then what suspected runs ask for.

use super::bounded::Bounded;
use super::data::{comparisons, data_registers};
use super::facts::facts;
use super::frames::{Answer, Frames};
use super::localise::localise;
use super::netlist::Netlist;
use super::vocabulary::{Cube, Vocabulary, bits};
use super::{Halt, Pace};
use rustc_hash::FxHashSet;
use tenet_solve::Statistics;
use tenet_term::{Op, Sort, TermId, TermStore};

/// If there are no more bits than this, all registers that hold no data are observed.
const FEW_BITS: usize = 600;
/// Otherwise those of at most this width.
const NARROW: u32 = 12;
/// No more formulas than this are observed at first.
const MOST_ATOMS: usize = 150;
/// More bits than this are not observed at all.
pub const MOST_BITS: usize = 6000;

/// The search.
pub struct Lemmas {
    /// What is observed.
    pub vocabulary: Vocabulary,
    frames: Frames,
    /// How often the vocabulary was enlarged.
    pub refinements: usize,
    /// Have facts been looked for?
    knows_facts: bool,
}

/// What the search found.
pub enum Found {
    /// An invariant, as formulas.
    Invariant(Vec<TermId>),
    /// A run may lead to a violation after so many cycles, and it is not known that there is none.
    Suspicion(usize),
}

impl Lemmas {
    /// Observes every bit of the state. `None` if these are too many.
    pub fn of_bits(store: &mut TermStore, netlist: &Netlist) -> Option<Lemmas> {
        let mut vocabulary = Vocabulary::new(store, netlist);
        if count(store, netlist, |_| true)? > MOST_BITS {
            return None;
        }
        for register in 0..netlist.state.len() {
            vocabulary.observe_whole(store, netlist, register);
        }
        Some(Lemmas::new(store, netlist, vocabulary))
    }

    /// Observes how words compare, and the bits of everything that is narrow and no data.
    pub fn of_words(store: &mut TermStore, netlist: &Netlist, given: &[TermId]) -> Lemmas {
        let is_data = data_registers(store, netlist);
        let mut vocabulary = Vocabulary::new(store, netlist);
        // What is said of words comes first: where it explains a step, bits are not needed.
        for formula in atoms_of_state(store, netlist, given) {
            vocabulary.observe(store, netlist, formula);
        }
        for formula in comparisons(store, netlist, &is_data) {
            vocabulary.observe(store, netlist, formula);
        }
        let others = count(store, netlist, |register| !is_data[register]);
        let observes_all = others.is_some_and(|bits| bits <= FEW_BITS);
        for register in (0..netlist.state.len()).filter(|&register| !is_data[register]) {
            if observes_all || is_narrow(store, netlist, register) {
                vocabulary.observe_whole(store, netlist, register);
            }
        }
        Lemmas::new(store, netlist, vocabulary)
    }

    fn new(store: &mut TermStore, netlist: &Netlist, vocabulary: Vocabulary) -> Lemmas {
        let frames = Frames::new(store, netlist, &vocabulary);
        Lemmas { vocabulary, frames, refinements: 0, knows_facts: false }
    }

    /// What was asked.
    pub fn statistics(&self) -> Statistics {
        self.frames.statistics()
    }

    /// Searches for a while. A suspicion about cycles that are known to be clean is a reason to observe more.
    pub fn search(
        &mut self,
        store: &mut TermStore,
        netlist: &Netlist,
        bounded: &Bounded,
        pace: &Pace<'_>,
    ) -> Result<Found, Halt> {
        if !std::mem::replace(&mut self.knows_facts, true) {
            let ff = facts(store, netlist, &self.vocabulary, pace);
            if std::env::var("DBGC").is_ok() {
                eprintln!("atoms {} facts {:?}", self.vocabulary.atoms.len(), ff.as_ref().map(|f| f.len()));
                for a in self.vocabulary.atoms.iter() {
                    eprintln!("  {}", store.display(a.now[0]));
                }
            }
            for cube in ff? {
                self.frames.know(store, &self.vocabulary, cube);
            }
        }
        loop {
            match self.frames.search(store, netlist, &self.vocabulary, pace)? {
                Answer::Invariant(cubes) => return Ok(Found::Invariant(self.formulas(store, &cubes))),
                Answer::Suspicion(length) if length < bounded.clean() => {
                    self.refine(store, netlist, length, pace)?;
                }
                Answer::Suspicion(length) => {
                    // It is looked at again when it is known whether there is a run.
                    self.frames.refined(&self.vocabulary);
                    return Ok(Found::Suspicion(length));
                }
            }
        }
    }

    /// Observes what tells that there is no run of this length.
    fn refine(
        &mut self,
        store: &mut TermStore,
        netlist: &Netlist,
        length: usize,
        pace: &Pace<'_>,
    ) -> Result<(), Halt> {
        // Literals may have been dropped that matter. Only if it is not that, the vocabulary is too small.
        if self.frames.be_careful() {
            self.frames.refined(&self.vocabulary);
            return Ok(());
        }
        let may_cut: Vec<bool> = self.vocabulary.whole.iter().map(|whole| !whole).collect();
        let needed = localise(store, netlist, &may_cut, length, pace)?;
        if std::env::var("DBGC").is_ok() {
            eprintln!(
                "spurious length {length}: needed {:?}",
                needed.iter().map(|&r| store.symbol(netlist.state[r]).name.clone()).collect::<Vec<_>>()
            );
        }
        let mut is_new = false;
        for register in needed {
            is_new |= self.vocabulary.observe_whole(store, netlist, register);
        }
        if !is_new {
            return Err(Halt::Stuck("a suspected run cannot be told from a real one".to_owned()));
        }
        self.refinements += 1;
        self.frames.refined(&self.vocabulary);
        Ok(())
    }

    fn formulas(&self, store: &mut TermStore, cubes: &[Cube]) -> Vec<TermId> {
        cubes.iter().map(|cube| self.vocabulary.clause(store, cube)).collect()
    }
}

/// What formulas say of the state, without connectives: the largest parts of them that mention no input.
fn atoms_of_state(store: &TermStore, netlist: &Netlist, formulas: &[TermId]) -> Vec<TermId> {
    let mut atoms = Vec::new();
    let mut seen = FxHashSet::default();
    let mut open: Vec<TermId> = formulas.iter().rev().copied().collect();
    while let Some(formula) = open.pop() {
        if !seen.insert(formula) || atoms.len() >= MOST_ATOMS {
            continue;
        }
        let is_connective = store.op(formula).is_connective() || *store.op(formula) == Op::Ite;
        let symbols = store.symbols_in(formula);
        let is_of_state = symbols.iter().all(|&symbol| netlist.register(symbol).is_some());
        if is_of_state && !symbols.is_empty() {
            atoms.push(formula);
        }
        if is_connective {
            let args = store.args(formula).iter().rev().copied();
            open.extend(args.filter(|&arg| store.is_bool(arg)));
        }
    }
    atoms
}

/// The number of bits of some registers; `None` if a memory has too many.
fn count(store: &mut TermStore, netlist: &Netlist, is_counted: impl Fn(usize) -> bool) -> Option<usize> {
    let registers = (0..netlist.state.len()).filter(|&register| is_counted(register));
    registers.map(|register| bits(store, netlist.state[register]).map(|bits| bits.len())).sum()
}

fn is_narrow(store: &TermStore, netlist: &Netlist, register: usize) -> bool {
    match store.sort(store.symbol(netlist.state[register]).sort) {
        Sort::Bool => true,
        Sort::BitVec(width) => *width <= NARROW,
        _ => false,
    }
}
