//! The search for lemmas with a vocabulary that grows: abstraction refinement around `frames`. It starts with cheap
//! atoms, and spurious counterexamples add others.

use super::bounded::Bounded;
use super::data::comparisons;
use super::facts::facts;
use super::fields::Fields;
use super::frames::{Answer, Frames};
use super::localise::localise;
use super::minimise::minimise;
use super::narrow::Narrow;
use super::netlist::Netlist;
use super::vocabulary::{Cube, Literal, Vocabulary, bits};
use super::{Halt, Slice};
use rustc_hash::FxHashSet;
use tenet_solve::{Limits, Statistics};
use tenet_term::{Op, Sort, SymbolId, TermId, TermStore};
use tracing::debug;

/// With at most this many bits, all control registers are observed.
const MAX_CONTROL_BITS: usize = 600;
/// Otherwise those up to this width: wider control is mostly counters, which few proofs need bit by bit.
const MAX_CONTROL_WIDTH: u32 = 12;
/// Predicates that are observed from the start.
const MAX_FIRST_ATOMS: usize = 150;
/// A search over more bits than this is not begun.
pub const MAX_BITS: usize = 6000;

pub struct Lemmas {
    pub vocabulary: Vocabulary,
    frames: Frames,
    netlist: Netlist,
    /// The meaning of each atom in the original circuit, if the search is in one with narrower data.
    originals: Option<Vec<TermId>>,
    pub refinements: usize,
    knows_facts: bool,
    /// Was its invariant refuted in the original circuit?
    is_refuted: bool,
}

pub enum Found {
    Invariant(Vec<TermId>),
    /// An abstract counterexample of this many cycles, which the unrolling has not refuted yet.
    AbstractCounterexample(usize),
}

impl Lemmas {
    /// A search that observes every bit of the state. `None` if there are too many.
    pub fn of_bits(store: &mut TermStore, netlist: &Netlist) -> Option<Lemmas> {
        let mut vocabulary = Vocabulary::new(store, netlist);
        if count(store, netlist)? > MAX_BITS {
            return None;
        }
        for register in 0..netlist.state.len() {
            vocabulary.observe_whole(store, netlist, register);
        }
        Some(Lemmas::new(store, netlist.clone(), vocabulary))
    }

    /// The same as [`Lemmas::of_words`], in a circuit with narrower data. `None` if there are no data.
    pub fn of_narrow_words(store: &mut TermStore, netlist: &Netlist, given: &[TermId]) -> Option<Lemmas> {
        let mut fields = Fields::of(store, netlist);
        let (mut narrow, narrower) = Narrow::of(store, netlist, &mut fields)?;
        let wide = words(store, netlist, &mut fields, given);
        let mut vocabulary = Vocabulary::new(store, &narrower);
        let mut originals = Vec::new();
        for atom in &wide.atoms {
            let Some(formula) = narrow.formula(store, atom.now[0]) else { continue };
            if vocabulary.observe(store, &narrower, formula) {
                originals.push(atom.now[0]);
            }
        }
        vocabulary.whole = wide.whole;
        let lemmas = Lemmas::new(store, narrower, vocabulary);
        Some(Lemmas { originals: Some(originals), ..lemmas })
    }

    /// A search that observes how words compare, and the bits of everything that is narrow and no data.
    pub fn of_words(store: &mut TermStore, netlist: &Netlist, given: &[TermId]) -> Lemmas {
        let mut fields = Fields::of(store, netlist);
        let vocabulary = words(store, netlist, &mut fields, given);
        Lemmas::new(store, netlist.clone(), vocabulary)
    }

    fn new(store: &mut TermStore, netlist: Netlist, vocabulary: Vocabulary) -> Lemmas {
        let frames = Frames::new(store, &netlist, &vocabulary);
        Lemmas {
            vocabulary,
            frames,
            netlist,
            originals: None,
            refinements: 0,
            knows_facts: false,
            is_refuted: false,
        }
    }

    /// Is the search in another circuit, one with narrower data?
    pub fn is_of_other_circuit(&self) -> bool {
        self.originals.is_some()
    }

    /// Ends the search: its invariant does not hold in the original circuit.
    pub fn mark_refuted(&mut self) {
        self.is_refuted = true;
    }

    pub fn statistics(&self) -> Statistics {
        self.frames.statistics()
    }

    /// Runs until there is an answer or the slice is used up. An abstract counterexample within cycles that the
    /// unrolling has checked is spurious, and refines the vocabulary.
    pub fn search(
        &mut self,
        store: &mut TermStore,
        bounded: &Bounded,
        slice: &Slice<'_>,
    ) -> Result<Found, Halt> {
        if self.is_refuted {
            return Err(Halt::Stuck("what holds for narrower data does not hold".to_owned()));
        }
        if !self.knows_facts {
            let facts = facts(store, &self.netlist, &self.vocabulary, slice)?;
            self.knows_facts = true;
            facts.into_iter().for_each(|cube| self.frames.add_fact(store, &self.vocabulary, cube));
        }
        loop {
            match self.frames.search(store, &self.netlist, &self.vocabulary, slice)? {
                Answer::Invariant(cubes) => {
                    return Ok(Found::Invariant(self.formulas(store, cubes, slice)));
                }
                Answer::AbstractCounterexample(length) if length < bounded.clean() => {
                    self.refine(store, length, slice)?;
                }
                Answer::AbstractCounterexample(length) => {
                    // The counterexample is examined again when it is known whether there is a run.
                    self.frames.refined(&self.vocabulary);
                    return Ok(Found::AbstractCounterexample(length));
                }
            }
        }
    }

    /// Refines the vocabulary so that it excludes runs of this length.
    fn refine(&mut self, store: &mut TermStore, length: usize, slice: &Slice<'_>) -> Result<(), Halt> {
        // Lifting may have dropped literals that matter. Only if it has not, the vocabulary is too small.
        if self.frames.stop_lifting() {
            self.frames.refined(&self.vocabulary);
            return Ok(());
        }
        let may_cut: Vec<bool> = self.vocabulary.whole.iter().map(|whole| !whole).collect();
        let netlist = &self.netlist;
        let needed = localise(store, netlist, &may_cut, length, slice)?;
        let mut is_new = false;
        for register in needed {
            // A narrower word has bits of its own, which say nothing of the circuit as it is.
            if self.originals.is_some() {
                return Err(Halt::Stuck("narrower data are not enough".to_owned()));
            }
            is_new |= self.vocabulary.observe_whole(store, netlist, register);
        }
        if !is_new {
            return Err(Halt::Stuck("a suspected run cannot be told from a real one".to_owned()));
        }
        self.refinements += 1;
        debug!(
            number = self.refinements,
            atoms = self.vocabulary.atoms.len(),
            "refinement: more is observed"
        );
        self.frames.refined(&self.vocabulary);
        Ok(())
    }

    /// The clauses of an invariant that a proof needs, about the original circuit.
    fn formulas(&self, store: &mut TermStore, cubes: Vec<Cube>, slice: &Slice<'_>) -> Vec<TermId> {
        let clauses: Vec<TermId> = cubes.iter().map(|cube| self.vocabulary.clause(store, cube)).collect();
        let limits = Limits { effort: None, ..slice.limits() };
        let needed = minimise(store, &self.netlist, &clauses, &limits).unwrap_or_else(|| clauses.clone());
        let Some(originals) = &self.originals else { return needed };
        let mut original = |cube: &Cube| {
            // The clause says the opposite of the cube.
            let literal = |&literal: &Literal| {
                let formula = originals[(literal >> 1) as usize];
                if literal & 1 == 1 { formula } else { store.mk_not(formula) }
            };
            let literals: Vec<TermId> = cube.iter().map(literal).collect();
            store.mk_or(literals)
        };
        let kept = cubes.iter().zip(&clauses).filter(|(_, clause)| needed.contains(clause));
        kept.map(|(cube, _)| original(cube)).collect()
    }
}

/// How words compare, and the bits of everything that is narrow and no data.
fn words(store: &mut TermStore, netlist: &Netlist, fields: &mut Fields, given: &[TermId]) -> Vocabulary {
    let mut vocabulary = Vocabulary::new(store, netlist);
    // Predicates on words come first: where they explain a step, bits are not needed.
    for formula in atoms_of_state(store, netlist, given) {
        vocabulary.observe(store, netlist, formula);
    }
    for formula in comparisons(store, netlist, fields) {
        vocabulary.observe(store, netlist, formula);
    }
    observe_control(store, netlist, fields, &mut vocabulary);
    vocabulary
}

/// The atoms of formulas over the state: the largest parts without connectives that mention no input.
fn atoms_of_state(store: &TermStore, netlist: &Netlist, formulas: &[TermId]) -> Vec<TermId> {
    let mut atoms = Vec::new();
    let mut seen = FxHashSet::default();
    let mut open: Vec<TermId> = formulas.iter().rev().copied().collect();
    while let Some(formula) = open.pop() {
        if !seen.insert(formula) || atoms.len() >= MAX_FIRST_ATOMS {
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

/// Observes the bits of all fields that hold no data; if these are many, of narrow registers only.
fn observe_control(
    store: &mut TermStore,
    netlist: &Netlist,
    fields: &mut Fields,
    vocabulary: &mut Vocabulary,
) {
    let control: Vec<Option<Vec<TermId>>> =
        netlist.state.iter().map(|&symbol| control_bits(store, fields, symbol)).collect();
    let total: usize = control.iter().map(|bits| bits.as_ref().map_or(0, Vec::len)).sum();
    for (register, control) in control.into_iter().enumerate() {
        let Some(control) = control else { continue };
        if total > MAX_CONTROL_BITS && !is_narrow(store, netlist, register) {
            continue;
        }
        let all = bits(store, netlist.state[register]).map_or(0, |all| all.len());
        vocabulary.whole[register] = control.len() == all;
        for bit in control {
            vocabulary.observe(store, netlist, bit);
        }
    }
}

/// The bits of a register that hold no data; `None` for a memory that has too many.
fn control_bits(store: &mut TermStore, fields: &mut Fields, symbol: SymbolId) -> Option<Vec<TermId>> {
    let all = bits(store, symbol)?;
    let word = store.mk_symbol(symbol);
    let mut is_control = vec![true; 1];
    let of_word = fields.of_word(store, word);
    if let Some(last) = of_word.last() {
        is_control = vec![true; last.hi as usize + 1];
        for field in of_word.iter().filter(|field| field.is_data) {
            is_control[field.lo as usize..=field.hi as usize].fill(false);
        }
    }
    let width = is_control.len();
    Some(
        all.into_iter()
            .enumerate()
            .filter(|(bit, _)| is_control[bit % width])
            .map(|(_, term)| term)
            .collect(),
    )
}

/// The number of bits of all registers; `None` if a memory has too many.
fn count(store: &mut TermStore, netlist: &Netlist) -> Option<usize> {
    netlist.state.iter().map(|&symbol| bits(store, symbol).map(|bits| bits.len())).sum()
}

fn is_narrow(store: &TermStore, netlist: &Netlist, register: usize) -> bool {
    match store.sort(store.symbol(netlist.state[register]).sort) {
        Sort::Bool => true,
        Sort::BitVec(width) => *width <= MAX_CONTROL_WIDTH,
        _ => false,
    }
}
