//! What engines tell about their way to an answer, in the form in which reports show it.

use crate::judge;
use tenet_engine::Details;
use tenet_engine::hybrid::{Means, Row, Standing, Work};
use tenet_engine::reach::{self, Iteration, Material};
use tenet_engine::refine::methods::formula::Disjunct;
use tenet_report::hybrid::{Hybrid, HybridRefinement, HybridRow};
use tenet_report::reached::{Reached, ReachedSet};
use tenet_report::view::{Abstraction, Refinement, Suggestion};
use tenet_system::System;
use tenet_term::{Substitution, SymbolId};

/// The abstraction of the engine `reach`; of other engines, that there are index variables.
pub(crate) fn abstraction(system: &System, details: &Details) -> Abstraction {
    let indices: Vec<SymbolId> = system.indices.iter().map(|index| index.symbol).collect();
    let names: Vec<String> = indices.iter().map(|&symbol| system.store.symbol(symbol).name.clone()).collect();
    let named = Abstraction { indices: tuple(names), ..Abstraction::default() };
    let Details::Reach(reach) = details else { return named };
    let rules = system.rules.iter().zip(&reach.substitutions);
    let substitutions = rules.map(|(rule, substitutions)| {
        let tuples = substitutions.iter().map(|substitution| values(system, &indices, substitution));
        (rule.name.clone(), tuples.collect())
    });
    let iterations = reach.iterations.iter().enumerate();
    let grown = iterations.filter(|(number, iteration)| *number == 0 || iteration.is_productive);
    let names = system.predicates.iter().map(|predicate| predicate.name.clone());
    let sets = grown.clone().filter_map(|(number, iteration)| reached(system, number, iteration)).collect();
    Abstraction {
        reached: Reached { predicates: names.collect(), sets },
        predicates: system.predicates.len(),
        // Without index variables there is nothing to substitute for.
        substitutions: if indices.is_empty() { Vec::new() } else { substitutions.collect() },
        deepenings: reach.deepenings,
        iterations: reach.productive(),
        states: grown.map(|(_, iteration)| iteration.states).collect(),
        nodes: reach.nodes,
        clauses: reach.clauses,
        suggestions: reach.rounds.iter().map(|round| suggestion(system, round)).collect(),
        ..named
    }
}

fn reached(system: &System, iteration: usize, found: &Iteration) -> Option<ReachedSet> {
    let set = found.set.as_ref()?;
    Some(ReachedSet {
        iteration,
        states: found.states,
        cubes: set.cubes,
        formula: set.text(),
        valuations: set.valuations.clone(),
        rules: found.rules.iter().map(|&rule| system.rules[rule].name.clone()).collect(),
    })
}

fn suggestion(system: &System, round: &reach::Round) -> Suggestion {
    Suggestion {
        property: judge::name(&system.properties[round.property]),
        steps: round.steps,
        rule: rule_name(system, round.rule),
        material: material(round.material),
        predicate: round.predicate.clone(),
    }
}

/// Where in a step a candidate for a predicate comes from.
pub(crate) fn material(material: Material) -> &'static str {
    match material {
        Material::Guard => "guard",
        Material::Update => "update",
        Material::Precondition => "precondition",
        Material::Property => "property",
    }
}

/// The name of a rule, or of the startstate.
pub(crate) fn rule_name(system: &System, rule: Option<usize>) -> String {
    match (rule, system.starts.as_slice()) {
        (Some(rule), _) => system.rules[rule].name.clone(),
        (None, [only]) if !only.name.is_empty() => only.name.clone(),
        (None, _) => "startstate".to_string(),
    }
}

fn values(system: &System, indices: &[SymbolId], substitution: &Substitution) -> String {
    let store = &system.store;
    let shown = indices.iter().map(|&symbol| match substitution.get(symbol) {
        Some(term) => store.print(term),
        None => store.symbol(symbol).name.clone(),
    });
    tuple(shown.collect())
}

/// `(i, j)`, or just `i`.
fn tuple(parts: Vec<String>) -> String {
    match parts.as_slice() {
        [only] => only.clone(),
        _ => format!("({})", parts.join(", ")),
    }
}

/// The iterations of a published refinement method.
pub(crate) fn refinement(system: &System, details: &Details) -> Vec<Refinement> {
    let Details::Methods(methods) = details else { return Vec::new() };
    let print = |atoms: &Vec<_>| Disjunct::of_atoms(atoms.clone()).print(&system.store);
    let iterations = methods.iterations.iter().map(|one| Refinement {
        predicates: one.predicates.iter().map(|&atom| system.store.print(atom)).collect(),
        invariant: one.invariant.iter().map(print).collect(),
        rounds: one.rounds,
    });
    iterations.collect()
}

/// What the engine `hybrid` did for each property.
pub(crate) fn hybrid(system: &System, details: &Details) -> Vec<Hybrid> {
    let Details::Hybrid(work) = details else { return Vec::new() };
    work.iter().map(|work| of_property(system, work)).collect()
}

fn of_property(system: &System, work: &Work) -> Hybrid {
    let refinements = work.refinements.iter().map(|one| HybridRefinement {
        length: one.length,
        added: one.added,
        means: match one.means {
            Means::Facts => "facts",
            Means::Candidates => "candidates",
            Means::Preconditions => "preconditions",
            Means::Split => "split",
        },
        one_by_one: one.one_by_one,
        dead_end: one.table.dead_end,
        table: one.table.rows.iter().map(row).collect(),
    });
    Hybrid {
        property: judge::name(&system.properties[work.property]),
        registers: work.registers,
        register_bits: work.register_bits,
        gates: work.gates,
        iterations: work.iterations,
        rebuilds: work.rebuilds,
        bits: work.bits,
        predicates: work.predicates.clone(),
        supports: work.supports.clone(),
        clusters: work.clusters.clone(),
        kept: work.kept.clone(),
        branches: work.branches.clone(),
        invariants: work.invariants.clone(),
        correlations: work.correlations,
        refinements: refinements.collect(),
        seconds: work.seconds,
    }
}

fn row(row: &Row) -> HybridRow {
    let standing = match row.standing {
        Standing::Known => "known",
        Standing::Chosen => "chosen",
        Standing::Candidate => "candidate",
    };
    HybridRow { formula: row.formula.clone(), standing, values: row.values.clone() }
}
