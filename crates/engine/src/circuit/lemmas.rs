//! The search for lemmas with a vocabulary that grows: first what is cheap, then what suspected runs ask for.

use super::bounded::Bounded;
use super::data::{comparisons, data_registers};
use super::frames::{Answer, Frames};
use super::localise::localise;
use super::netlist::Netlist;
use super::vocabulary::{Cube, Vocabulary, bits};
use super::{Halt, Pace};
use tenet_solve::Statistics;
use tenet_term::{Sort, TermId, TermStore};

/// If there are no more bits than this, all registers that hold no data are observed.
const FEW_BITS: usize = 600;
/// Otherwise those of at most this width.
const NARROW: u32 = 12;
/// More bits than this are not observed at all.
pub const MOST_BITS: usize = 6000;

/// The search.
pub struct Lemmas {
    /// What is observed.
    pub vocabulary: Vocabulary,
    frames: Frames,
    /// How often the vocabulary was enlarged.
    pub refinements: usize,
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

    /// Observes how data compare, and the bits of everything else that is narrow. `None` if that is the same as all bits.
    pub fn of_words(store: &mut TermStore, netlist: &Netlist, branches: &[TermId]) -> Option<Lemmas> {
        let is_data = data_registers(store, netlist);
        let mut vocabulary = Vocabulary::new(store, netlist);
        let others = count(store, netlist, |register| !is_data[register]);
        let observes_all = others.is_some_and(|bits| bits <= FEW_BITS);
        if observes_all && !is_data.contains(&true) {
            return None;
        }
        for formula in comparisons(store, netlist, &is_data) {
            vocabulary.observe(store, netlist, formula);
        }
        for register in (0..netlist.state.len()).filter(|&register| !is_data[register]) {
            if observes_all || is_narrow(store, netlist, register) {
                vocabulary.observe_whole(store, netlist, register);
            }
        }
        for &formula in branches {
            let registers = super::vocabulary::registers(store, netlist, formula);
            let is_hidden = registers.iter().any(|&register| !vocabulary.whole[register as usize]);
            if is_hidden {
                vocabulary.observe(store, netlist, formula);
            }
        }
        Some(Lemmas::new(store, netlist, vocabulary))
    }

    fn new(store: &mut TermStore, netlist: &Netlist, vocabulary: Vocabulary) -> Lemmas {
        let frames = Frames::new(store, netlist, &vocabulary);
        Lemmas { vocabulary, frames, refinements: 0 }
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
        let may_cut: Vec<bool> = self.vocabulary.whole.iter().map(|whole| !whole).collect();
        let needed = localise(store, netlist, &may_cut, length, pace)?;
        let mut is_new = false;
        for register in needed {
            is_new |= self.vocabulary.observe_whole(store, netlist, register);
        }
        if !is_new && !self.frames.be_careful() {
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
