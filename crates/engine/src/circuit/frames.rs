//! Property-directed reachability (IC3) over a vocabulary of atoms.
//!
//! Frame `k` has clauses that hold in every state reachable within `k` cycles. A state of the last frame that
//! violates a property is a proof obligation: it is to be blocked there, and its predecessors in the frame before are
//! to be blocked first. A clause is generalised by dropping literals while it stays inductive relative to the
//! previous frame; a predecessor that stands in the way (a counterexample to generalisation) may be blocked for it
//! (Bradley, 2011; Hassan, Bradley and Somenzi, 2013). When all clauses of a frame can be pushed to the next one,
//! they are an invariant.
//!
//! One solver has all frames: the clauses of a frame are asserted under a switch that is assumed with it. Atoms may
//! hide a part of the state, so a path to the initial states is only an abstract counterexample (HL-A10); the caller
//! has to look for the run.

use super::netlist::Netlist;
use super::question::Questions;
use super::vocabulary::{Cube, Literal, Vocabulary};
use super::{Halt, Slice};
use crate::common::log;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use tenet_solve::Statistics;
use tenet_term::{TermId, TermStore};
use tracing::{debug, debug_span};

/// Literals that cannot be dropped, in a row, before generalisation stops: later ones rarely can.
const MAX_FAILED_DROPS: usize = 8;
/// Counterexamples to generalisation that are blocked for one smaller clause; as in the paper.
const MAX_BLOCKED_CTGS: usize = 3;

/// The frames, and the proof obligations.
pub struct Frames {
    questions: Questions,
    /// The clauses of each frame, as the cubes they block, delta-encoded: those of a frame hold in all frames before
    /// it. The first frame is that of the initial states and has none.
    levels: Vec<Vec<Cube>>,
    /// Cubes that are blocked in every frame.
    facts: Vec<Cube>,
    obligations: Vec<Obligation>,
    open: BinaryHeap<Reverse<(usize, usize, usize)>>,
    /// How often a literal was in a clause. Literals with little activity are dropped first.
    activity: Vec<u32>,
}

/// A cube of states that lead to a violation.
struct Obligation {
    cube: Cube,
    /// The number of cycles to the violation.
    depth: usize,
}

pub enum Answer {
    /// The clauses that block these cubes are an inductive invariant.
    Invariant(Vec<Cube>),
    /// An abstract run of this many cycles leads to a violation.
    AbstractCounterexample(usize),
}

/// The predecessors of a cube in the previous frame.
enum Predecessor {
    /// There are none; these literals of the cube suffice for that.
    None(Cube),
    States(Cube),
    /// The initial states.
    Initial,
}

impl Frames {
    pub fn new(store: &mut TermStore, netlist: &Netlist, vocabulary: &Vocabulary) -> Frames {
        let mut frames = Frames {
            questions: Questions::new(store, netlist),
            levels: Vec::new(),
            facts: Vec::new(),
            obligations: Vec::new(),
            open: BinaryHeap::new(),
            activity: vec![0; 2 * vocabulary.atoms.len()],
        };
        frames.add_level(store);
        frames.add_level(store);
        frames
    }

    pub fn statistics(&self) -> Statistics {
        self.questions.statistics()
    }

    /// Blocks a cube in every frame: no reachable state is in it.
    pub fn add_fact(&mut self, store: &mut TermStore, vocabulary: &Vocabulary, cube: Cube) {
        if !self.facts.contains(&cube) {
            self.questions.add_fact(store, vocabulary, &cube);
            self.facts.push(cube);
        }
    }

    /// Continues with a larger vocabulary: clauses stay valid, the obligations that led to an abstract counterexample
    /// are dropped.
    pub fn refined(&mut self, vocabulary: &Vocabulary) {
        self.open.clear();
        self.obligations.clear();
        self.activity.resize(2 * vocabulary.atoms.len(), 0);
    }

    /// Stops lifting: from now on all literals of a state are kept. Says whether that is new.
    pub fn stop_lifting(&mut self) -> bool {
        self.questions.stop_lifting()
    }

    fn top(&self) -> usize {
        self.levels.len() - 1
    }

    fn add_level(&mut self, store: &mut TermStore) {
        self.questions.add_level(store);
        self.levels.push(Vec::new());
    }

    /// Runs until there is an answer or the slice is used up.
    pub fn search(
        &mut self,
        store: &mut TermStore,
        netlist: &Netlist,
        vocabulary: &Vocabulary,
        slice: &Slice<'_>,
    ) -> Result<Answer, Halt> {
        let mut work = Work { store, netlist, vocabulary, slice };
        self.questions.set_limits(slice.limits());
        loop {
            let _span = debug_span!("frame", level = self.top()).entered();
            if let Some(length) = self.block(&mut work)? {
                return Ok(Answer::AbstractCounterexample(length));
            }
            if let Some(cube) = self.questions.bad(&mut work, self.top())? {
                if self.questions.is_initial(&mut work, &cube)?.is_none() {
                    return Ok(Answer::AbstractCounterexample(0));
                }
                self.add_obligation(cube, 0, self.top());
                continue;
            }
            if let Some(invariant) = self.propagate(&mut work)? {
                return Ok(Answer::Invariant(invariant));
            }
        }
    }

    fn add_obligation(&mut self, cube: Cube, depth: usize, level: usize) {
        self.open.push(Reverse((level, depth, self.obligations.len())));
        self.obligations.push(Obligation { cube, depth });
    }

    /// Discharges all obligations, or gives the length of an abstract path from the initial states.
    fn block(&mut self, work: &mut Work<'_, '_>) -> Result<Option<usize>, Halt> {
        while let Some(&Reverse((level, depth, number))) = self.open.peek() {
            work.slice.check()?;
            let cube = self.obligations[number].cube.clone();
            if self.is_blocked(&cube, level) {
                self.requeue(number, level);
                continue;
            }
            match self.predecessor(work, &cube, level)? {
                Predecessor::None(core) => {
                    let literals_before = cube.len();
                    let (cube, level) = self.learn(work, core, level)?;
                    debug!(level, literals_before, literals = cube.len(), "cube generalised");
                    self.add(work, cube, level);
                    self.requeue(number, level);
                }
                Predecessor::States(before) => {
                    debug!(
                        level = level - 1,
                        literals = before.len(),
                        cube = log::cube(work.store, &work.now(&before)),
                        "counterexample to induction"
                    );
                    if self.questions.is_initial(work, &before)?.is_none() {
                        return Ok(Some(depth + 1));
                    }
                    let depth = self.obligations[number].depth + 1;
                    self.add_obligation(before, depth, level - 1);
                }
                Predecessor::Initial => return Ok(Some(depth + 1)),
            }
        }
        self.obligations.clear();
        Ok(None)
    }

    /// The cube is blocked in this frame; it becomes an obligation of the next one as well, up to the last.
    fn requeue(&mut self, number: usize, level: usize) {
        self.open.retain(|Reverse((_, _, other))| *other != number);
        if level < self.top() {
            let depth = self.obligations[number].depth;
            self.open.push(Reverse((level + 1, depth, number)));
        }
    }

    fn is_blocked(&self, cube: &Cube, level: usize) -> bool {
        self.levels[level..].iter().flatten().chain(&self.facts).any(|lemma| is_subset(lemma, cube))
    }

    /// The predecessors of a cube in the previous frame, other than the cube itself.
    fn predecessor(
        &mut self,
        work: &mut Work<'_, '_>,
        cube: &Cube,
        level: usize,
    ) -> Result<Predecessor, Halt> {
        if level == 1 {
            return Ok(match self.questions.step_from_initial(work, cube)? {
                Some(core) => Predecessor::None(core),
                None => Predecessor::Initial,
            });
        }
        Ok(match self.questions.step_from(work, cube, level - 1)? {
            Ok(core) => Predecessor::None(core),
            Err(states) => Predecessor::States(states),
        })
    }

    /// Generalises a cube without predecessors, and pushes its clause to the last frame in which it holds.
    fn learn(&mut self, work: &mut Work<'_, '_>, core: Cube, level: usize) -> Result<(Cube, usize), Halt> {
        let cube = self.generalise(work, core, level, true)?;
        let mut level = level;
        while level < self.top() && self.questions.step(work, &cube, level)?.is_some() {
            level += 1;
        }
        Ok((cube, level))
    }

    /// Drops literals while the clause stays inductive relative to the previous frame and holds initially (`mic` of
    /// the paper).
    fn generalise(
        &mut self,
        work: &mut Work<'_, '_>,
        mut cube: Cube,
        level: usize,
        may_block_ctgs: bool,
    ) -> Result<Cube, Halt> {
        let mut order = cube.clone();
        order.sort_by_key(|&literal| (self.activity[literal as usize], literal));
        let mut failures = 0;
        for literal in order {
            if failures >= MAX_FAILED_DROPS || cube.len() == 1 {
                break;
            }
            if !cube.contains(&literal) {
                continue;
            }
            let smaller: Cube = cube.iter().copied().filter(|&other| other != literal).collect();
            match self.down(work, smaller, level, may_block_ctgs)? {
                Some(core) => {
                    cube = core;
                    failures = 0;
                }
                None => failures += 1,
            }
        }
        Ok(cube)
    }

    /// A generalisation of the cube that has no predecessors, perhaps after blocking some (`ctgDown`).
    fn down(
        &mut self,
        work: &mut Work<'_, '_>,
        cube: Cube,
        level: usize,
        may_block_ctgs: bool,
    ) -> Result<Option<Cube>, Halt> {
        for blocked in 0..=MAX_BLOCKED_CTGS {
            work.slice.check()?;
            if self.questions.is_initial(work, &cube)?.is_none() {
                return Ok(None);
            }
            let before = match self.predecessor(work, &cube, level)? {
                Predecessor::None(core) => return Ok(Some(core)),
                Predecessor::Initial => return Ok(None),
                Predecessor::States(before) => before,
            };
            if !may_block_ctgs || level <= 1 || blocked == MAX_BLOCKED_CTGS {
                return Ok(None);
            }
            if self.questions.is_initial(work, &before)?.is_none() {
                return Ok(None);
            }
            let Predecessor::None(core) = self.predecessor(work, &before, level - 1)? else {
                return Ok(None);
            };
            let core = self.generalise(work, core, level - 1, false)?;
            self.add(work, core, level - 1);
        }
        Ok(None)
    }

    fn add(&mut self, work: &mut Work<'_, '_>, cube: Cube, level: usize) {
        debug!(
            level,
            cube = log::cube(work.store, &work.now(&cube)),
            "lemma learned: never within the level"
        );
        for &literal in &cube {
            self.activity[literal as usize] += 1;
        }
        for lemmas in &mut self.levels[..=level] {
            lemmas.retain(|lemma| !is_subset(&cube, lemma));
        }
        self.questions.learn(work.store, work.vocabulary, &cube, level);
        self.levels[level].push(cube);
    }

    /// Opens a new frame and pushes clauses forward. If all clauses of a frame can be pushed, they are an invariant.
    fn propagate(&mut self, work: &mut Work<'_, '_>) -> Result<Option<Vec<Cube>>, Halt> {
        self.add_level(work.store);
        debug!(level = self.top(), lemmas = self.levels.iter().flatten().count(), "frame begins");
        for level in 1..self.top() {
            for cube in self.levels[level].clone() {
                work.slice.check()?;
                // It may have been subsumed meanwhile.
                if self.levels[level].contains(&cube) && self.questions.step(work, &cube, level)?.is_some() {
                    self.levels[level].retain(|other| *other != cube);
                    self.questions.learn(work.store, work.vocabulary, &cube, level + 1);
                    self.levels[level + 1].push(cube);
                }
            }
            if self.levels[level].is_empty() {
                debug!(level, "lemmas are inductive");
                return Ok(Some([&self.levels[level + 1..].concat()[..], &self.facts].concat()));
            }
        }
        self.questions.renew(work, &self.levels, &self.facts);
        Ok(None)
    }
}

pub struct Work<'a, 'b> {
    pub store: &'a mut TermStore,
    pub netlist: &'a Netlist,
    pub vocabulary: &'a Vocabulary,
    pub slice: &'a Slice<'b>,
}

impl Work<'_, '_> {
    pub fn now(&self, cube: &[Literal]) -> Vec<TermId> {
        cube.iter().map(|&literal| self.vocabulary.now(literal)).collect()
    }

    pub fn next(&self, cube: &[Literal]) -> Vec<TermId> {
        cube.iter().map(|&literal| self.vocabulary.next(literal)).collect()
    }

    pub fn initial(&self, cube: &[Literal]) -> Vec<TermId> {
        cube.iter().map(|&literal| self.vocabulary.initial(literal)).collect()
    }
}

/// Are all literals of one cube in the other? Both are in ascending order.
fn is_subset(part: &Cube, whole: &Cube) -> bool {
    let mut rest = whole.iter();
    part.len() <= whole.len() && part.iter().all(|literal| rest.any(|other| other == literal))
}
