//! Readable lemmas: in the source language, as implications, grouped by quantifier.
//!
//! An engine gives clauses, because those are easy to make irredundant. `x != A | y != B` is hard to read; the same
//! clause as `x = A -> y != B` says when it matters and what it then demands. So negated literals go to the left, and
//! so do those about indices alone (`i = j | …` is `i != j -> …`): they say which indices are concerned.

use std::collections::BTreeSet;
use tenet_system::{Bounds, IndexVar, Lemma};
use tenet_term::{Op, Role, Sort, SymbolId, TermId, TermStore};

/// Lemmas over the same variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// `forall i, j : NODE.`; empty if the lemmas are closed.
    pub quantifier: String,
    /// Their bodies.
    pub lemmas: Vec<String>,
}

impl Group {
    /// Each lemma with its quantifier.
    pub fn formulas(&self) -> impl Iterator<Item = String> {
        let prefix = if self.quantifier.is_empty() { String::new() } else { format!("{} ", self.quantifier) };
        self.lemmas.iter().map(move |lemma| format!("{prefix}{lemma}"))
    }
}

/// An invariant, grouped by variables: closed lemmas first, then those about one index, and so on.
///
/// Changes the store only by adding terms.
pub fn groups(store: &mut TermStore, lemmas: &[Lemma]) -> Vec<Group> {
    let mut groups: Vec<(usize, Group)> = Vec::new();
    for lemma in lemmas {
        let vars = meant_vars(store, lemma);
        let quantifier = quantifier(store, &vars);
        let readable = readable(store, lemma.body);
        let body = store.print(readable);
        match groups.iter_mut().find(|(_, group)| group.quantifier == quantifier) {
            Some((_, group)) => group.lemmas.push(body),
            None => groups.push((vars.len(), Group { quantifier, lemmas: vec![body] })),
        }
    }
    groups.sort_by_key(|(count, _)| *count);
    groups.into_iter().map(|(_, group)| group).collect()
}

/// The variables that have to be quantified. One that does not occur can be left out, unless its bounds may be empty:
/// then the lemma without it would be stronger.
fn meant_vars(store: &TermStore, lemma: &Lemma) -> Vec<IndexVar> {
    let used = symbols(store, lemma.body);
    let is_meant = |var: &&IndexVar| used.contains(&var.symbol) || var.bounds != Bounds::default();
    lemma.vars.iter().filter(is_meant).copied().collect()
}

fn symbols(store: &TermStore, term: TermId) -> BTreeSet<SymbolId> {
    store.subterms(term).into_iter().filter_map(|subterm| store.as_symbol(subterm)).collect()
}

/// `forall i, j : NODE; k : 1..N.`
fn quantifier(store: &TermStore, vars: &[IndexVar]) -> String {
    let mut text = String::new();
    for (place, var) in vars.iter().enumerate() {
        let domain = domain(store, var);
        let next = vars.get(place + 1).map(|next| self::domain(store, next));
        text.push_str(&store.symbol(var.symbol).name);
        match next {
            Some(next) if next == domain => text.push_str(", "),
            Some(_) => text.push_str(&format!(" : {domain}; ")),
            None => text.push_str(&format!(" : {domain}.")),
        }
    }
    if text.is_empty() { text } else { format!("forall {text}") }
}

/// The domain of a variable: its sort, or its bounds if it has some.
fn domain(store: &TermStore, var: &IndexVar) -> String {
    let show = |bound: Option<TermId>| bound.map_or(String::new(), |term| store.print(term));
    match var.bounds {
        Bounds { lo: None, hi: None } => store.sort_name(store.symbol(var.symbol).sort),
        Bounds { lo, hi } => format!("{}..{}", show(lo), show(hi)),
    }
}

/// The same formula, a clause as an implication where that reads better.
pub fn readable(store: &mut TermStore, body: TermId) -> TermId {
    let literals = match store.op(body) {
        Op::Or => store.args(body).to_vec(),
        _ => return body,
    };
    let (kinds, data): (Vec<TermId>, Vec<TermId>) =
        literals.into_iter().partition(|&literal| !is_about_data(store, literal));
    let literals: Vec<TermId> = kinds.into_iter().chain(data).collect();
    let (mut conditions, mut demands): (Vec<TermId>, Vec<TermId>) =
        literals.into_iter().partition(|&literal| is_condition(store, literal));
    if demands.is_empty() {
        // The conclusion must not be empty: preferably it is about the state, not about indices.
        let place = conditions.iter().rposition(|&literal| !is_about_indices(store, literal));
        demands.push(conditions.remove(place.unwrap_or(conditions.len() - 1)));
    }
    if conditions.is_empty() {
        return if demands.len() == 1 { demands[0] } else { store.raw_or(&demands) };
    }
    let conditions: Vec<TermId> = conditions.into_iter().map(|literal| store.mk_not(literal)).collect();
    // Raw terms keep their form; smart constructors would normalise them again.
    let premise = if conditions.len() == 1 { conditions[0] } else { store.raw_and(&conditions) };
    let conclusion = if demands.len() == 1 { demands[0] } else { store.raw_or(&demands) };
    store.raw_implies(premise, conclusion)
}

/// Whether a literal of a clause reads better, negated, to the left of the arrow.
fn is_condition(store: &TermStore, literal: TermId) -> bool {
    *store.op(literal) == Op::Not || is_about_indices(store, literal)
}

/// Whether a literal compares something that is neither true or false nor a value of an enumeration. Such parts of the state may be
/// without a value unless others say that they have one, so these are asked first.
fn is_about_data(store: &TermStore, literal: TermId) -> bool {
    let atom = if *store.op(literal) == Op::Not { store.args(literal)[0] } else { literal };
    let reads_state = symbols(store, atom).iter().any(|&symbol| store.symbol(symbol).role == Role::State);
    let is_kind = |&arg: &TermId| matches!(store.sort(store.sort_of(arg)), Sort::Bool | Sort::Enum { .. });
    reads_state && *store.op(atom) != Op::Apply && !store.args(atom).iter().all(is_kind)
}

fn is_about_indices(store: &TermStore, literal: TermId) -> bool {
    let symbols = symbols(store, literal);
    let role = |symbol: &SymbolId| store.symbol(*symbol).role;
    symbols.iter().all(|symbol| role(symbol) != Role::State)
        && symbols.iter().any(|symbol| role(symbol) == Role::Index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenet_term::SortId;

    struct World {
        store: TermStore,
        client: SortId,
        i: IndexVar,
        j: IndexVar,
    }

    impl World {
        fn new() -> World {
            let mut store = TermStore::new();
            let client = store.index_sort("CLIENT");
            let index = |store: &mut TermStore, name: &str| IndexVar {
                symbol: store.declare(name, client, Role::Index),
                bounds: Bounds::default(),
            };
            let (i, j) = (index(&mut store, "i"), index(&mut store, "j"));
            World { store, client, i, j }
        }

        /// `array[index] = value`
        fn entry(&mut self, array: &str, index: IndexVar, value: &str) -> TermId {
            let sort = self.store.enum_sort("CACHE", &["Invalid", "Shared", "Exclusive"]);
            let sort_of_array = self.store.function_sort(&[self.client], sort);
            let array = self.store.declare(array, sort_of_array, Role::State);
            let (array, index) = (self.store.mk_symbol(array), self.store.mk_symbol(index.symbol));
            let read = self.store.mk_apply(array, &[index]);
            let value = self.store.mk_variant(sort, value).expect("the test is right");
            self.store.mk_eq(read, value)
        }

        fn flag(&mut self, name: &str) -> TermId {
            let symbol = self.store.declare(name, SortId::BOOL, Role::State);
            self.store.mk_symbol(symbol)
        }

        fn clause(&mut self, literals: &[TermId]) -> TermId {
            self.store.mk_or(literals.iter().copied())
        }

        fn read(&mut self, literals: &[TermId]) -> String {
            let clause = self.clause(literals);
            let readable = readable(&mut self.store, clause);
            self.store.print(readable)
        }
    }

    #[test]
    fn negated_literals_are_conditions() {
        let mut world = World::new();
        let (exclusive, shared) =
            (world.entry("cache", world.i, "Exclusive"), world.entry("grant", world.i, "Shared"));
        let (not_exclusive, not_shared) = (world.store.mk_not(exclusive), world.store.mk_not(shared));
        assert_eq!(world.read(&[not_exclusive, shared]), "cache[i] = Exclusive -> grant[i] = Shared");
        let both = world.read(&[not_exclusive, not_shared]);
        assert_eq!(both, "cache[i] = Exclusive -> grant[i] != Shared");
        let busy = world.flag("busy");
        assert_eq!(world.read(&[busy, exclusive]), "cache[i] = Exclusive | busy");
        let not_busy = world.store.mk_not(busy);
        let text = world.read(&[not_busy, not_exclusive, shared]);
        assert_eq!(text, "cache[i] = Exclusive & busy -> grant[i] = Shared");
        assert_eq!(world.read(&[not_busy]), "!busy");
    }

    #[test]
    fn conditions_on_indices_come_first() {
        let mut world = World::new();
        let (i, j) = (world.store.mk_symbol(world.i.symbol), world.store.mk_symbol(world.j.symbol));
        let same = world.store.mk_eq(i, j);
        let invalid = world.entry("cache", world.j, "Invalid");
        assert_eq!(world.read(&[same, invalid]), "i != j -> cache[j] = Invalid");
        let exclusive = world.entry("cache", world.i, "Exclusive");
        let not_exclusive = world.store.mk_not(exclusive);
        let text = world.read(&[same, not_exclusive]);
        assert_eq!(text, "i != j -> cache[i] != Exclusive");
    }

    #[test]
    fn an_order_of_integers_is_turned_around() {
        // QI-A6: the invariant of F reads `forall x: x >= 0 -> F(x) >= 0`.
        let mut store = TermStore::new();
        let array = store.function_sort(&[SortId::INT], SortId::INT);
        let (f, x) = (store.declare("F", array, Role::State), store.declare("x", SortId::INT, Role::Index));
        let (f, x_term, zero) = (store.mk_symbol(f), store.mk_symbol(x), store.mk_int(0));
        let value = store.mk_apply(f, &[x_term]);
        let (negative, fine) = (store.mk_lt(x_term, zero), store.mk_le(zero, value));
        let body = store.mk_or([negative, fine]);
        let lemma = Lemma { vars: vec![IndexVar { symbol: x, bounds: Bounds::default() }], body };
        let shown = groups(&mut store, &[lemma]);
        let formulas: Vec<String> = shown.iter().flat_map(Group::formulas).collect();
        assert_eq!(formulas, ["forall x : integer. 0 <= x -> 0 <= F[x]"]);
    }

    #[test]
    fn lemmas_are_grouped_by_variables() {
        let mut world = World::new();
        let (i, j) = (world.i, world.j);
        let (first, second) = (world.entry("cache", i, "Shared"), world.entry("cache", j, "Shared"));
        let busy = world.flag("busy");
        let both = world.clause(&[first, second]);
        let n = world.store.declare("N", SortId::INT, Role::Const);
        let k = world.store.declare("k", SortId::INT, Role::Index);
        let bounds = Bounds { lo: Some(world.store.mk_int(1)), hi: Some(world.store.mk_symbol(n)) };
        let bounded = IndexVar { symbol: k, bounds };
        let lemmas = [
            Lemma { vars: vec![i, j], body: both },
            Lemma { vars: vec![i, j], body: first },
            Lemma { vars: vec![i, j], body: busy },
            // Without any k the lemma is vacuous: the variable must stay.
            Lemma { vars: vec![i, bounded], body: busy },
            Lemma { vars: vec![i, j], body: world.store.mk_not(first) },
        ];
        let shown = groups(&mut world.store, &lemmas);
        let expected = [
            ("", vec!["busy"]),
            ("forall i : CLIENT.", vec!["cache[i] = Shared", "cache[i] != Shared"]),
            ("forall k : 1..N.", vec!["busy"]),
            ("forall i, j : CLIENT.", vec!["cache[i] = Shared | cache[j] = Shared"]),
        ];
        let expected: Vec<Group> = expected
            .into_iter()
            .map(|(quantifier, lemmas)| Group {
                quantifier: quantifier.into(),
                lemmas: lemmas.into_iter().map(str::to_string).collect(),
            })
            .collect();
        assert_eq!(shown, expected);
    }
}
