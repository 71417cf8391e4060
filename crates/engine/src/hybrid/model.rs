//! The abstract model as decision diagrams: initial states, steps, and states in which the property may be violated.
//!
//! The variables of an abstract state come first, each next to its copy for the next state (X-T9), then the inputs.
//! The relation is kept in parts (`schedule`).

use super::concrete::Concrete;
use super::exact::Pairs;
use super::fact::{Fact, When};
use super::schedule::{Schedule, without};
use super::view::{Part, Sight, View};
use indexmap::IndexMap;
use tenet_abstraction::bits::{Bits, Blaster, Leaves, Opaque, width};
use tenet_abstraction::set::{Set, Space};
use tenet_term::{Literal, SymbolId, TermId, TermMap, TermStore};

/// Nodes up to which facts are conjoined into one part of the relation.
const MAX_GROUP_NODES: usize = 300;

/// From this many bits on a model is worth a large cache.
const LARGE_MODEL_BITS: usize = 16;

/// What an abstract model is made of.
pub struct Parts<'a> {
    pub concrete: &'a Concrete,
    pub view: View,
    pub facts: &'a [Fact],
    /// Predicates whose definitions are invariants.
    pub definitions: &'a [TermId],
    /// The exact abstraction of predicates, if that is wanted.
    pub pairs: Option<&'a Pairs>,
    /// An assumption with more bits of inputs than this is left out.
    pub few_inputs: usize,
}

pub struct Model {
    pub view: View,
    space: Space,
    first: Set,
    /// Where a state of the circuit can be.
    consistent: Set,
    bad: Set,
    forward: Schedule,
    backward: Schedule,
}

impl Model {
    pub fn new(store: &mut TermStore, parts: Parts<'_>) -> Model {
        let (bits, variables) = (parts.view.atoms.len(), 2 * parts.view.atoms.len());
        let space = Space::forgiving(variables, bits >= LARGE_MODEL_BITS);
        let mut builder = Builder {
            now: Blaster::new(&space),
            through: [Blaster::new(&space), Blaster::new(&space)],
            first_input: space.vars(),
            known: TermMap::default(),
            space,
            parts,
        };
        builder.build(store)
    }

    /// How many bits an abstract state has.
    pub fn bits(&self) -> usize {
        self.view.atoms.len()
    }

    /// Was there no room for some set? Then nothing that the model says counts.
    pub fn is_overfull(&self) -> bool {
        self.space.is_overfull()
    }

    pub fn first(&self) -> &Set {
        &self.first
    }

    /// The states that may violate the property.
    pub fn bad(&self) -> &Set {
        &self.bad
    }

    /// The valuations that a state may have.
    pub fn consistent(&self) -> &Set {
        &self.consistent
    }

    /// The set of states that satisfy these literals, which are about variables.
    pub fn cube(&self, literals: &[Literal]) -> Set {
        let literal = |literal: &Literal| {
            let variable = self.view.variable(literal.atom).expect("invariant: the atom is a variable");
            (now(variable), literal.positive)
        };
        self.space.cube(&literals.iter().map(literal).collect::<Vec<_>>())
    }

    /// The set of states that satisfy these literals, about variables or about what kept registers decide.
    pub fn meaning(&self, store: &TermStore, literals: &[Literal]) -> Set {
        let mut blaster = Blaster::new(&self.space);
        let mut leaves = Decided { view: &self.view, space: &self.space, frame: 0 };
        let mut all = self.space.full();
        for literal in literals {
            let holds = match self.view.variable(literal.atom) {
                Some(variable) => self.space.literal(now(variable), true),
                None => match blaster.formula(store, literal.atom, &mut leaves) {
                    Ok(holds) => holds,
                    Err(_) => continue,
                },
            };
            all = if literal.positive { all.intersect(&holds) } else { all.minus(&holds) };
        }
        all
    }

    /// The literals of some state in the set, as few as the diagram shows to be enough.
    pub fn pick(&self, set: &Set) -> Option<Vec<Literal>> {
        let literal = |(var, positive): (usize, bool)| Literal { atom: self.view.atoms[var / 2], positive };
        Some(set.pick()?.into_iter().map(literal).collect())
    }

    /// The states after those of the set.
    pub fn image(&self, set: &Set) -> Set {
        let after = self.forward.apply(set);
        let back: Vec<(usize, Set)> = (0..self.bits())
            .map(|variable| (next(variable), self.space.literal(now(variable), true)))
            .collect();
        after.substitute(&back).intersect(&self.consistent)
    }

    /// The states of `within` from which the set can be reached in a step.
    pub fn before(&self, within: &Set, set: &Set) -> Set {
        let there: Vec<(usize, Set)> = (0..self.bits())
            .map(|variable| (now(variable), self.space.literal(next(variable), true)))
            .collect();
        self.backward.apply(&within.intersect(&set.intersect(&self.consistent).substitute(&there)))
    }
}

/// The diagram variable of a variable in this state.
fn now(variable: usize) -> usize {
    2 * variable
}

fn next(variable: usize) -> usize {
    2 * variable + 1
}

struct Builder<'a> {
    parts: Parts<'a>,
    space: Space,
    /// Formulas of this state, with predicates.
    now: Blaster,
    /// Formulas of this state and of the next one, looking through predicates.
    through: [Blaster; 2],
    first_input: usize,
    /// The variables of inputs.
    known: TermMap<Vec<usize>>,
}

impl Builder<'_> {
    fn build(&mut self, store: &mut TermStore) -> Model {
        let mut relations = self.invariants(store);
        // What is assumed of a cycle is no part of it: a state may be reached in which no cycle is possible.
        let shared = relations.iter().fold(self.space.full(), |all, relation| all.intersect(relation));
        let steps = self.registers(store);
        let assumptions = self.assumptions(store);
        let bad = self.seen(store, self.parts.concrete.bad);
        // No inputs are added to a cycle behind this.
        let inputs: Vec<usize> = self.input_variables();
        let consistent = shared.exists(&inputs).intersect(&self.conjunction(store, When::Always));
        let bad = bad.intersect(&self.conjunction(store, When::Bad)).intersect_exists(&shared, &inputs);
        relations.extend(assumptions);
        relations.extend(self.steps(store));
        relations.extend(steps);
        let first = self.first(store);
        let first = first.exists(&self.input_variables()).intersect(&consistent);
        let relations = without(relations, &inputs);
        let with = |inputs: &[usize], frame: fn(usize) -> usize| {
            let states = (0..self.parts.view.atoms.len()).map(frame);
            states.chain(inputs.iter().copied()).collect::<Vec<usize>>()
        };
        Model {
            view: self.parts.view.clone(),
            space: self.space.clone(),
            first,
            bad: bad.intersect(&consistent),
            consistent,
            forward: Schedule::new(&relations, &with(&inputs, now)),
            backward: Schedule::new(&relations, &with(&inputs, next)),
        }
    }

    fn input_variables(&self) -> Vec<usize> {
        (self.first_input..self.space.vars()).collect()
    }

    fn kept(&self) -> Vec<SymbolId> {
        let registers = self.parts.concrete.circuit.state.iter().copied();
        registers.filter(|&register| self.parts.view.keeps(register)).collect()
    }

    /// The definitions of predicates that speak of what is kept (Clarke et al., section 3.3).
    fn invariants(&mut self, store: &TermStore) -> Vec<Set> {
        let mut all = Vec::new();
        for &atom in self.parts.definitions {
            let Some(variable) = self.parts.view.variable(atom) else { continue };
            let truth = self.space.literal(now(variable), true);
            let mut leaves = Seen {
                view: &self.parts.view,
                space: &self.space,
                known: &mut self.known,
                sight: Sight::Concrete,
            };
            if let Ok(holds) = self.through[0].formula(store, atom, &mut leaves) {
                all.push(holds.ite(&truth, &truth.complement()));
            }
        }
        all
    }

    /// The next value of each kept register.
    fn registers(&mut self, store: &TermStore) -> Vec<Set> {
        let mut all = Vec::new();
        for register in self.kept() {
            let value = self.parts.concrete.next_value(register);
            let bits = self.seen_bits(store, value);
            all.extend(self.are(register, &bits, next));
        }
        all
    }

    /// That the bits of a register are these, in the state that `frame` tells.
    fn are(&self, register: SymbolId, bits: &Bits, frame: fn(usize) -> usize) -> Vec<Set> {
        let variables = self.parts.view.variables_of(register);
        let is = |(&variable, bit): (&usize, &Set)| {
            let truth = self.space.literal(frame(variable), true);
            bit.ite(&truth, &truth.complement())
        };
        variables.iter().zip(bits).map(is).collect()
    }

    /// The assumptions about each cycle that have few inputs.
    fn assumptions(&mut self, store: &TermStore) -> Vec<Set> {
        let conjuncts = store.conjuncts(self.parts.concrete.circuit.constraint);
        let few = self.parts.few_inputs;
        let is_small =
            |view: &View, term| view.inputs(store, term, Sight::Abstract).values().sum::<usize>() <= few;
        let small: Vec<TermId> =
            conjuncts.into_iter().filter(|&term| is_small(&self.parts.view, term)).collect();
        small.into_iter().map(|term| self.seen(store, term)).collect()
    }

    fn first(&mut self, store: &mut TermStore) -> Set {
        let mut first = self.conjunction(store, When::First);
        if let Some(pairs) = self.parts.pairs {
            first = first.intersect(&self.valuations(store, &pairs.atoms, &pairs.first));
        }
        let constraint = self.parts.concrete.circuit.start;
        let inputs = self.parts.view.inputs(store, constraint, Sight::Abstract);
        if inputs.values().sum::<usize>() <= self.parts.few_inputs {
            first = first.intersect(&self.seen(store, constraint));
        }
        for register in self.kept() {
            let value = self.parts.concrete.first_value(register);
            let bits = self.seen_bits(store, value);
            first = self.are(register, &bits, now).iter().fold(first, |all, bit| all.intersect(bit));
        }
        first
    }

    /// What is known of steps: relations for each predicate that is implied, and for the rest, none of them large.
    fn steps(&mut self, store: &mut TermStore) -> Vec<Set> {
        let mut groups: IndexMap<Option<TermId>, Vec<Set>> = IndexMap::new();
        for fact in self.parts.facts.iter().filter(|fact| fact.when == When::Step) {
            let head = if let [only] = fact.next[..] { Some(only.atom) } else { None };
            let clause = self.clause(store, fact);
            let group = groups.entry(head).or_default();
            let together = group.last().map(|last| last.intersect(&clause));
            match together.filter(|together| together.nodes() <= MAX_GROUP_NODES) {
                Some(together) => {
                    group[..].last_mut().expect("invariant: there is a last one").clone_from(&together)
                }
                None => group.push(clause),
            }
        }
        let mut all: Vec<Set> = groups.into_values().flatten().collect();
        if let Some(pairs) = self.parts.pairs {
            all.push(self.valuations(store, &pairs.atoms, &pairs.steps));
        }
        all
    }

    /// Facts of one kind about this state.
    fn conjunction(&mut self, store: &mut TermStore, when: When) -> Set {
        let mut all = self.space.full();
        for fact in self.parts.facts.iter().filter(|fact| fact.when == when) {
            all = all.intersect(&self.clause(store, fact));
        }
        all
    }

    fn clause(&mut self, store: &TermStore, fact: &Fact) -> Set {
        let mut any = self.space.empty();
        for (frame, literals) in [(0, &fact.now), (1, &fact.next)] {
            for &literal in literals {
                any = any.union(&self.truth(store, literal, frame));
            }
        }
        any
    }

    /// Rows of truth values of these atoms in this state and, behind them, in the next one.
    fn valuations(&mut self, store: &TermStore, atoms: &[TermId], rows: &[Vec<bool>]) -> Set {
        let mut any = self.space.empty();
        for row in rows {
            let mut all = self.space.full();
            for (position, &positive) in row.iter().enumerate() {
                let literal = Literal { atom: atoms[position % atoms.len()], positive };
                all = all.intersect(&self.truth(store, literal, position / atoms.len()));
            }
            any = any.union(&all);
        }
        any
    }

    /// Where a literal holds. An atom without a variable is a definition over kept registers (HL-T4, HL-T7).
    fn truth(&mut self, store: &TermStore, literal: Literal, frame: usize) -> Set {
        let holds = match self.parts.view.variable(literal.atom) {
            Some(variable) => self.space.literal(2 * variable + frame, true),
            None => {
                let mut leaves = Decided { view: &self.parts.view, space: &self.space, frame };
                let holds = self.through[frame].formula(store, literal.atom, &mut leaves);
                // What has no diagram is not known, and a fact about it says nothing.
                return match holds {
                    Ok(holds) if literal.positive => holds,
                    Ok(holds) => holds.complement(),
                    Err(_) => self.space.full(),
                };
            }
        };
        if literal.positive { holds } else { holds.complement() }
    }

    fn seen(&mut self, store: &TermStore, formula: TermId) -> Set {
        self.seen_bits(store, formula)[0].clone()
    }

    fn seen_bits(&mut self, store: &TermStore, term: TermId) -> Bits {
        let mut leaves = Seen {
            view: &self.parts.view,
            space: &self.space,
            known: &mut self.known,
            sight: Sight::Abstract,
        };
        self.now.bits(store, term, &mut leaves).expect("invariant: everything that is not seen is an input")
    }
}

/// This state: what is not seen is an input.
struct Seen<'a> {
    view: &'a View,
    space: &'a Space,
    known: &'a mut TermMap<Vec<usize>>,
    sight: Sight,
}

impl Seen<'_> {
    fn input(&mut self, store: &TermStore, term: TermId) -> Result<Bits, Opaque> {
        let width = width(store, store.sort_of(term)).ok_or(Opaque(term))?;
        let space = self.space;
        let vars = self.known.entry(term).or_insert_with(|| {
            let first = space.vars();
            space.add_vars(width);
            (first..first + width).collect()
        });
        Ok(vars.iter().map(|&var| space.literal(var, true)).collect())
    }
}

impl Leaves for Seen<'_> {
    fn leaf(&mut self, store: &TermStore, term: TermId) -> Option<Bits> {
        match self.view.part(store, term, self.sight) {
            Part::Predicate(variable, value) => Some(vec![self.space.literal(now(variable), value)]),
            Part::Register(bits) => {
                Some(bits.iter().map(|&bit| self.space.literal(now(bit), true)).collect())
            }
            Part::Input => self.input(store, term).ok(),
            Part::Inner => None,
        }
    }

    fn opaque(&mut self, store: &TermStore, term: TermId) -> Result<Bits, Opaque> {
        self.input(store, term)
    }
}

/// This state or the next one, over kept registers alone.
struct Decided<'a> {
    view: &'a View,
    space: &'a Space,
    frame: usize,
}

impl Leaves for Decided<'_> {
    fn leaf(&mut self, store: &TermStore, term: TermId) -> Option<Bits> {
        match self.view.part(store, term, Sight::Concrete) {
            Part::Register(bits) => {
                Some(bits.iter().map(|&bit| self.space.literal(2 * bit + self.frame, true)).collect())
            }
            _ => None,
        }
    }

    fn opaque(&mut self, _: &TermStore, term: TermId) -> Result<Bits, Opaque> {
        Err(Opaque(term))
    }
}
