//! Generalisation of one solution of an image query by its don't cares.
//!
//! A solution of a query fixes what its atoms are; the freedom of its model says which of them may be otherwise. Between
//! the two lies a small Boolean problem, solved by diagrams: every valuation that can be reached while what is fixed
//! stays fixed. Whether these things can be so does not depend on the set one starts from, so a context found once is
//! used again in later iterations, without the solver.
//!
//! Diagrams over many things that are free can get large. A context is only a short cut, so one that does is given up:
//! without it the solver finds the same valuations, one after the other.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use tenet_solve::Freedom;
use tenet_term::TermId;

use crate::layout::Layout;
use crate::set::{Cube, Set};
use crate::skeleton::{Formula, Skeleton, Truth, small};

/// The formulas of a query, by their place in its skeleton.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// What always holds: the guard, axioms, facts.
    pub always: Vec<Formula>,
    /// For each substitution the guard of its instance, and the predicates before the step.
    pub instances: Vec<(Formula, Vec<Formula>)>,
    /// The predicates after the step.
    pub posts: Vec<Formula>,
    /// For each of them the positions of its atoms.
    pub post_atoms: Vec<Vec<usize>>,
}

#[derive(Clone, Debug)]
struct Instance {
    /// When its terms are in range.
    guard: Set,
    /// The predicates that are what they are, as a cube.
    fixed: Set,
    free: Vec<(usize, Set)>,
}

/// A Boolean problem: from a set of valuations before the step to the valuations after it.
#[derive(Clone, Debug)]
pub struct Context {
    always: Set,
    instances: Vec<Instance>,
    posts: Vec<Truth>,
    /// For each predicate after the step the free variables that no later one depends on.
    last_uses: Vec<Vec<usize>>,
    /// Free variables on which no predicate after the step depends.
    unused: Vec<usize>,
}

impl Context {
    /// The context of a solution, given the truth of each atom and the freedom of the model; `None` if it is too large.
    pub fn new(
        layout: &Layout,
        skeleton: &Skeleton,
        frame: &Frame,
        truths: &[bool],
        freedom: &Freedom,
    ) -> Option<Context> {
        let bits = assign_bits(layout, skeleton, frame, freedom);
        let atoms = atom_truths(layout, skeleton, truths, freedom, &bits);
        let values = skeleton.evaluate_sets(&layout.space, &atoms)?;
        let always = Truth::all(&layout.space, frame.always.iter().map(|formula| formula.of(&values)))?;
        let always = always.to_set(&layout.space);
        let mut instances: IndexSet<(Set, Vec<Truth>), FxBuildHasher> = IndexSet::default();
        for (guard, predicates) in &frame.instances {
            let guard = guard.of(&values).to_set(&layout.space);
            if !guard.is_empty() {
                instances.insert((guard, predicates.iter().map(|p| p.of(&values).clone()).collect()));
            }
        }
        let posts: Vec<Truth> = frame.posts.iter().map(|post| post.of(&values).clone()).collect();
        let mut unused: Vec<usize> = bits.into_iter().flatten().collect();
        let mut last_uses = vec![Vec::new(); posts.len()];
        for (post, last) in posts.iter().zip(&mut last_uses).rev() {
            let Truth::In(set) = post else { continue };
            let support = set.support();
            last.extend(unused.extract_if(.., |var| support.contains(var)));
        }
        // Those that are quickly decided first: many contexts lead nowhere.
        let instances = instances.into_iter().map(|(guard, values)| Instance::new(layout, guard, &values));
        let mut instances: Vec<Instance> = instances.collect();
        instances.sort_by_key(|instance| instance.free.len());
        Some(Context { always, instances, posts, last_uses, unused })
    }

    /// The valuations after the step, if those before it are in `from`; `None` if finding them takes too much.
    pub fn image(&self, layout: &Layout, from: &Set) -> Option<Set> {
        let mut constraint = self.always.clone();
        for instance in &self.instances {
            if constraint.is_empty() {
                return Some(constraint);
            }
            let holds = small(instance.holds(from))?;
            constraint = small(constraint.intersect(&instance.guard.complement().union(&holds)))?;
        }
        let mut image = constraint.exists(&self.unused);
        for (predicate, (post, last)) in self.posts.iter().zip(&self.last_uses).enumerate() {
            let var = layout.space.literal(layout.var(predicate), true);
            image = match post {
                Truth::Const(value) => image.intersect(&if *value { var } else { var.complement() }),
                Truth::In(set) => image.intersect(&var.ite(set, &set.complement())),
            };
            if !last.is_empty() {
                image = image.exists(last);
            }
            image = small(image)?;
        }
        Some(image)
    }
}

impl Instance {
    fn new(layout: &Layout, guard: Set, values: &[Truth]) -> Instance {
        let (mut fixed, mut free) = (Cube::new(), Vec::new());
        for (predicate, value) in values.iter().enumerate() {
            match value {
                Truth::Const(value) => fixed.push((layout.var(predicate), *value)),
                Truth::In(set) => free.push((layout.var(predicate), set.clone())),
            }
        }
        Instance { guard, fixed: layout.space.cube(&fixed), free }
    }

    /// When the predicates are in a set. Fixing what is fixed first leaves little to substitute into.
    fn holds(&self, set: &Set) -> Set {
        let rest = set.restrict(&self.fixed);
        if self.free.is_empty() { rest } else { rest.substitute(&self.free) }
    }
}

/// The variables that encode the option taken, for each choice: near a predicate that depends on it, if there is room.
fn assign_bits(layout: &Layout, skeleton: &Skeleton, frame: &Frame, freedom: &Freedom) -> Vec<Vec<usize>> {
    let mut near: Vec<Option<usize>> = vec![None; freedom.choices.len()];
    let choice_of = |atom: TermId| freedom.place(atom).map(|(choice, _)| choice);
    for (predicate, atoms) in frame.post_atoms.iter().enumerate() {
        for choice in atoms.iter().filter_map(|&atom| choice_of(skeleton.atoms()[atom])) {
            near[choice].get_or_insert(predicate);
        }
    }
    let mut slots: Vec<Vec<usize>> =
        (0..layout.predicates()).map(|predicate| layout.slots(predicate).collect()).collect();
    let mut extras = 0;
    let mut bits = Vec::new();
    for (choice, near) in freedom.choices.iter().zip(near) {
        let count = choice.options.len().next_power_of_two().trailing_zeros() as usize;
        let own = (0..count).map(|_| {
            let slot = near.and_then(|predicate| slots[predicate].pop());
            slot.unwrap_or_else(|| {
                extras += 1;
                layout.extra(extras - 1)
            })
        });
        bits.push(own.collect());
    }
    bits
}

/// The truth of each atom, as it depends on the options taken.
fn atom_truths(
    layout: &Layout,
    skeleton: &Skeleton,
    truths: &[bool],
    freedom: &Freedom,
    bits: &[Vec<usize>],
) -> Vec<Truth> {
    let columns: Vec<Vec<Truth>> = freedom
        .choices
        .iter()
        .zip(bits)
        .map(|(choice, bits)| {
            (0..choice.options[0].len()).map(|column| column_truth(layout, choice, bits, column)).collect()
        })
        .collect();
    skeleton
        .atoms()
        .iter()
        .zip(truths)
        .map(|(&atom, &truth)| match freedom.place(atom) {
            Some((choice, column)) => columns[choice][column].clone(),
            None => Truth::Const(truth),
        })
        .collect()
}

/// When a column of a choice is true. Codes beyond the last option mean the first one.
fn column_truth(layout: &Layout, choice: &tenet_solve::Choice, bits: &[usize], column: usize) -> Truth {
    let mut set = layout.space.empty();
    for code in 0..1usize << bits.len() {
        if choice.options.get(code).unwrap_or(&choice.options[0])[column] {
            let mut cube: Cube =
                bits.iter().enumerate().map(|(place, &bit)| (bit, code >> place & 1 == 1)).collect();
            cube.sort_unstable();
            set = set.union(&layout.space.cube(&cube));
        }
    }
    match () {
        () if set.is_empty() => Truth::Const(false),
        () if set.is_full() => Truth::Const(true),
        () => Truth::In(set),
    }
}
