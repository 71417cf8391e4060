//! What a solver's model says of a state, or of the states before and after a step, in the words of the model.
//!
//! A model has values for the terms that the question is made of: entries of arrays at parameters of the rule, at index variables, and at
//! the witnesses of quantifiers. So elements get a name where a parameter or a variable has one and are numbered otherwise, and
//! entries are shown by the elements they are at, whatever term the question has for them. What the rule writes is shown, too.

use rustc_hash::{FxHashMap, FxHashSet};
use tenet_abstraction::Query;
use tenet_system::{Rule, System};
use tenet_term::{Op, Role, Sort, SortId, Substitution, SymbolId, TermId, TermStore, Value};

use super::details::Snapshot;

/// Combinations of known elements; more are not looked at.
const MAX_COMBINATIONS: usize = 1_000;

/// A variable of the state, or an entry of an array at these elements.
type Place = (SymbolId, Vec<Value>);

/// What the query's model says of the parts of the state that formulas look at.
pub fn of_state(system: &mut System, query: &mut Query, formulas: &[TermId]) -> Snapshot {
    let looked_at = system.store.subterms_of_all(formulas.iter().copied());
    let elements = Elements::of(system, query, &[]);
    let places = elements.places(&system.store, query, looked_at);
    let values = places.iter().map(|place| elements.entry(system, query, place, None));
    let values: Vec<Option<String>> = values.collect();
    elements.snapshot(&system.store, &places, values)
}

/// The states before and after a step of a rule in the query's model: its parameters, what the guard and the predicates look at, and
/// what is written.
pub fn of_step(
    system: &mut System,
    query: &mut Query,
    predicates: &[TermId],
    rule: usize,
) -> (Snapshot, Snapshot) {
    let params = system.rules[rule].params.clone();
    let guard = system.rules[rule].guard;
    let update = Substitution::from_pairs(&system.store, system.rules[rule].updates.iter().copied());
    let elements = Elements::of(system, query, &params);
    let mut looked_at = system.store.subterms_of_all(predicates.iter().copied().chain([guard]));
    looked_at.extend(query.terms(&system.store));
    let mut places = elements.places(&system.store, query, looked_at);
    let read = places.len();
    let written: Vec<SymbolId> = system.rules[rule].updates.iter().map(|&(symbol, _)| symbol).collect();
    for symbol in written {
        let entries = elements.entries(&system.store, symbol);
        places.extend(entries.into_iter().filter(|place| !places.contains(place)).collect::<Vec<Place>>());
    }
    let mut values = Vec::new();
    for place in &places {
        let before = elements.entry(system, query, place, None);
        let after = elements.entry(system, query, place, Some(&update));
        values.push((before, after));
    }
    // A model has elements for every quantifier of the question; most of them have nothing to do with the step.
    let witnesses = elements.witnesses(system, query, predicates, &update);
    let touched = touched(&system.store, &system.rules[rule]);
    let concerned = elements.concerned(query, &system.store, &touched, witnesses);
    let is_at = |(symbol, at): &Place| match at.is_empty() {
        true => touched.contains(symbol),
        false => at.iter().all(|value| !matches!(value, Value::Index(_)) || concerned.contains(value)),
    };
    // An entry at a witness that is neither looked at nor changed says nothing.
    let shown = values.iter().zip(&places).enumerate();
    let is_shown: Vec<bool> = shown
        .map(|(number, ((before, after), place))| before != after || (number < read && is_at(place)))
        .collect();
    let keep = |values: Vec<Option<String>>| -> Vec<Option<String>> {
        values.into_iter().zip(&is_shown).map(|(value, shown)| value.filter(|_| *shown)).collect()
    };
    let (before, after) = values.into_iter().unzip();
    let mut before = elements.snapshot(&system.store, &places, keep(before));
    let params = elements.params(system, query, &params);
    before.values.splice(0..0, params);
    (before, elements.snapshot(&system.store, &places, keep(after)))
}

/// What of the state a rule reads or writes.
fn touched(store: &TermStore, rule: &Rule) -> FxHashSet<SymbolId> {
    let values = rule.updates.iter().map(|&(_, value)| value);
    let read = values.chain([rule.guard]).flat_map(|term| store.free_symbols(term));
    read.chain(rule.updates.iter().map(|&(symbol, _)| symbol)).collect()
}

/// The elements that a model speaks of.
struct Elements {
    /// A term for each of them, by sort and value, in a fixed order.
    terms: Vec<(SortId, Value, TermId)>,
    names: FxHashMap<(SortId, Value), String>,
    /// Parameters that are called like an index variable have another name.
    renamed: FxHashMap<SymbolId, String>,
}

impl Elements {
    fn of(system: &mut System, query: &mut Query, params: &[SymbolId]) -> Elements {
        let store = &system.store;
        let mut elements =
            Elements { terms: Vec::new(), names: FxHashMap::default(), renamed: FxHashMap::default() };
        let indices: Vec<SymbolId> = system.indices.iter().map(|var| var.symbol).collect();
        for &param in params {
            let name = &store.symbol(param).name;
            if indices.iter().any(|&index| store.symbol(index).name == *name) {
                elements.renamed.insert(param, format!("{name} of the rule"));
            }
        }
        let mut symbols: Vec<SymbolId> = indices.iter().chain(params).copied().collect();
        symbols.extend(system.consts.iter().copied());
        let named: Vec<TermId> = symbols.iter().map(|&symbol| system.store.mk_symbol(symbol)).collect();
        let store = &system.store;
        let others = query.terms(store).into_iter().filter(|&term| is_leaf(store, term));
        let terms: Vec<TermId> = named.iter().copied().chain(others).collect();
        let is_argument = arguments(store, system);
        let values = query.values(store, &terms);
        for (place, (&term, value)) in terms.iter().zip(values).enumerate() {
            let sort = store.sort_of(term);
            let (true, Some(value)) = (is_argument.contains(&sort), value) else { continue };
            let key = (sort, value.clone());
            if !elements.terms.iter().any(|(known, other, _)| (*known, other) == (sort, &value)) {
                elements.terms.push((sort, value, term));
            }
            if let (Some(&symbol), false) = (symbols.get(place), elements.names.contains_key(&key)) {
                let renamed = elements.renamed.get(&symbol).cloned();
                let name = renamed.unwrap_or_else(|| store.symbol(symbol).name.clone());
                elements.names.insert(key, name);
            }
        }
        elements
    }

    /// The elements that show what predicates with quantifiers say: the first ones that stop to be as all should be, and the first ones
    /// of which something exists before the step.
    fn witnesses(
        &self,
        system: &mut System,
        query: &mut Query,
        predicates: &[TermId],
        update: &Substitution,
    ) -> FxHashSet<Value> {
        let mut found = FxHashSet::default();
        for &predicate in predicates {
            let store = &mut system.store;
            let exists = matches!(store.op(predicate), Op::Exists(_));
            let (mut bound, mut body): (Vec<SymbolId>, TermId) = (Vec::new(), predicate);
            while let Op::Forall(more) | Op::Exists(more) = store.op(body) {
                if exists != matches!(store.op(body), Op::Exists(_)) {
                    break;
                }
                bound.extend(more.iter().copied());
                body = store.args(body)[0];
            }
            // What has no quantifiers of the body says enough of what exists.
            let mut parts = if exists { store.conjuncts(body) } else { vec![body] };
            parts.retain(|&part| !store.has_quantifier(part));
            if bound.is_empty() || parts.is_empty() {
                continue;
            }
            let body = store.mk_and(parts);
            let sorts: Vec<SortId> = bound.iter().map(|&symbol| store.symbol(symbol).sort).collect();
            let fails = self.tuples(&sorts).into_iter().find(|tuple| {
                let terms: Option<Vec<TermId>> =
                    sorts.iter().zip(tuple).map(|(&sort, value)| self.term(store, sort, value)).collect();
                let Some(terms) = terms else { return false };
                let at = Substitution::from_pairs(store, bound.iter().copied().zip(terms));
                // The elements themselves are those of the state before.
                let moved = store.substitute(body, update);
                let (before, after) = (store.substitute(body, &at), store.substitute(moved, &at));
                let truths: Vec<Option<Value>> = query.values(store, &[before, after]);
                truths[0] == Some(Value::Bool(true)) && (exists || truths[1] == Some(Value::Bool(false)))
            });
            found.extend(fails.into_iter().flatten());
        }
        found
    }

    /// Those, what has a name, and what the parts of the state that a rule touches stand for.
    fn concerned(
        &self,
        query: &mut Query,
        store: &TermStore,
        touched: &FxHashSet<SymbolId>,
        witnesses: FxHashSet<Value>,
    ) -> FxHashSet<Value> {
        let named = self.names.keys().map(|(_, value)| value.clone());
        let mut concerned: FxHashSet<Value> = witnesses.into_iter().chain(named).collect();
        let scalars: Vec<TermId> = query
            .terms(store)
            .into_iter()
            .filter(|&term| store.as_symbol(term).is_some_and(|symbol| touched.contains(&symbol)))
            .collect();
        concerned.extend(query.values(store, &scalars).into_iter().flatten());
        concerned
    }

    /// The parts of the state among these terms, as far as the model tells where they are.
    fn places(&self, store: &TermStore, query: &mut Query, terms: Vec<TermId>) -> Vec<Place> {
        let mut seen: FxHashSet<Place> = FxHashSet::default();
        let mut places = Vec::new();
        for term in terms {
            let place = match (store.op(term), store.args(term)) {
                (Op::Symbol(symbol), _) if !is_function(store, term) => Some((*symbol, Vec::new())),
                (Op::Apply, [head, args @ ..]) if is_leaf(store, term) => {
                    let values = query.values(store, args).into_iter().collect::<Option<Vec<Value>>>();
                    store.as_symbol(*head).zip(values)
                }
                _ => None,
            };
            let Some(place) = place else { continue };
            if store.symbol(place.0).role == Role::State && seen.insert(place.clone()) {
                places.push(place);
            }
        }
        places
    }

    /// A variable, or the entries of an array at the known elements.
    fn entries(&self, store: &TermStore, symbol: SymbolId) -> Vec<Place> {
        let Sort::Function { args, .. } = store.sort(store.symbol(symbol).sort) else {
            return vec![(symbol, Vec::new())];
        };
        self.tuples(args).into_iter().map(|tuple| (symbol, tuple)).collect()
    }

    /// The known elements of these sorts in all combinations, up to a limit.
    fn tuples(&self, sorts: &[SortId]) -> Vec<Vec<Value>> {
        let mut tuples: Vec<Vec<Value>> = vec![Vec::new()];
        for sort in sorts {
            let values: Vec<&Value> =
                self.terms.iter().filter(|(known, ..)| known == sort).map(|(_, value, _)| value).collect();
            let extended = tuples.iter().flat_map(|tuple| {
                values.iter().map(move |&value| tuple.iter().chain([value]).cloned().collect::<Vec<Value>>())
            });
            tuples = extended.take(MAX_COMBINATIONS).collect();
        }
        tuples
    }

    /// The value at a place, after an update if there is one.
    fn entry(
        &self,
        system: &mut System,
        query: &mut Query,
        (symbol, at): &Place,
        update: Option<&Substitution>,
    ) -> Option<String> {
        let store = &mut system.store;
        let head = store.mk_symbol(*symbol);
        let sorts = match store.sort(store.symbol(*symbol).sort) {
            Sort::Function { args, .. } => args.to_vec(),
            _ => Vec::new(),
        };
        let args: Option<Vec<TermId>> =
            sorts.iter().zip(at).map(|(&sort, value)| self.term(store, sort, value)).collect();
        let args = args?;
        let mut term = if args.is_empty() { head } else { store.mk_apply(head, &args) };
        if let Some(update) = update {
            // The elements themselves are those of the state before.
            let new = store.substitute(head, update);
            term = if args.is_empty() { new } else { store.mk_apply(new, &args) };
        }
        if has_array_argument(store, term) {
            return None;
        }
        let value = query.values(store, &[term]).pop().flatten()?;
        self.value_text(store, store.sort_of(term), &value)
    }

    fn term(&self, store: &mut TermStore, sort: SortId, value: &Value) -> Option<TermId> {
        let known = self.terms.iter().find(|(known, other, _)| (*known, other) == (sort, value));
        known.map(|&(.., term)| term).or_else(|| match value {
            Value::Int(number) => Some(store.mk_int(number.clone())),
            _ => None,
        })
    }

    fn snapshot(&self, store: &TermStore, places: &[Place], values: Vec<Option<String>>) -> Snapshot {
        let shown = places.iter().zip(values).filter_map(|((symbol, at), value)| {
            let sorts = match store.sort(store.symbol(*symbol).sort) {
                Sort::Function { args, .. } => args.to_vec(),
                _ => Vec::new(),
            };
            let at = sorts.iter().zip(at).map(|(&sort, value)| self.value_text(store, sort, value));
            let at = at.collect::<Option<Vec<String>>>()?;
            let name = &store.symbol(*symbol).name;
            let place = if at.is_empty() { name.clone() } else { format!("{name}[{}]", at.join("][")) };
            Some((place, value?))
        });
        Snapshot { values: shown.collect() }
    }

    /// The parameters of a rule; elements that nothing else names are numbered.
    fn params(&self, system: &mut System, query: &mut Query, params: &[SymbolId]) -> Vec<(String, String)> {
        let terms: Vec<TermId> = params.iter().map(|&param| system.store.mk_symbol(param)).collect();
        let store = &system.store;
        let values = query.values(store, &terms);
        let shown = params.iter().zip(values).filter_map(|(param, value)| {
            let name = self.renamed.get(param).unwrap_or(&store.symbol(*param).name);
            Some((name.clone(), number_text(store, store.symbol(*param).sort, &value?)?))
        });
        shown.collect()
    }

    /// A value as text; elements have the names of parameters or variables, or are numbered.
    fn value_text(&self, store: &TermStore, sort: SortId, value: &Value) -> Option<String> {
        match store.sort(sort) {
            Sort::Index { .. } => {
                let name = self.names.get(&(sort, value.clone())).cloned();
                name.or_else(|| number_text(store, sort, value))
            }
            _ => number_text(store, sort, value),
        }
    }
}

/// The sorts that arrays are indexed by.
fn arguments(store: &TermStore, system: &System) -> FxHashSet<SortId> {
    let sorts = system.state.iter().map(|var| store.sort(store.symbol(var.symbol).sort));
    let args = sorts.flat_map(|sort| match sort {
        Sort::Function { args, .. } => args.to_vec(),
        _ => Vec::new(),
    });
    args.collect()
}

/// Is the term a symbol, or an entry of an array, whose value a model has?
fn is_leaf(store: &TermStore, term: TermId) -> bool {
    let is_leaf = matches!(store.op(term), Op::Symbol(_) | Op::Apply);
    is_leaf && !is_function(store, term) && store.is_closed(term) && !store.has_lambda(term) && {
        let internal = |symbol| store.symbol(symbol).role == Role::AbstractBool;
        !store.free_symbols(term).into_iter().any(internal) && !has_array_argument(store, term)
    }
}

fn is_function(store: &TermStore, term: TermId) -> bool {
    matches!(store.sort(store.sort_of(term)), Sort::Function { .. })
}

/// Is a defined function of arrays applied somewhere? Solvers know only its versions.
fn has_array_argument(store: &TermStore, term: TermId) -> bool {
    let is_array = |&arg: &TermId| is_function(store, arg);
    let mut subterms = store.subterms(term).into_iter();
    subterms.any(|sub| *store.op(sub) == Op::Apply && store.args(sub)[1..].iter().any(is_array))
}

/// A value as text; elements of index sorts are numbered.
fn number_text(store: &TermStore, sort: SortId, value: &Value) -> Option<String> {
    Some(match (value, store.sort(sort)) {
        (Value::Bool(value), _) => value.to_string(),
        (Value::Int(number), _) => number.to_string(),
        (Value::Real(number), _) => number.to_string(),
        (Value::Enum(position), Sort::Enum { variants, .. }) => variants.get(*position as usize)?.clone(),
        (Value::Index(number), _) => format!("{}#{number}", store.sort_name(sort)),
        (Value::Union(member, position), _) => match store.sort(*member) {
            Sort::Enum { variants, .. } => variants.get(*position as usize)?.clone(),
            _ => format!("{}#{position}", store.sort_name(*member)),
        },
        (Value::BitVec(bits), _) => bits.unsigned().to_string(),
        _ => return None,
    })
}
