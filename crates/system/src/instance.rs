//! Finite instances of transition systems: each index sort gets a size, each symbolic constant a value, and the system
//! becomes a program that the explorer and the simulator run.
//!
//! Terms are total where programs are not: a division by zero is zero, and a function applied outside its bounds has
//! some value. Both are made explicit here, so that an instance never faults where the system has a meaning; only
//! leaving the 64-bit range does, and that counts as a limit of this tool. Shared subterms are computed once and bound
//! to a variable, or deep sharing would make the program exponentially larger than the term.

mod bounds;
mod domains;
mod expr;
mod functions;
mod sampled;
mod update;

use crate::finite::program::{
    Expr, FaultKind, Param, Program, Property, PropertyKind, Rule, Site, SiteId, Source, Stmt,
};
use crate::system::{self, Bounds, System};
use domains::Domains;
pub use domains::Extent;
use expr::Translator;
pub use expr::{Region, RegionDim};
use std::collections::BTreeMap;
use tenet_term::{SymbolId, TermId};

/// Sizes and values that make a system finite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Size of each index sort, by name.
    pub sorts: Vec<(String, u32)>,
    /// Value of each integer constant, by name.
    pub consts: Vec<(String, i64)>,
}

/// Why a system has no such instance.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InstanceError {
    #[error("index sort {0} has no size")]
    NoSize(String),
    #[error("constant {0} has no value")]
    NoValue(String),
    /// More distinguished elements than elements.
    #[error("index sort {0} has more distinguished elements than elements")]
    TooSmall(String),
    /// Something that takes infinitely many values, where a finite number is needed.
    #[error("{0} takes infinitely many values")]
    Infinite(String),
    #[error("the number {0} does not fit 64 bits")]
    TooLarge(String),
    /// A sort or operator that finite instances do not have.
    #[error("{0} has no finite instance")]
    Unsupported(String),
    /// A state of too many scalars.
    #[error("the state has more than {0} scalars")]
    TooManySlots(usize),
}

pub fn instance(system: &System, sizes: &Sizes) -> Result<Program, InstanceError> {
    Ok(translate(system, sizes, None, None)?.program)
}

/// An instance for people who look at its states: where the parts of the state lie, and what the constants are.
pub struct Sample {
    /// The program. Every run of it is one of the instance, but some are missing.
    pub program: Program,
    /// The slots of each part of the state, and of constants that are no numbers: these are chosen at the start.
    pub regions: BTreeMap<SymbolId, Region>,
    pub consts: BTreeMap<SymbolId, i64>,
}

/// The bounds of a function's arguments and of its value; of a scalar there is only the value.
#[derive(Clone, Debug, Default)]
struct Shape {
    args: Vec<Bounds>,
    value: Bounds,
}

/// An instance in which few of the possible values are tried for what is chosen freely (an arbitrary startstate, an
/// undefined variable): at most `choices` combinations for each rule and startstate, not counting ruleset parameters.
pub fn sample(system: &System, sizes: &Sizes, choices: u64) -> Result<Sample, InstanceError> {
    sample_of(system, translate(system, sizes, Some(choices), None)?)
}

/// A sample in which integers without bounds have no more than about `integers` values, where that matters: arrays
/// have that many places, quantifiers range over that many numbers, free choices are made among that many. A step
/// that reads or writes another place is missing, unless it computes a whole array, which then lacks that place.
/// Since quantifiers overlook numbers, too, a state may be there that no instance has.
pub fn window(system: &System, sizes: &Sizes, choices: u64, integers: i64) -> Result<Sample, InstanceError> {
    sample_of(system, translate(system, sizes, Some(choices), Some(integers))?)
}

fn sample_of(system: &System, translator: Translator) -> Result<Sample, InstanceError> {
    let Translator { program, mut arrays, domains, .. } = translator;
    let chosen = functions::chosen(system);
    arrays
        .retain(|symbol, _| chosen.contains(symbol) || system.state.iter().any(|var| var.symbol == *symbol));
    Ok(Sample { program, regions: arrays, consts: domains.into_consts() })
}

fn translate(
    system: &System,
    sizes: &Sizes,
    choices: Option<u64>,
    integers: Option<i64>,
) -> Result<Translator, InstanceError> {
    let mut program = Program { sites: first_sites(), ..Program::default() };
    let domains = Domains::new(system, sizes, &mut program.layout)?;
    let mut translator = Translator::new(system.store.clone(), domains, program);
    translator.choices = choices;
    translator.integers = integers;
    translator.lay_out_state(system)?;
    translator.lay_out_chosen(system)?;
    for number in 0..system.starts.len() {
        let rule = translator.start(system, number)?;
        translator.program.starts.push(rule);
    }
    for rule in &system.rules {
        let rule = translator.rule(rule)?;
        translator.program.rules.push(rule);
    }
    for property in &system.properties {
        if !matches!(property.kind, system::PropertyKind::Start { .. }) {
            translator.property(
                &property.name,
                property.source,
                PropertyKind::Invariant,
                property.formula,
            )?;
        }
    }
    for axiom in &system.axioms {
        translator.property(&axiom.name, axiom.source, PropertyKind::Assume, axiom.formula)?;
    }
    Ok(translator)
}

/// Where a value that leaves its bounds is reported; site 0 is for numbers that leave the 64-bit range.
const RANGE_SITE: SiteId = SiteId(1);

fn first_sites() -> Vec<Site> {
    let site = |kind, detail: &str| Site { kind, detail: detail.to_string(), source: Source::default() };
    vec![
        site(FaultKind::Overflow, "a number leaves the 64-bit range"),
        site(FaultKind::Range, "a value leaves its bounds"),
    ]
}

impl Translator {
    fn property(
        &mut self,
        name: &str,
        source: Source,
        kind: PropertyKind,
        formula: TermId,
    ) -> Result<(), InstanceError> {
        let formula = self.closed(&[], formula)?;
        let property = Property { name: name.to_string(), kind, source, formula };
        self.program.properties.push(property);
        Ok(())
    }

    fn rule(&mut self, rule: &system::Rule) -> Result<Rule, InstanceError> {
        let (params, unpack) = self.params(&rule.params, rule.shown_params, rule.guard, &rule.updates)?;
        let guard = self.closed(&unpack, rule.guard)?;
        let mut body = unpack;
        body.extend(self.updates(&rule.updates)?);
        Ok(Rule { name: rule.name.clone(), source: rule.source, params, guard, body })
    }

    fn start(&mut self, system: &System, number: usize) -> Result<Rule, InstanceError> {
        let start = &system.starts[number];
        let symbols = system.state.iter().map(|var| var.symbol);
        let updates: Vec<(SymbolId, TermId)> = symbols.zip(start.values.iter().copied()).collect();
        let (mut params, mut unpack) = self.params(&start.params, 0, start.constraint, &updates)?;
        let kept = self.choose(system, &mut params, &mut unpack)?;
        let guard = self.closed(&unpack, start.constraint)?;
        let mut body = self.start_assertions(system, number, &unpack)?;
        body.extend(unpack);
        body.extend(self.updates(&updates)?);
        body.extend(kept.stores);
        self.settle(kept.regions);
        Ok(Rule { name: start.name.clone(), source: start.source, params, guard, body })
    }

    /// What is to be shown of a startstate, checked when it is computed.
    fn start_assertions(
        &mut self,
        system: &System,
        number: usize,
        prepare: &[Stmt],
    ) -> Result<Vec<Stmt>, InstanceError> {
        let mut checks = Vec::new();
        for property in &system.properties {
            if property.kind != (system::PropertyKind::Start { start: number }) {
                continue;
            }
            let holds = self.closed(prepare, property.formula)?;
            let (detail, source) = (property.name.clone(), property.source);
            self.program.sites.push(Site { kind: FaultKind::Assertion, detail, source });
            let site = SiteId(self.program.sites.len() as u32 - 1);
            checks.push(Stmt::If(holds, Vec::new(), vec![Stmt::Fault(site)]));
        }
        Ok(checks)
    }

    /// A formula that needs nothing but the state and what `prepare` computes.
    fn closed(&mut self, prepare: &[Stmt], formula: TermId) -> Result<Expr, InstanceError> {
        let mut statements = prepare.to_vec();
        let result = self.with_shared(&[formula], &mut statements, |translator| translator.expr(formula))?;
        Ok(if statements.is_empty() { result } else { Expr::Block(statements, Box::new(result)) })
    }

    /// Parameters, and the statements that put function-valued ones where they can be indexed. The guard bounds them, and
    /// function-valued ones are bounded by what they are stored in. In a sample, only the first `complete` ones take all
    /// of their values.
    fn params(
        &mut self,
        symbols: &[SymbolId],
        complete: usize,
        guard: TermId,
        updates: &[(SymbolId, TermId)],
    ) -> Result<(Vec<Param>, Vec<Stmt>), InstanceError> {
        let (mut params, mut unpack) = (Vec::new(), Vec::new());
        let facts = self.store.conjuncts(guard);
        for &symbol in symbols {
            let shape = self.shape_of_param(symbol, updates);
            self.shapes.insert(symbol, shape);
        }
        let (shown, free) = symbols.split_at(complete);
        let is_cut = |translator: &Translator, symbol| {
            translator.choices.is_some() && translator.is_infinite(symbol, &facts)
        };
        let (endless, shown): (Vec<SymbolId>, Vec<SymbolId>) =
            shown.iter().partition(|&&symbol| is_cut(self, symbol));
        let sampled: Vec<SymbolId> = endless.into_iter().chain(free.iter().copied()).collect();
        let is_sampled = self.choices.is_some_and(|choices| self.combinations(&sampled, &facts) > choices);
        let (complete, seeded) = if is_sampled { (shown, sampled) } else { (symbols.to_vec(), Vec::new()) };
        for symbol in complete {
            self.param(symbol, &facts, &mut params, &mut unpack)?;
        }
        if !seeded.is_empty() {
            self.seeded(&seeded, &facts, &mut params, &mut unpack)?;
        }
        Ok((params, unpack))
    }
}
