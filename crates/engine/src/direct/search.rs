//! The search: a set of lemmas that grows until it is inductive.
//!
//! Each lemma except the properties blocks the predecessors of a counterexample to the induction of another lemma,
//! and is more general than that: it excludes whatever no explored instance reaches. If it turns out to be wrong,
//! because a larger instance reaches a state in its cube, it is retracted together with the lemmas learned on its
//! account.

mod given;
mod samples;

use tenet_solve::Limits;
use tenet_system::{Lemma, PropertyKind, System};
use tenet_term::{Substitution, SymbolId, TermId, TermStore};
use tracing::{debug, debug_span};

use super::Options;
use super::cube::{Cube, Predecessor, Vocabulary};
use super::existential::ExistentialLemmas;
use super::explored::Explored;
use super::generalise::{Accept, Strategy, generalise};
use super::halt::Halt;
use super::numbers::{self, Numbers, choose};
use super::pattern::Pattern;
use super::question::{Known, Origin, Question};
use super::weaken::weaken;
use crate::common::Warning;
use crate::common::log;
use crate::common::vacuity::{is_satisfiable, start_is_excluded};
use crate::common::watch::{Progress, Watch};
use crate::induct::Progressed;
use crate::interface::Statistics;

/// Retracted lemmas after which an attempt is given up: the explored instances are no guide then.
const MAX_REFUTED_LEMMAS: usize = 200;

/// Attempts, each with a larger limit on lemmas and another seed. What thirty of them do not find is not found by
/// more.
const MAX_ATTEMPTS: usize = 30;
/// Lemmas of the first attempt, which strengthens each of them: such an attempt succeeds with few lemmas or not at
/// all.
const MAX_LEMMAS_STRENGTHENED: usize = 60;
/// Retracted ones among them. With more, the explored states are too few to strengthen lemmas by.
const MAX_REFUTED_STRENGTHENED: usize = 2;
/// Lemmas of the first attempt without strengthening; later ones get half as many more each time.
const MAX_LEMMAS_PER_ATTEMPT: usize = 300;
/// Elements that a lemma may mention, unless a property mentions as many.
const MAX_ELEMENTS_PER_LEMMA: usize = 4;

/// A lemma and its origin.
pub struct Entry {
    pub lemma: Lemma,
    pattern: Pattern,
    /// The cube it blocks; a property has none.
    pub cube: Option<Cube>,
    /// The lemma whose counterexample to induction it blocks.
    parent: Option<usize>,
    /// False once it is retracted.
    alive: bool,
    /// Whether it is inductive together with others that are proved.
    is_proved: bool,
}

/// A search under way.
pub struct Search<'a> {
    system: &'a mut System,
    watch: &'a mut dyn Watch,
    options: Options,
    vocabulary: Vocabulary,
    /// What can be compared, if the system computes with numbers.
    numbers: Option<Numbers>,
    entries: Vec<Entry>,
    /// How many entries there were before the first attempt.
    initial_entries: usize,
    /// The queries about rules, made when they are first needed.
    questions: Vec<Option<Question>>,
    /// For each rule the lemmas that it has not been shown to preserve.
    pending: Vec<Vec<usize>>,
    /// The queries about startstates.
    starts: Vec<Question>,
    explored: Vec<Explored>,
    /// The next of [`samples::INSTANCES`].
    next_instance: usize,
    refuted_cubes: Vec<Cube>,
    strategy: Strategy,
    /// An attempt that needs more lemmas than this, or lemmas about more elements than that, ends.
    max_lemmas: usize,
    max_elements: usize,
    /// The material of existential lemmas, once the search allows them.
    existential: Option<ExistentialLemmas>,
}

impl<'a> Search<'a> {
    /// A search for a proof of these properties.
    pub fn new(
        system: &'a mut System,
        properties: &[usize],
        options: Options,
        watch: &'a mut dyn Watch,
    ) -> Search<'a> {
        let vocabulary = Vocabulary::new(system);
        let numbers = Numbers::new(system);
        let rules = system.rules.len();
        let mut search = Search {
            system,
            watch,
            options,
            vocabulary,
            numbers,
            entries: Vec::new(),
            initial_entries: 0,
            questions: (0..rules).map(|_| None).collect(),
            pending: vec![Vec::new(); rules],
            starts: Vec::new(),
            explored: Vec::new(),
            next_instance: 0,
            refuted_cubes: Vec::new(),
            strategy: Strategy::strengthening(),
            max_lemmas: MAX_LEMMAS_STRENGTHENED,
            max_elements: MAX_ELEMENTS_PER_LEMMA,
            existential: None,
        };
        if search.numbers.is_some() {
            (search.strategy, search.max_lemmas) = (Strategy::deterministic(), MAX_LEMMAS_PER_ATTEMPT);
        }
        for lemma in search.system.value_lemmas() {
            search.add_lemma(lemma, None, None);
        }
        for &property in properties {
            let property = &search.system.properties[property];
            if matches!(property.kind, PropertyKind::Start { .. }) {
                continue;
            }
            let formula = property.formula;
            for lemma in given::lemmas_of(&mut search.vocabulary, &mut search.system.store, formula) {
                search.max_elements = search.max_elements.max(lemma.vars.len() + 1);
                search.add_lemma(lemma, None, None);
            }
        }
        search
    }

    fn add_lemma(&mut self, lemma: Lemma, cube: Option<Cube>, parent: Option<usize>) {
        let vars: Vec<SymbolId> = lemma.vars.iter().map(|var| var.symbol).collect();
        let pattern = Pattern::new(&mut self.system.store, &vars, lemma.body);
        self.entries.push(Entry { lemma, pattern, cube, parent, alive: true, is_proved: false });
        let number = self.entries.len() - 1;
        self.pending.iter_mut().for_each(|pending| pending.push(number));
    }

    /// The lemmas that are not retracted.
    pub fn lemmas(&self) -> Vec<Lemma> {
        self.entries.iter().filter(|entry| entry.alive).map(|entry| entry.lemma.clone()).collect()
    }

    /// What a search without a proof has found: lemmas that are inductive together, and others, the shortest first.
    pub fn progressed(&self) -> Progressed {
        let searched = |entry: &&Entry| entry.alive && entry.cube.is_some();
        let (kept, mut guessed): (Vec<&Entry>, Vec<&Entry>) =
            self.entries.iter().filter(searched).partition(|entry| entry.is_proved);
        guessed.sort_by_key(|entry| entry.cube.as_ref().map_or(0, |cube| cube.literals.len()));
        let lemmas = |entries: Vec<&Entry>| entries.into_iter().map(|entry| entry.lemma.clone()).collect();
        Progressed { kept: lemmas(kept), guessed: lemmas(guessed) }
    }

    pub fn statistics(&self) -> Statistics {
        let questions = self.questions.iter().flatten().chain(&self.starts).map(Question::statistics);
        let (solver_calls, solver_seconds) =
            questions.fold((0, 0.0), |(calls, seconds), one| (calls + one.calls, seconds + one.seconds));
        Statistics { solver_calls, solver_seconds, ..Statistics::default() }
    }

    /// Is a proof vacuous? No startstate was seen, and the solver finds none either.
    pub fn warnings(&mut self) -> Vec<Warning> {
        if self.explored.iter().any(|explored| explored.states > 0) {
            return Vec::new();
        }
        let axioms: Vec<TermId> = self.system.axioms.iter().map(|axiom| axiom.formula).collect();
        let interrupt = self.watch.interrupt();
        if !is_satisfiable(self.system, &axioms, &interrupt) {
            return vec![Warning::AxiomsUnsatisfiable];
        }
        let mut is_possible = |start: &mut Question| start.is_possible(&mut self.system.store);
        let may_start = self.starts.iter_mut().any(&mut is_possible);
        let count = self.system.starts.len();
        let has_none =
            !may_start || (0..count).all(|start| start_is_excluded(self.system, start, &interrupt));
        if has_none { vec![Warning::NoStart] } else { Vec::new() }
    }

    /// For each rule, which lemmas (by position in [`Search::lemmas`]) were used at which terms.
    pub fn uses(&self) -> Vec<Vec<(usize, Substitution)>> {
        let alive: Vec<usize> =
            (0..self.entries.len()).filter(|&number| self.entries[number].alive).collect();
        let of_rule = |question: &Option<Question>| {
            let Some(question) = question else { return Vec::new() };
            let mut instances: Vec<&(usize, Vec<TermId>)> = question.instances().collect();
            instances.sort();
            let uses = instances.into_iter().filter_map(|(number, terms)| {
                let position = alive.binary_search(number).ok()?;
                let vars = self.entries[*number].lemma.vars.iter().map(|var| var.symbol);
                let pairs: Vec<_> = vars.zip(terms.iter().copied()).collect();
                Some((position, Substitution::from_pairs(&self.system.store, pairs)))
            });
            uses.collect()
        };
        self.questions.iter().map(of_rule).collect()
    }

    /// Searches until the lemmas are inductive.
    pub fn run(&mut self) -> Result<(), Halt> {
        for start in 0..self.system.starts.len() {
            let limits = Limits::until(self.watch.interrupt());
            self.starts.push(Question::new(self.system, Origin::Start(start), limits));
        }
        self.check_starts()?;
        self.try_candidates()?;
        for number in 1.. {
            debug!(
                number,
                most_lemmas = self.max_lemmas,
                strengthens = self.strategy.strengthens,
                "attempt begins"
            );
            match self.attempt() {
                Err(Halt::TooHard) if self.strategy.strengthens => {
                    // Finding the inductive ones among many strengthened lemmas takes longer than starting without
                    // them.
                    self.restart();
                    self.max_lemmas = MAX_LEMMAS_PER_ATTEMPT;
                    self.strategy = Strategy::deterministic();
                }
                Err(Halt::TooHard) if number < MAX_ATTEMPTS => {
                    self.keep_inductive()?;
                    self.max_lemmas += self.max_lemmas / 2;
                    self.strategy = Strategy::randomised(self.options.seed.wrapping_add(number as u64));
                }
                // Universal lemmas do not suffice; existential ones may.
                Err(Halt::Stuck { .. }) if self.existential.is_none() && self.numbers.is_none() => {
                    self.keep_inductive()?;
                    self.existential = Some(ExistentialLemmas::new(self.system));
                    self.refuted_cubes.clear();
                    self.max_lemmas = MAX_LEMMAS_PER_ATTEMPT;
                    self.strategy = Strategy::deterministic();
                }
                result => return result,
            }
        }
        Err(Halt::TooHard)
    }

    /// Startstates have to satisfy the properties. Learned lemmas are checked against startstates before they are
    /// added.
    fn check_starts(&mut self) -> Result<(), Halt> {
        let _span = debug_span!("starts").entered();
        for start in &mut self.starts {
            for entry in &self.entries {
                match start.breaks(&mut self.system.store, &entry.lemma) {
                    Ok(false) => {}
                    Ok(true) => return Err(Halt::Violated),
                    Err(why) => {
                        return Err(self.watch.stop().map_or(Halt::Inconclusive(why.0), Halt::Stopped));
                    }
                }
            }
        }
        Ok(())
    }

    /// Blocks counterexamples to induction until there are none, or until the limits of the attempt are reached.
    fn attempt(&mut self) -> Result<(), Halt> {
        loop {
            let mut is_settled = true;
            for number in 0..self.questions.len() {
                while self.block_next(number)? {
                    is_settled = false;
                }
            }
            if is_settled {
                return Ok(());
            }
        }
    }

    /// Keeps the candidates of the system that are inductive together, as lemmas that need no further proof
    /// (Houdini).
    fn try_candidates(&mut self) -> Result<(), Halt> {
        let known = self.entries.len();
        for formula in self.system.candidates.clone() {
            for lemma in given::lemmas_of(&mut self.vocabulary, &mut self.system.store, formula) {
                if self.entries.iter().any(|known| known.lemma.body == lemma.body) {
                    continue;
                }
                let store = &mut self.system.store;
                if self.starts.iter_mut().all(|start| matches!(start.breaks(store, &lemma), Ok(false))) {
                    self.add_lemma(lemma, Some(Cube::default()), None);
                }
            }
        }
        if self.entries.len() > known {
            self.keep_inductive()?;
            self.initial_entries = self.entries.len();
        }
        Ok(())
    }

    /// Keeps the largest subset of lemmas that is inductive by dropping broken ones until none is left (Houdini;
    /// Flanagan and Leino, 2001).
    fn keep_inductive(&mut self) -> Result<(), Halt> {
        loop {
            let mut is_settled = true;
            for number in 0..self.questions.len() {
                let open = |entry: &Entry| entry.alive && !entry.is_proved;
                self.pending[number] = (0..self.entries.len()).filter(|&e| open(&self.entries[e])).collect();
                while let Some((lemma, _)) = self.ask(number)? {
                    self.entries[lemma].alive = false;
                    is_settled = false;
                }
            }
            if is_settled {
                break;
            }
        }
        self.entries.iter_mut().filter(|entry| entry.alive).for_each(|entry| entry.is_proved = true);
        debug!(lemmas = self.lemmas().len(), "inductive lemmas are kept");
        self.restart();
        Ok(())
    }

    /// Drops the lemmas that are not proved, and restarts with the others and the properties.
    fn restart(&mut self) {
        self.entries.iter_mut().for_each(|entry| entry.alive &= entry.is_proved);
        self.pending.iter_mut().for_each(Vec::clear);
        let is_given = |entry: &&Entry| entry.cube.is_none() && !entry.alive;
        let given: Vec<Lemma> =
            self.entries.iter().filter(is_given).map(|entry| entry.lemma.clone()).collect();
        self.entries
            .iter_mut()
            .filter(|entry| !entry.alive)
            .for_each(|entry| entry.cube = Some(Cube::default()));
        given.into_iter().for_each(|lemma| self.add_lemma(lemma, None, None));
    }

    /// Finds one counterexample to induction and blocks it. False if the rule preserves all lemmas.
    fn block_next(&mut self, rule: usize) -> Result<bool, Halt> {
        let Some((lemma, predecessor)) = self.ask(rule)? else { return Ok(false) };
        self.block(rule, lemma, predecessor)?;
        Ok(true)
    }

    /// A lemma that the rule breaks, and the predecessor cube from which it does. `None` if there is none, and then
    /// nothing is pending.
    fn ask(&mut self, number: usize) -> Result<Option<(usize, Predecessor)>, Halt> {
        if let Some(stop) = self.watch.stop() {
            return Err(Halt::Stopped(stop));
        }
        let entries = &self.entries;
        self.pending[number].retain(|&lemma| entries[lemma].alive);
        if self.pending[number].is_empty() {
            return Ok(None);
        }
        let _span = debug_span!("rule", name = self.system.rules[number].name.as_str()).entered();
        self.prepare(number);
        let question = self.questions[number].as_mut().expect("invariant: it was prepared");
        let alive = self.entries.iter().enumerate().filter(|(_, entry)| entry.alive);
        let lemmas: Vec<Known<'_>> =
            alive.map(|(number, entry)| (number, &entry.lemma, &entry.pattern)).collect();
        let (vocabulary, numbers, existential) =
            (&mut self.vocabulary, &mut self.numbers, self.existential.as_ref());
        let result = question.ask(&mut self.system.store, &lemmas, &self.pending[number], |mut cti| {
            let predecessor = match numbers {
                Some(numbers) => numbers.cube(vocabulary, cti.structure, &cti.literals).into(),
                None => Predecessor::new(vocabulary, &mut cti, existential),
            };
            (cti.lemma, predecessor)
        });
        if matches!(result, Ok(None)) {
            self.pending[number].clear();
        }
        result.map_err(|why| self.watch.stop().map_or(Halt::Inconclusive(why.0), Halt::Stopped))
    }

    /// Creates the query if need be, and adds the lemmas that are new to it.
    fn prepare(&mut self, number: usize) {
        let limits = Limits::until(self.watch.interrupt());
        if self.questions[number].is_none() {
            self.questions[number] = Some(Question::new(self.system, Origin::Rule(number), limits));
        }
        let question = self.questions[number].as_mut().expect("invariant: it was just made");
        question.is_narrow = self.existential.is_some();
        let mut left = Vec::new();
        for lemma in std::mem::take(&mut self.pending[number]) {
            let knows = question.knows(lemma);
            if knows || question.add(&mut self.system.store, lemma, &self.entries[lemma].lemma) {
                left.push(lemma);
            }
        }
        self.pending[number] = left;
    }

    /// Blocks a cube from which a rule breaks a lemma.
    fn block(&mut self, rule: usize, lemma: usize, predecessor: Predecessor) -> Result<(), Halt> {
        // Explored lazily: properties that are inductive as they are need no states.
        if self.next_instance == 0 {
            self.explore_first()?;
        }
        let cube = &predecessor.cube;
        let _span = debug_span!("rule", name = self.system.rules[rule].name.as_str()).entered();
        debug!(
            broken_lemma = lemma,
            literals = cube.literals.len(),
            cube = log::cube(&self.system.store, &cube.literals),
            "counterexample to induction"
        );
        loop {
            if let Some(part) = self.candidate(&predecessor) {
                let lemma_of = part.lemma(&mut self.system.store);
                let literals = part.literals.len();
                debug!(literals_before = cube.literals.len(), literals, "cube generalised");
                let text = || log::lemma(&self.system.store, &lemma_of);
                debug!(number = self.entries.len(), lemma = text(), "lemma learned");
                let is_wide = self.elements(&part) > self.max_elements;
                self.use_at_once(rule, &lemma_of, &predecessor.names);
                self.add_lemma(lemma_of, Some(part), Some(lemma));
                self.report();
                return if is_wide || self.exceeds_limits() { Err(Halt::TooHard) } else { Ok(()) };
            }
            if let Some(stop) = self.watch.stop() {
                return Err(Halt::Stopped(stop));
            }
            let is_known = self.explored.iter().any(|one| one.size as usize >= cube.vars.len());
            if is_known && self.entries[lemma].cube.is_some() {
                return self.follow(lemma, &predecessor);
            }
            if !self.grow()? {
                return Err(if is_known { Halt::Stuck { rule } } else { Halt::TooHard });
            }
            if !self.entries[lemma].alive {
                return Ok(());
            }
        }
    }

    /// Instantiates a new lemma in the query that led to it, which would ask for that instance next.
    fn use_at_once(&mut self, rule: usize, lemma: &Lemma, names: &[(SymbolId, TermId)]) {
        let name = |symbol| names.iter().find(|(var, _)| *var == symbol).map(|&(_, term)| term);
        let terms: Option<Vec<TermId>> = lemma.vars.iter().map(|var| name(var.symbol)).collect();
        if let (Some(question), Some(terms)) = (&mut self.questions[rule], terms) {
            question.instantiate(&mut self.system.store, self.entries.len(), lemma, terms);
        }
    }

    /// Has the attempt used up its lemmas?
    fn exceeds_limits(&self) -> bool {
        let searched = self.entries.iter().filter(|entry| entry.alive && !entry.is_proved).count();
        let wrong = self.entries[self.initial_entries..].iter().filter(|entry| !entry.alive).count();
        searched > self.max_lemmas || self.strategy.strengthens && wrong > MAX_REFUTED_STRENGTHENED
    }

    /// How many elements of index sorts a cube speaks of.
    fn elements(&self, cube: &Cube) -> usize {
        let store = &self.system.store;
        cube.vars.iter().filter(|&&var| !store.sort(store.symbol(var).sort).is_numeric()).count()
    }

    /// A generalisation where numbers are compared.
    fn candidate_of_numbers(&mut self, numbers: &Numbers, cube: &Cube) -> Option<Cube> {
        let (wrong, starts) = (&self.refuted_cubes, &mut self.starts);
        let mut refuse = |store: &mut TermStore, part: &Cube, literals: &[TermId]| {
            if let Some(cube) = wrong.iter().find(|cube| is_part(part, cube)) {
                return Some(numbers::set(literals.iter().map(|literal| !cube.literals.contains(literal))));
            }
            let lemma = part.lemma(store);
            let broken =
                starts.iter_mut().find_map(|start| start.false_where_broken(store, &lemma, literals));
            broken.map(numbers::set)
        };
        let watch = &*self.watch;
        let go_on = || watch.stop().is_none();
        let (store, explored) = (&mut self.system.store, &mut self.explored);
        choose(numbers, store, cube, explored, self.strategy.random(), &mut refuse, &go_on)
    }

    /// A generalisation of the cube that no explored instance reaches.
    fn candidate(&mut self, predecessor: &Predecessor) -> Option<Cube> {
        if let Some(numbers) = self.numbers.take() {
            let part = self.candidate_of_numbers(&numbers, &predecessor.cube);
            self.numbers = Some(numbers);
            return part;
        }
        let (wrong, system, starts) = (&mut self.refuted_cubes, &mut *self.system, &mut self.starts);
        let accept: &mut Accept<'_> = &mut |store: &mut TermStore, part: &Cube| {
            if wrong.iter().any(|cube| is_part(part, cube)) {
                return false;
            }
            let lemma = part.lemma(store);
            // An unknown answer counts as a violation: the lemma may be wrong.
            let is_wrong = starts.iter_mut().any(|start| !matches!(start.breaks(store, &lemma), Ok(false)));
            if is_wrong {
                wrong.push(part.clone());
            }
            !is_wrong
        };
        let watch = &*self.watch;
        let go_on = || watch.stop().is_none();
        let (store, explored, strategy) = (&mut system.store, &mut self.explored[..], &mut self.strategy);
        let part = match &self.existential {
            Some(existential) => existential.best(store, predecessor, explored, strategy, accept, &go_on),
            None => generalise(store, &predecessor.cube, explored, strategy, accept, &go_on),
        }?;
        Some(if strategy.strengthens { weaken(store, part, explored, accept, &go_on) } else { part })
    }

    /// Retracts a lemma, and all lemmas that were learned on its account.
    fn retract(&mut self, lemma: usize) -> Result<(), Halt> {
        let Some(cube) = self.entries[lemma].cube.clone() else {
            return Err(Halt::Violated);
        };
        self.refuted_cubes.push(cube);
        if self.refuted_cubes.len() > MAX_REFUTED_LEMMAS {
            self.refuted_cubes.clear();
            return Err(Halt::TooHard);
        }
        self.remove(&[lemma]);
        Ok(())
    }

    fn remove(&mut self, wrong: &[usize]) {
        debug!(?wrong, "lemmas taken back");
        for &lemma in wrong {
            self.entries[lemma].alive = false;
        }
        for number in 0..self.entries.len() {
            let parent = self.entries[number].parent;
            let is_free = self.entries[number].is_proved;
            if !is_free && parent.is_some_and(|parent| !self.entries[parent].alive) {
                self.entries[number].alive = false;
            }
        }
        // What was shown inductive may have relied on retracted lemmas.
        let dead: Vec<usize> =
            (0..self.entries.len()).filter(|&number| !self.entries[number].alive).collect();
        let alive: Vec<usize> =
            (0..self.entries.len()).filter(|&number| self.entries[number].alive).collect();
        for (question, pending) in self.questions.iter().zip(&mut self.pending) {
            if question.as_ref().is_some_and(|question| dead.iter().any(|&lemma| question.uses(lemma))) {
                pending.clone_from(&alive);
            }
        }
    }

    fn report(&mut self) {
        let solver_calls = self.statistics().solver_calls;
        let alive = self.entries.iter().filter(|entry| entry.alive).count();
        self.watch.progress(&Progress {
            phase: "searching for lemmas",
            iteration: alive,
            abstract_states: 0,
            predicates: alive,
            solver_calls,
        });
    }
}

/// Are the literals of one cube among those of another?
fn is_part(part: &Cube, whole: &Cube) -> bool {
    part.literals.iter().all(|literal| whole.literals.contains(literal))
}
