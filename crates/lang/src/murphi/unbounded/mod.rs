//! The unbounded reading of a checked Murphi model: a transition system that stands for every size at once.
//!
//! Rules are *executed symbolically*: the state is a map from symbols to terms, an assignment replaces a term, `if`
//! merges two maps, and what the map says at the end is the rule's simultaneous update. A loop over an unbounded type
//! is executed once, for an arbitrary value of its variable, and becomes a lambda if its iterations do not see each
//! other (`sweeps`). The alternative, weakest preconditions, would push a formula backwards through every loop and
//! could not say which two accesses are in each other's way.
//!
//! Two principles. What cannot be read exactly is an error with a span; only where "any order of the iterations" is the
//! natural meaning it is a warning, and then every run of every instance is still there. And errors do not stop the
//! reading: an expression that has none becomes some symbol of its sort, so that one run reports them all.
//!
//! The parts: `sorts` reads types, `layout` splits aggregates into leaves, `memory` is the symbolic state,
//! `expressions`, `operators`, `conversions`, `quantifiers` and `statements` execute what their names say,
//! `calls` inlines functions, `domains`, `loops`, `accesses`, `sweeps` and `last` are about loops, `havoc` makes
//! parameters of undefined values, `obligations` collects what must hold, `rules` puts the system together,
//! `abstraction` reads predicates and hints, `definedness` follows which values are defined, `definitions` what
//! its name says and constants without a value,
//! `names` and `uses` interpret `--unbounded`, `values` knows what keeps its bounds, and `describe` prints a system.

mod abstraction;
mod accesses;
mod calls;
mod conversions;
mod definedness;
mod definitions;
mod describe;
mod domains;
mod expressions;
mod havoc;
mod last;
mod layout;
mod loops;
mod memory;
mod names;
mod obligations;
mod operators;
mod quantifiers;
mod rules;
mod sorts;
mod statements;
mod sweeps;
mod uses;
mod values;

pub use definedness::{Reads, reads};
pub use describe::describe;
pub use names::{Candidate, CandidateKind, candidates, constants_of_range, index_ranges};

use crate::codes::unbounded as codes;
use crate::diagnostic::Diagnostic;
use crate::murphi::hir::{DefinitionId, Model};
use crate::span::Span;
use std::collections::BTreeMap;
use tenet_system::System;
use tenet_system::finite::program::Source;
use tenet_term::{SymbolId, TermId, TermStore};

/// What is unbounded besides the scalarsets.
#[derive(Clone, Debug, Default)]
pub struct Unbounded {
    /// `--unbounded`: named ranges that are read as sets of indices, and constants that are read as any integer.
    pub names: Vec<String>,
    /// Types that `--size` fixes: they stay finite.
    pub sizes: Vec<String>,
}

/// The transition system of a checked model, with warnings; or why it has none. Where an undefined value may be read, it is a condition
/// of whatever is proved of it that none is ([`reads`]).
pub fn read(model: &Model, options: &Unbounded) -> Result<(System, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (reads, followed) = definedness::follow(model, options);
    let (mut system, warnings) = read_only(model, options, followed)?;
    if !matches!(reads, Reads::Defined) {
        system.suppose_defined_reads();
    }
    Ok((system, warnings))
}

/// The same, without a look at undefined values but those that are compared.
fn read_only(
    model: &Model,
    options: &Unbounded,
    followed: Option<definedness::Followed>,
) -> Result<(System, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut reader = Reader::new(model);
    reader.followed = followed;
    reader.read(options);
    if reader.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(reader.diagnostics);
    }
    Ok(reader.finish())
}

/// After this many statements and rounds of loops the model counts as too large.
const BUDGET: u64 = 1_000_000;

/// Statements, expressions and calls nested deeper than this are not executed, so that the stack suffices.
const MAX_DEPTH: usize = 600;

/// More diagnostics than this nobody reads.
const MAX_DIAGNOSTICS: usize = 200;

/// The state of the reading.
struct Reader<'m> {
    model: &'m Model,
    store: TermStore,
    diagnostics: Vec<Diagnostic>,
    choice: names::Choice,
    sorts: sorts::Sorts,
    /// The symbols of recursive definitions.
    definitions: BTreeMap<DefinitionId, SymbolId>,
    layouts: layout::Layouts,
    /// For each symbolic range the distance between its ends, which an axiom says is not negative.
    range_sizes: Vec<TermId>,
    memory: memory::Memory,
    /// Whether values are defined is followed, and for which parts of the state.
    followed: Option<definedness::Followed>,
    /// Innermost last.
    frames: Vec<calls::Frame<'m>>,
    /// Conditions under which the surrounding calls and loops were reached, each relative to the one before.
    outer: Vec<TermId>,
    /// Loops and quantifiers that are being executed for an arbitrary value.
    open: Vec<domains::Open>,
    /// What the loops among them access.
    logs: Vec<accesses::Log>,
    /// The rule, startstate or property being read.
    scope: rules::Scope,
    system: rules::Parts,
    budget: u64,
    /// How deep the execution is nested.
    depth: usize,
}

impl<'m> Reader<'m> {
    fn new(model: &'m Model) -> Reader<'m> {
        Reader {
            model,
            store: TermStore::new(),
            diagnostics: Vec::new(),
            choice: names::Choice::default(),
            sorts: sorts::Sorts::default(),
            definitions: BTreeMap::new(),
            layouts: layout::Layouts::default(),
            range_sizes: Vec::new(),
            memory: memory::Memory::default(),
            followed: None,
            frames: Vec::new(),
            outer: Vec::new(),
            open: Vec::new(),
            logs: Vec::new(),
            scope: rules::Scope::default(),
            system: rules::Parts::default(),
            budget: BUDGET,
            depth: 0,
        }
    }

    /// Reads everything.
    fn read(&mut self, options: &Unbounded) {
        self.declare_unknown_numbers();
        self.choose_names(options);
        self.check_bounds();
        self.declare_state();
        self.read_rules();
    }

    /// Reports something once, however often the code it stands in is executed.
    fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS && !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Takes from the budget; false once it is used up, which is reported.
    fn spend(&mut self, amount: u64, span: Span) -> bool {
        if self.budget == 0 {
            return false;
        }
        self.budget = self.budget.saturating_sub(amount);
        if self.budget == 0 {
            let message = "unrolled loops and inlined calls make this model too large";
            self.report(Diagnostic::error(&codes::TOO_LARGE, message, span).label("while reading this"));
        }
        self.budget > 0
    }
}

impl Reader<'_> {
    /// Executes something one level deeper; `None` where that is too deep, which is reported.
    fn deeper<T>(&mut self, span: Span, execute: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            let message = "calls and what is nested in them are too deep to be read";
            self.report(Diagnostic::error(&codes::TOO_LARGE, message, span));
            return None;
        }
        self.depth += 1;
        let result = execute(self);
        self.depth -= 1;
        Some(result)
    }
}

fn source(span: Span) -> Source {
    Source { start: span.start, end: span.end }
}
