//! Predicates that might be missing, for a step of an abstract run (Das, Dill and Park, section 4: they are found by looking at such a
//! step).
//!
//! The material are the atoms of the rule's guard, of its update, and of the weakest precondition of what the step should not have
//! changed. They speak of the rule's parameters and of bound variables, and a predicate does not. Without index variables an atom
//! about an element becomes a statement about all of them: there is none, all are so, there is at most one, none is so that is
//! also otherwise. These are the closed predicates of the paper. With index variables (Lahiri and Bryant) the parameters become index
//! variables.

use rustc_hash::FxHashSet;
use tenet_system::{System, domain};
use tenet_term::{Op, Polarity, Role, Sort, SortId, Substitution, SymbolId, TermId, TermStore};

/// Names for a second element.
const OTHER_NAMES: [&str; 6] = ["q", "r", "s", "other", "another", "different"];

/// Atoms whose pairs are combined; more would give too many predicates that nobody looks at.
const MAX_COMBINED: usize = 12;

/// Where a candidate comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Material {
    Guard,
    Update,
    /// The weakest precondition of a predicate or property.
    Precondition,
    /// The property itself.
    Property,
}

/// A formula that might be worth observing.
#[derive(Clone, Copy, Debug)]
pub struct Proposal {
    pub formula: TermId,
    pub material: Material,
}

/// What a step is to be explained by.
pub struct Occasion<'a> {
    /// `None` for a startstate.
    pub rule: Option<usize>,
    /// What it should have kept: predicates that it changes and need not, or the property.
    pub targets: &'a [TermId],
}

/// A literal of the material, with its polarity there.
#[derive(Clone, Copy)]
struct Part {
    atom: TermId,
    polarity: Polarity,
    material: Material,
}

/// The candidates for a step, each once, smaller ones first.
pub fn candidates(system: &mut System, occasion: &Occasion<'_>) -> Vec<Proposal> {
    let parts = parts(system, occasion);
    let mut found = Vec::new();
    for part in &parts {
        let formulas = match system.indices.is_empty() {
            true => closed(system, part),
            false => indexed(system, part.atom),
        };
        found.extend(formulas.into_iter().map(|formula| Proposal { formula, material: part.material }));
    }
    if system.indices.is_empty() {
        found.extend(combinations(system, &parts));
        found.extend(whole(system, occasion));
    }
    let known: FxHashSet<TermId> = system.predicates.iter().map(|predicate| predicate.formula).collect();
    let mut seen: FxHashSet<String> = system.predicates.iter().map(|known| known.name.clone()).collect();
    let mut sized: Vec<(usize, String, Proposal)> = Vec::new();
    for proposal in found {
        let store = &mut system.store;
        let denial = store.mk_not(proposal.formula);
        let is_known = known.contains(&proposal.formula) || known.contains(&denial);
        let text = store.print_source(proposal.formula);
        if !is_known && !proposal.formula.is_bool_literal() && seen.insert(text.clone()) {
            sized.push((store.size(proposal.formula), text, proposal));
        }
    }
    sized.sort_by(|one, other| (one.0, &one.1).cmp(&(other.0, &other.1)));
    sized.into_iter().map(|(.., proposal)| proposal).collect()
}

fn parts(system: &mut System, occasion: &Occasion<'_>) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut add = |store: &mut TermStore, formula: TermId, material: Material| {
        let formula = store.lift_ites(formula);
        let formula = store.nnf(formula);
        for (atom, polarity) in store.polarities(formula) {
            if is_about_state(store, atom) && !store.has_lambda(atom) {
                parts.push(Part { atom, polarity, material });
            }
        }
    };
    let Some(rule) = occasion.rule else {
        occasion.targets.iter().for_each(|&target| add(&mut system.store, target, Material::Property));
        return parts;
    };
    let guard = system.rules[rule].guard;
    // That a guard cannot hold is what keeps a step from happening.
    let blocked = system.store.mk_not(guard);
    add(&mut system.store, blocked, Material::Guard);
    let update = Substitution::from_pairs(&system.store, system.rules[rule].updates.iter().copied());
    for &target in occasion.targets {
        let before = system.store.substitute(target, &update);
        add(&mut system.store, before, Material::Precondition);
    }
    let values: Vec<TermId> = system.rules[rule].updates.iter().map(|&(_, value)| value).collect();
    for subterm in system.store.subterms_of_all(values) {
        let store = &mut system.store;
        let is_atom = store.is_bool(subterm)
            && !store.op(subterm).is_connective()
            && !store.op(subterm).is_binder()
            && *store.op(subterm) != Op::Ite;
        if is_atom {
            add(store, subterm, Material::Update);
            let denied = store.mk_not(subterm);
            add(store, denied, Material::Update);
        }
    }
    parts
}

fn is_about_state(store: &TermStore, atom: TermId) -> bool {
    store.free_symbols(atom).into_iter().any(|symbol| store.symbol(symbol).role == Role::State)
}

/// The parameters and bound variables of an atom, in the order in which they were declared.
fn variables(store: &TermStore, atom: TermId) -> Vec<SymbolId> {
    let is_variable = |role| matches!(role, Role::Input | Role::Initial | Role::Bound);
    let mut variables: Vec<SymbolId> = store.symbols_in(atom);
    variables.retain(|&symbol| is_variable(store.symbol(symbol).role));
    variables.sort_unstable();
    variables
}

/// An atom about elements as a predicate about all of them; one that is about none as it is.
fn closed(system: &mut System, part: &Part) -> Vec<TermId> {
    let variables = variables(&system.store, part.atom);
    if variables.is_empty() {
        return vec![part.atom];
    }
    let Some((bound, atom)) = bind(system, &variables, part.atom) else { return Vec::new() };
    let mut formulas = Vec::new();
    if part.polarity.positive {
        formulas.push(for_all(&mut system.store, &bound, atom));
    }
    if part.polarity.negative {
        let none = system.store.mk_not(atom);
        formulas.push(for_all(&mut system.store, &bound, none));
    }
    if let &[element] = bound.as_slice() {
        formulas.push(alone(system, element, atom, atom));
    }
    formulas
}

/// That two elements with these properties are the same one.
fn alone(system: &mut System, element: SymbolId, one: TermId, other: TermId) -> TermId {
    let second = other_element(system, element);
    let store = &mut system.store;
    let symbols = [element, second].map(|symbol| store.mk_symbol(symbol));
    let renaming = Substitution::from_pairs(store, [(element, symbols[1])]);
    let other = store.substitute(other, &renaming);
    let (both, same) = (store.mk_and([one, other]), store.mk_eq(symbols[0], symbols[1]));
    let body = store.mk_implies(both, same);
    for_all(store, &[element, second], body)
}

/// What two atoms about the same sort say together: none is both, or only one can be either.
fn combinations(system: &mut System, parts: &[Part]) -> Vec<Proposal> {
    let mut literals: Vec<(SortId, SymbolId, TermId, Material)> = Vec::new();
    for part in parts {
        let &[variable] = variables(&system.store, part.atom).as_slice() else { continue };
        let Some((bound, atom)) = bind(system, &[variable], part.atom) else { continue };
        let sort = system.store.symbol(bound[0]).sort;
        // The material says what should hold or what keeps the step from happening; its denial is what goes wrong.
        let denied = system.store.mk_not(atom);
        let denials = [(part.polarity.positive, denied), (part.polarity.negative, atom)];
        for (_, literal) in denials.into_iter().filter(|(occurs, _)| *occurs) {
            let is_new = !literals.iter().any(|&(_, _, known, _)| known == literal);
            if is_new && part.material != Material::Update && literals.len() < MAX_COMBINED {
                literals.push((sort, bound[0], literal, part.material));
            }
        }
    }
    let mut found = Vec::new();
    for (place, &(sort, element, one, material)) in literals.iter().enumerate() {
        for &(other_sort, variable, other, _) in &literals[place + 1..] {
            if sort != other_sort {
                continue;
            }
            let store = &mut system.store;
            let symbol = store.mk_symbol(element);
            let renaming = Substitution::from_pairs(store, [(variable, symbol)]);
            let other = store.substitute(other, &renaming);
            let not_other = store.mk_not(other);
            let excluded = store.raw_implies(one, not_other);
            let formulas = [for_all(store, &[element], excluded), alone(system, element, one, other)];
            found.extend(formulas.map(|formula| Proposal { formula, material }));
        }
    }
    found
}

/// The whole weakest precondition of each target, for all parameters: it excludes the step in one go, if nothing smaller does.
fn whole(system: &mut System, occasion: &Occasion<'_>) -> Vec<Proposal> {
    let Some(rule) = occasion.rule else {
        let property = occasion.targets.iter().flat_map(|&target| system.store.conjuncts(target));
        return property.map(|formula| Proposal { formula, material: Material::Property }).collect();
    };
    let rule = system.rules[rule].clone();
    let update = Substitution::from_pairs(&system.store, rule.updates.iter().copied());
    let mut found = Vec::new();
    for &target in occasion.targets {
        let after = system.store.substitute(target, &update);
        let precondition = system.store.mk_implies(rule.guard, after);
        let precondition = system.store.lift_ites(precondition);
        let variables = variables(&system.store, precondition);
        let params: Vec<SymbolId> =
            variables.into_iter().filter(|symbol| rule.params.contains(symbol)).collect();
        let Some((bound, formula)) = bind(system, &params, precondition) else { continue };
        if !system.store.has_lambda(formula) {
            let formula = for_all(&mut system.store, &bound, formula);
            found.push(Proposal { formula, material: Material::Precondition });
        }
    }
    found
}

/// An atom with index variables in place of its parameters and variables, in all ways.
fn indexed(system: &mut System, atom: TermId) -> Vec<TermId> {
    let variables = variables(&system.store, atom);
    let mut ways: Vec<Vec<SymbolId>> = vec![Vec::new()];
    for &variable in &variables {
        let sort = system.store.symbol(variable).sort;
        let fitting = system.indices.iter().map(|index| index.symbol);
        let fitting: Vec<SymbolId> =
            fitting.filter(|&index| is_same(&system.store, system.store.symbol(index).sort, sort)).collect();
        let extended = ways.iter().flat_map(|way| {
            let free = fitting.iter().filter(|index| !way.contains(index));
            free.map(|&index| way.iter().copied().chain([index]).collect::<Vec<SymbolId>>())
        });
        ways = extended.collect();
    }
    let mut found = Vec::new();
    for way in ways {
        let store = &mut system.store;
        let terms: Vec<TermId> = way.into_iter().map(|index| store.mk_symbol(index)).collect();
        let renaming = Substitution::from_pairs(store, variables.iter().copied().zip(terms));
        found.push(store.substitute(atom, &renaming));
    }
    found
}

fn is_same(store: &TermStore, one: SortId, other: SortId) -> bool {
    one == other || (store.sort(one).is_integer() && store.sort(other).is_integer())
}

/// The atom over variables that can be bound, one for each of these; `None` if one of them is an array.
fn bind(system: &mut System, variables: &[SymbolId], atom: TermId) -> Option<(Vec<SymbolId>, TermId)> {
    let mut bound: Vec<SymbolId> = Vec::new();
    let mut terms = Vec::new();
    for &variable in variables {
        let symbol = system.store.symbol(variable).clone();
        if matches!(system.store.sort(symbol.sort), Sort::Function { .. }) {
            return None;
        }
        let mut new = system.store.declare(&symbol.name, symbol.sort, Role::Bound);
        if bound.contains(&new) || !is_free_name(&system.store, &symbol.name) {
            new = other_than(system, symbol.sort, &bound);
        }
        bound.push(new);
        terms.push(system.store.mk_symbol(new));
    }
    let renaming = Substitution::from_pairs(&system.store, variables.iter().copied().zip(terms));
    Some((bound, system.store.substitute(atom, &renaming)))
}

/// That a formula holds for all these variables, within the ranges of their sorts.
fn for_all(store: &mut TermStore, bound: &[SymbolId], body: TermId) -> TermId {
    let domains: Vec<TermId> = bound.iter().map(|&symbol| domain(store, symbol)).collect();
    let domains = store.mk_and(domains);
    let body = if domains == TermId::TRUE { body } else { store.mk_implies(domains, body) };
    store.mk_forall(bound, body)
}

fn other_element(system: &mut System, element: SymbolId) -> SymbolId {
    let sort = system.store.symbol(element).sort;
    other_than(system, sort, &[element])
}

/// A variable whose name is none of these and nothing else in the model.
fn other_than(system: &mut System, sort: SortId, taken: &[SymbolId]) -> SymbolId {
    let store = &mut system.store;
    let is_taken = |store: &TermStore, name: &str| {
        taken.iter().any(|&symbol| store.symbol(symbol).name == name) || !is_free_name(store, name)
    };
    let name = OTHER_NAMES.into_iter().find(|name| !is_taken(store, name));
    store.bound_avoiding(name.unwrap_or("element"), sort, taken)
}

/// May a bound variable have this name without hiding something?
fn is_free_name(store: &TermStore, name: &str) -> bool {
    let hides = |role| matches!(role, Role::State | Role::Const | Role::Index);
    !store.symbols().any(|(_, symbol)| symbol.name == name && hides(symbol.role))
}
