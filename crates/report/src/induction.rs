//! The view of what stands in the way of a proof by induction: a step from a state in which everything holds to one in which something
//! does not, in the format of runs; what small instances say about it; and lemmas.

use crate::lemma;
use crate::run::ShownStep;
pub use crate::run_of_system::named;
use crate::run_of_system::text;
use crate::shape::Shape;
use serde::Serialize;
use tenet_system::finite::layout::{Domain, DomainId, Layout, PartKind, Slot, UNDEFINED};
use tenet_system::run::{Origin, State, Step};
use tenet_system::{Lemma, System};
use tenet_term::{Model, Sort, SortId, Spelling, SymbolId, TermStore, Value};

/// What stands in the way.
#[derive(Clone, Debug, Default)]
pub struct Induction {
    pub step: Option<ShownCounterexample>,
    /// Why no step is shown.
    pub none: Option<String>,
    /// Lemmas that are inductive together.
    pub kept: Vec<lemma::Group>,
    /// Lemmas that might be missing, best first.
    pub candidates: Vec<Proposal>,
}

/// A lemma that is not proved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Proposal {
    pub lemma: String,
    /// As a declaration of the model's language, if it has one for it.
    pub invariant: Option<String>,
}

/// A counterexample to induction, which was evaluated.
#[derive(Clone, Debug)]
pub struct ShownCounterexample {
    /// The sizes of its instance.
    pub sizes: Vec<(String, u64)>,
    /// The property or lemma that breaks.
    pub breaks: String,
    /// Values of its variables for which it is false afterwards.
    pub witness: Vec<(String, String)>,
    /// The state before, unless the step is a startstate; `changes` has what matters of it.
    pub before: Option<ShownStep>,
    /// Everything that has a value in it.
    pub contents: Vec<(String, String)>,
    /// The step, with the state after it.
    pub step: ShownStep,
    /// What small instances say about the state before.
    pub nearby: Option<ShownNearby>,
}

/// What explored states say about the state before a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownNearby {
    /// How many states of the instance were explored.
    pub states: usize,
    /// Whether one of them is the same in everything that is shown.
    pub is_reached: bool,
}

/// Something of the state: a scalar, or an array at a place.
pub type Cell = (SymbolId, Vec<Value>);

/// A step as people read it.
pub struct Shown {
    pub before: Option<ShownStep>,
    /// Everything that has a value before.
    pub contents: Vec<(String, String)>,
    pub step: ShownStep,
}

/// A step of a system as people read it; of the state before, only these parts and what changes are shown.
pub fn shown(system: &System, step: &Step, after: &State, cells: &[Cell]) -> Shown {
    let model = step.model(system, after);
    let mut pictures = Pictures::new(system, step, &model);
    let mut later = pictures.state(after);
    let mut earlier = step.before.as_ref().map(|before| pictures.state(before));
    let (layout, places) = (pictures.layout, pictures.places);
    // A state that is not there has no values.
    earlier.iter_mut().for_each(|state| state.resize(layout.slots.len(), UNDEFINED));
    later.resize(layout.slots.len(), UNDEFINED);
    let shape = Shape::new(&layout);
    let params = |shown: usize| -> Vec<(String, String)> {
        let params = step.params.iter().take(shown);
        params.map(|chosen| named(&system.store, chosen)).collect()
    };
    let (rule, params) = match step.origin {
        Origin::Start(start) => (system.starts[start].name.clone(), Vec::new()),
        Origin::Rule(rule) => (system.rules[rule].name.clone(), params(system.rules[rule].shown_params)),
    };
    let changes = match &earlier {
        Some(earlier) => shape.changes(earlier, &later),
        None => shape.contents(&later),
    };
    let contents = earlier.as_ref().map_or(Vec::new(), |earlier| {
        consts(system, step).into_iter().chain(shape.contents(earlier)).collect()
    });
    let before = earlier.map(|earlier| {
        let is_shown = |slot: usize| cells.contains(&places[slot]);
        let partial: Vec<i64> = earlier
            .iter()
            .enumerate()
            .map(|(slot, &value)| if is_shown(slot) { value } else { UNDEFINED })
            .collect();
        let mut changes = consts(system, step);
        changes.extend(shape.contents(&partial));
        ShownStep { rule: String::new(), params: Vec::new(), state: shape.variables(&earlier), changes }
    });
    Shown { before, contents, step: ShownStep { rule, params, state: shape.variables(&later), changes } }
}

/// Constants that are no functions, with their values.
fn consts(system: &System, step: &Step) -> Vec<(String, String)> {
    let is_scalar = |symbol: SymbolId| {
        !matches!(system.store.sort(system.store.symbol(symbol).sort), Sort::Function { .. })
    };
    let scalars = step.consts.iter().filter(|(symbol, _)| is_scalar(*symbol));
    scalars.map(|chosen| named(&system.store, chosen)).collect()
}

/// Lays states out as finite instances do, so that they are shown in the same form.
struct Pictures<'a> {
    system: &'a System,
    model: &'a Model,
    layout: Layout,
    /// The part of the state in each slot.
    places: Vec<Cell>,
    booleans: DomainId,
    numbers: DomainId,
    /// Everything else is shown by its name.
    names: DomainId,
}

impl<'a> Pictures<'a> {
    fn new(system: &'a System, step: &Step, model: &'a Model) -> Pictures<'a> {
        let mut layout = Layout::default();
        let booleans = layout.add_domain(Domain::boolean());
        let numbers = layout.add_domain(Domain::integers());
        let names = layout.add_domain(Domain::single(0, -1, PartKind::Names(Vec::new())));
        let mut pictures = Pictures { system, model, layout, places: Vec::new(), booleans, numbers, names };
        for (place, var) in system.state.iter().enumerate() {
            let symbol = system.store.symbol(var.symbol);
            let Sort::Function { args, result } = system.store.sort(symbol.sort) else {
                pictures.slot(symbol.name.clone(), (var.symbol, Vec::new()), symbol.sort);
                continue;
            };
            for indices in pictures.indices(args, place, step) {
                let shown = indices.iter().zip(args);
                let shown = shown.map(|(value, &sort)| format!("[{}]", text(&system.store, sort, value)));
                let name = place_name(system, var.symbol, &shown.collect::<Vec<String>>());
                pictures.slot(name, (var.symbol, indices), *result);
            }
        }
        pictures
    }

    /// The places of an array: all of them, or those that the state before tells apart.
    fn indices(&self, args: &[SortId], var: usize, step: &Step) -> Vec<Vec<Value>> {
        let mut all: Vec<Vec<Value>> = vec![Vec::new()];
        for &sort in args {
            let Ok(values) = self.model.elements(&self.system.store, sort) else {
                let table = step.before.as_ref().map(|before| &before[var]);
                let Some(Value::Function(table)) = table else { return Vec::new() };
                return table.entries().map(|(place, _)| place.to_vec()).collect();
            };
            let longer = all.iter().flat_map(|place| {
                values.iter().map(move |value| place.iter().cloned().chain([value.clone()]).collect())
            });
            all = longer.collect();
        }
        all
    }

    fn slot(&mut self, name: String, cell: Cell, sort: SortId) {
        let domain = match self.system.store.sort(sort) {
            Sort::Bool => self.booleans,
            kind if kind.is_integer() => self.numbers,
            _ => self.names,
        };
        self.layout.slots.push(Slot { name, domain, axes: Vec::new() });
        self.places.push(cell);
    }

    /// The values of a state in the slots.
    fn state(&mut self, state: &State) -> Vec<i64> {
        let mut slots = Vec::new();
        for (slot, (symbol, place)) in self.places.clone().into_iter().enumerate() {
            let position = self.system.state.iter().position(|var| var.symbol == symbol);
            let position = position.expect("invariant: slots are parts of the state");
            let (sort, value) =
                match (&state[position], self.system.store.sort(self.system.store.symbol(symbol).sort)) {
                    (Value::Function(table), Sort::Function { result, .. }) => {
                        (*result, table.get(&place).clone())
                    }
                    (value, _) => (self.system.store.symbol(symbol).sort, value.clone()),
                };
            slots.push(self.code(slot, sort, &value));
        }
        slots
    }

    fn code(&mut self, slot: usize, sort: SortId, value: &Value) -> i64 {
        match value {
            Value::Bool(value) => i64::from(*value),
            Value::Int(value) => match i64::try_from(value).ok().filter(|&value| value != UNDEFINED) {
                Some(value) => value,
                // A number that does not fit is shown by its digits.
                None => {
                    self.layout.slots[slot].domain = self.names;
                    self.name(value.to_string())
                }
            },
            value => self.name(text(&self.system.store, sort, value)),
        }
    }

    /// The number of a name.
    fn name(&mut self, name: String) -> i64 {
        let part = &mut self.layout.domains[self.names.0 as usize].parts[0];
        let PartKind::Names(known) = &mut part.kind else { return UNDEFINED };
        let place = known.iter().position(|known| *known == name).unwrap_or_else(|| {
            known.push(name);
            known.len() - 1
        });
        part.hi = known.len() as i64 - 1;
        place as i64
    }
}

/// An array at a place, as it is written.
fn place_name(system: &System, symbol: SymbolId, indices: &[String]) -> String {
    let own = [system.store.symbol(symbol).name.clone()];
    let parts = match system.store.spelling(symbol) {
        Some(Spelling::Parts(parts)) if parts.len() == indices.len() + 1 => parts,
        _ => &own[..],
    };
    let part = |place: usize| parts.get(place).map_or("", String::as_str);
    let behind = indices.iter().enumerate().map(|(place, index)| format!("{index}{}", part(place + 1)));
    format!("{}{}", part(0), behind.collect::<String>())
}

/// Lemmas one by one, as text.
pub fn formulas(store: &mut TermStore, lemmas: &[Lemma]) -> Vec<String> {
    let each = lemmas.iter().flat_map(|lemma| {
        let groups = lemma::groups(store, std::slice::from_ref(lemma));
        groups.iter().flat_map(lemma::Group::formulas).collect::<Vec<String>>()
    });
    each.collect()
}
