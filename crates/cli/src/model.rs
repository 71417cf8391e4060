//! A checked model, in whatever language it is written: its reading for every size, its finite instances, its contents.
//!
//! The commands know nothing of languages beyond this point. Murphi has two readings of its own; a Cubicle file is a
//! transition system already, of which an instance is made by giving it sizes; Horn clauses and circuits are systems that have no
//! instances. Constraint logic programs are neither: they have definitions that no system knows.

use crate::args::{DeadlockChoice, ModelArgs};
use crate::verilog_args::is_verilog;
use num_bigint::BigInt;
use tenet_lang::btor2::Btor2;
use tenet_lang::clp::{Clp, print};
use tenet_lang::codes::{btor2 as btor2_codes, clp as clp_codes, cubicle as codes, horn as horn_codes};
use tenet_lang::cubicle::{self, ast};
use tenet_lang::diagnostic::{Diagnostic, Explanation};
use tenet_lang::horn::Horn;
use tenet_lang::murphi::finite;
use tenet_lang::murphi::hir::{self, PropertyKind, TypeKind};
use tenet_lang::murphi::unbounded::{self, Reads, Unbounded};
use tenet_report::number::counted;
use tenet_report::view::Instance;
use tenet_system::System;
use tenet_system::finite::explore::Deadlock;
use tenet_system::finite::program::Program;
use tenet_term::{Sort, SymbolId};

/// A checked model.
pub enum Model {
    /// `.m` and `.tenet`.
    Murphi(Box<hir::Model>),
    /// `.cub`.
    Cubicle(Box<Cubicle>),
    /// `.smt2`.
    Horn(Box<Horn>),
    /// `.btor2` and `.btor`, and what was made of `.v` and `.sv`.
    Btor2(Box<Btor2>),
    /// `.clp`.
    Clp(Box<Clp>),
}

/// A checked Cubicle file.
pub struct Cubicle {
    /// As it is written.
    pub tree: ast::Model,
    /// What the command line says about it.
    pub settings: cubicle::check::Settings,
    /// What it means for every size.
    pub system: System,
}

/// Something that was made of a model, with warnings; or why it cannot be made.
pub type Made<T> = Result<(T, Vec<Diagnostic>), Vec<Diagnostic>>;

impl Model {
    /// The program of the instance that the command line describes.
    pub fn program(&self) -> Made<Program> {
        match self {
            Model::Murphi(model) => finite::lower(model),
            Model::Cubicle(model) => {
                let program = cubicle::finite::program(&model.system, &model.settings.sizes);
                program.map(|program| (program, Vec::new())).map_err(|refusal| vec![refusal])
            }
            Model::Horn(_) => Err(vec![no_instance()]),
            Model::Btor2(_) => Err(vec![no_exploration()]),
            Model::Clp(_) => Err(vec![no_states()]),
        }
    }

    /// A program that has some of the runs of the instance, for files of which the whole would be infinite.
    pub fn sample(&self) -> Option<Program> {
        let Model::Cubicle(model) = self else { return None };
        cubicle::finite::sample(&model.system, &model.settings.sizes)
    }

    /// The reading for every size but those that the command line fixes; `names` is what else is unbounded.
    pub fn system(&self, args: &ModelArgs, names: &[String]) -> Made<System> {
        match self {
            Model::Murphi(model) => unbounded::read(model, &unbounded_options(args, names)),
            Model::Cubicle(model) => model.every_size(names),
            Model::Horn(model) => {
                no_options(args, names, &horn_codes::NOT_FOR_CLAUSES, "Horn clauses")?;
                Ok((model.system().clone(), Vec::new()))
            }
            Model::Btor2(model) => {
                // The parameters of a Verilog design are in the circuit already.
                let consts = if is_verilog(&args.file) { Vec::new() } else { args.consts.clone() };
                let args = ModelArgs { consts, ..args.clone() };
                no_options(&args, names, &btor2_codes::NOT_FOR_CIRCUITS, "circuits")?;
                Ok((model.lowered.system.clone(), Vec::new()))
            }
            Model::Clp(_) => Err(vec![no_system()]),
        }
    }

    /// What has to be shown for no undefined value to be read.
    pub fn reads(&self, args: &ModelArgs, names: &[String]) -> Reads {
        match self {
            Model::Murphi(model) => unbounded::reads(model, &unbounded_options(args, names)),
            Model::Cubicle(_) | Model::Horn(_) | Model::Btor2(_) | Model::Clp(_) => Reads::Defined,
        }
    }

    /// Has it finite instances, which can be explored?
    pub fn has_instances(&self) -> bool {
        matches!(self, Model::Murphi(_) | Model::Cubicle(_))
    }

    /// Are these Horn clauses?
    pub fn is_horn(&self) -> bool {
        matches!(self, Model::Horn(_))
    }

    /// Is it a circuit?
    pub fn is_circuit(&self) -> bool {
        matches!(self, Model::Btor2(_))
    }

    /// The ranges that are mere index sets, bounded by a constant or without an end, and can be of any size all together.
    pub fn index_ranges(&self, args: &ModelArgs) -> Vec<String> {
        let Model::Murphi(model) = self else { return Vec::new() };
        let is_set = |name: &String| args.sizes.iter().any(|(known, _)| known == name);
        let names: Vec<String> =
            unbounded::index_ranges(model).into_iter().filter(|name| !is_set(name)).collect();
        if names.is_empty() || self.system(args, &names).is_err() { Vec::new() } else { names }
    }

    /// Has one of these ranges no end, as it is written?
    pub fn is_endless(&self, names: &[String]) -> bool {
        let Model::Murphi(model) = self else { return false };
        let named = model.types.iter().filter(|ty| ty.name.as_ref().is_some_and(|name| names.contains(name)));
        let is_endless =
            |kind: &TypeKind| matches!(kind, TypeKind::Range { lo, hi } if lo.is_none() || hi.is_none());
        named.into_iter().any(|ty| is_endless(&ty.kind))
    }

    /// What makes an instance finite: every type of any size, and what the command line set.
    pub fn instance(&self, args: &ModelArgs) -> Instance {
        let mut sizes = match self {
            Model::Murphi(model) => scalarsets(model),
            Model::Cubicle(_) | Model::Horn(_) | Model::Btor2(_) | Model::Clp(_) => Vec::new(),
        };
        let missing = args.sizes.iter().filter(|(name, _)| !sizes.iter().any(|(known, _)| known == name));
        let missing: Vec<_> = missing.cloned().collect();
        sizes.extend(missing);
        let consts = args.consts.iter().map(|(name, value)| (name.clone(), value.to_string())).collect();
        Instance { sizes, consts }
    }

    /// The arguments with a size for everything that is unbounded. What a constant determines gets its size from the constant,
    /// so that the instance is one of the model as it is written, whatever else depends on it; where only values from a
    /// least one on are meant, that is where they begin.
    pub fn sized(&self, args: &ModelArgs, unbounded: &[String], size: u64) -> ModelArgs {
        let mut sized = args.clone();
        let (types, consts) = match self {
            Model::Murphi(model) => {
                let parameters = self.system(args, unbounded).map(|(system, _)| system.parameters);
                for parameter in parameters.unwrap_or_default() {
                    if !parameter.is_number
                        && parameter.sizes.iter().all(|ty| has_size(model, ty, &parameter.name))
                    {
                        sized.sizes.extend(parameter.sizes.into_iter().map(|ty| (ty, size)));
                        continue;
                    }
                    let least = parameter.least.unwrap_or_else(|| BigInt::from(1));
                    sized.consts.push((parameter.name, least + (size - 1)));
                }
                (unbounded_types(model, unbounded), unknown_consts(model, unbounded))
            }
            Model::Cubicle(model) => (model.index_sorts(), model.consts()),
            Model::Horn(_) | Model::Btor2(_) | Model::Clp(_) => (Vec::new(), Vec::new()),
        };
        for name in types {
            if !sized.sizes.iter().any(|(known, _)| *known == name) {
                sized.sizes.push((name, size));
            }
        }
        for name in consts {
            if !sized.consts.iter().any(|(known, _)| *known == name) {
                sized.consts.push((name, size.into()));
            }
        }
        sized
    }

    /// Which states count as deadlocks if the command line does not say it: only Murphi knows any.
    pub fn deadlock(&self, chosen: Option<DeadlockChoice>) -> Deadlock {
        match (chosen, self) {
            (Some(chosen), _) => chosen.into(),
            (None, Model::Murphi(_)) => Deadlock::Stuttering,
            (None, Model::Cubicle(_) | Model::Horn(_) | Model::Btor2(_) | Model::Clp(_)) => Deadlock::Off,
        }
    }

    /// How much there is of everything, in one line.
    pub fn summary(&self) -> String {
        let lists = self.contents();
        let count = |list: &str| lists.iter().find(|(name, _)| *name == list).map(|(_, all)| all.len());
        let nouns = [
            ("variables", "variable"),
            ("startstates", "startstate"),
            ("rules", "rule"),
            ("invariants", "invariant"),
            ("predicates", "predicate"),
            ("registers", "register"),
            ("inputs", "input"),
            ("constraints", "constraint"),
            ("entailments", "entailment"),
            ("transitions", "transition"),
            ("abstractions", "abstraction"),
            ("properties", "property"),
        ];
        let counts = nouns.iter().filter_map(|(list, noun)| Some((count(list)?, *noun)));
        let is_optional =
            |noun: &str| matches!(noun, "predicate" | "constraint" | "entailment" | "abstraction");
        let counts = counts.filter(|(count, noun)| *count > 0 || !is_optional(noun));
        let parts: Vec<String> = counts.map(|(count, noun)| counted(count as u64, noun)).collect();
        parts.join(", ")
    }

    /// The names of everything, by kind.
    pub fn contents(&self) -> Vec<(&'static str, Vec<String>)> {
        match self {
            Model::Murphi(model) => murphi_contents(model),
            Model::Cubicle(model) => model.contents(),
            Model::Horn(model) => horn_contents(model),
            Model::Btor2(model) => btor2_contents(model),
            Model::Clp(model) => clp_contents(model),
        }
    }
}

impl Cubicle {
    /// The system, with the types finite that the command line gives a size.
    fn every_size(&self, names: &[String]) -> Made<System> {
        if let Some(name) = names.first() {
            let message = format!("`--unbounded {name}` does not apply to Cubicle files");
            let help =
                "everything is unbounded already; fix sizes with `--size` and constants with `--const`";
            return Err(vec![Diagnostic::global(&codes::NO_OTHER_FILES, message).help(help)]);
        }
        if self.settings.sizes.is_empty() {
            return Ok((self.system.clone(), Vec::new()));
        }
        let settings = cubicle::check::Settings { fix_sizes: true, ..self.settings.clone() };
        // What there is to say has been said when the file was checked without sizes.
        let (model, found) = cubicle::check::check(&self.tree, &settings);
        let errors: Vec<Diagnostic> = found.into_iter().filter(Diagnostic::is_error).collect();
        if errors.is_empty() { Ok((cubicle::lower::lower(model), Vec::new())) } else { Err(errors) }
    }

    /// The types of any size.
    fn index_sorts(&self) -> Vec<String> {
        let sorts = self.system.store.sorts().filter_map(|(_, sort)| match sort {
            Sort::Index { name } => Some(name.clone()),
            _ => None,
        });
        sorts.collect()
    }

    /// The numeric constants.
    fn consts(&self) -> Vec<String> {
        let store = &self.system.store;
        let is_number = |symbol: &&SymbolId| store.sort(store.symbol(**symbol).sort).is_numeric();
        self.system.consts.iter().filter(is_number).map(|&symbol| store.symbol(symbol).name.clone()).collect()
    }

    fn contents(&self) -> Vec<(&'static str, Vec<String>)> {
        let system = &self.system;
        vec![
            ("constants", self.consts()),
            ("variables", names(system.state.iter().map(|var| &system.store.symbol(var.symbol).name))),
            ("startstates", names(system.starts.iter().map(|start| &start.name))),
            ("rules", names(system.rules.iter().map(|rule| &rule.name))),
            ("invariants", names(system.properties.iter().map(|property| &property.name))),
            ("axioms", names(system.axioms.iter().map(|axiom| &axiom.name))),
        ]
    }
}

/// Refuses options about sizes and constants, where nothing has any.
pub fn no_options(
    args: &ModelArgs,
    names: &[String],
    code: &'static Explanation,
    what: &str,
) -> Result<(), Vec<Diagnostic>> {
    let options = [
        ("--size", args.sizes.first().map(|(name, _)| name)),
        ("--const", args.consts.first().map(|(name, _)| name)),
        ("--unbounded", names.first()),
    ];
    match options.into_iter().find_map(|(option, name)| Some((option, name?))) {
        None => Ok(()),
        Some((option, name)) => {
            let message = format!("`{option} {name}` does not apply to {what}");
            Err(vec![Diagnostic::global(code, message)])
        }
    }
}

fn horn_contents(model: &Horn) -> Vec<(&'static str, Vec<String>)> {
    let system = model.system();
    vec![
        ("relations", names(model.relations.iter().map(|relation| &relation.name))),
        ("variables", names(system.state.iter().map(|var| &system.store.symbol(var.symbol).name))),
        ("startstates", names(system.starts.iter().map(|start| &start.name))),
        ("rules", names(system.rules.iter().map(|rule| &rule.name))),
        ("invariants", names(system.properties.iter().map(|property| &property.name))),
    ]
}

fn btor2_contents(model: &Btor2) -> Vec<(&'static str, Vec<String>)> {
    let system = &model.lowered.system;
    let inputs = model.lowered.inputs.iter().map(|(_, symbol)| &system.store.symbol(*symbol).name);
    let constraints = model.document.constraints().map(|(line, _)| model.document.name(line));
    vec![
        ("registers", names(system.state.iter().map(|var| &system.store.symbol(var.symbol).name))),
        ("inputs", names(inputs)),
        ("constraints", constraints.collect()),
        ("properties", names(system.properties.iter().map(|property| &property.name))),
        ("branches", names(system.branches.iter().map(|branch| &branch.name))),
    ]
}

fn clp_contents(model: &Clp) -> Vec<(&'static str, Vec<String>)> {
    let program = &model.program;
    let printer = print::Printer::new(program);
    let heads = program.predicates.iter().flat_map(|predicate| {
        predicate.rules.iter().map(|rule| printer.head(&predicate.name, &rule.head)).collect::<Vec<_>>()
    });
    let mut contents = vec![
        ("predicates", names(program.predicates.iter().map(|predicate| &predicate.name))),
        ("rules", heads.collect()),
        ("entailments", names(program.obligations.iter().map(|entailment| &entailment.name))),
    ];
    if let Some(process) = &program.process {
        contents.extend([
            ("transitions", names(process.transitions.iter().map(|transition| &transition.name))),
            ("abstractions", names(process.abstractions.iter().map(|abstraction| &abstraction.name))),
            ("properties", names(process.properties.iter().map(|property| &property.name))),
        ]);
    }
    contents
}

fn unbounded_options(args: &ModelArgs, names: &[String]) -> Unbounded {
    let sizes = args.sizes.iter().map(|(name, _)| name.clone()).collect();
    Unbounded { names: names.to_vec(), sizes }
}

fn no_states() -> Diagnostic {
    let message = "constraint logic programs have no finite instances";
    Diagnostic::global(&clp_codes::NOT_FOR_PROGRAMS, message).help("`tenet prove` proves what they say")
}

fn no_system() -> Diagnostic {
    let message = "a constraint logic program is no transition system over predicates";
    Diagnostic::global(&clp_codes::NOT_FOR_PROGRAMS, message)
}

fn no_exploration() -> Diagnostic {
    Diagnostic::global(&btor2_codes::NO_EXPLORATION, "circuits are not explored state by state")
        .help("`tenet prove` looks for a proof and for a run, `tenet simulate` takes a random one")
}

fn no_instance() -> Diagnostic {
    Diagnostic::global(&horn_codes::NO_INSTANCE, "Horn clauses have no finite instances")
        .help("`tenet prove` reads them as they are")
}

fn names<'a>(names: impl Iterator<Item = &'a String>) -> Vec<String> {
    names.cloned().collect()
}

fn of_kind(model: &hir::Model, kind: PropertyKind) -> Vec<String> {
    names(model.properties.iter().filter(|property| property.kind == kind).map(|property| &property.name))
}

fn scalarsets(model: &hir::Model) -> Vec<(String, u64)> {
    let mut sizes: Vec<(String, u64)> = Vec::new();
    for ty in &model.types {
        let (Some(name), TypeKind::Scalarset { size: Some(size) }) = (&ty.name, &ty.kind) else { continue };
        if !sizes.iter().any(|(known, _)| known == name) {
            sizes.push((name.clone(), size.value.max(0).unsigned_abs()));
        }
    }
    sizes
}

/// Is this a scalarset whose size is this constant?
fn has_size(model: &hir::Model, name: &str, constant: &str) -> bool {
    let ty = model.types.iter().find(|ty| ty.name.as_deref() == Some(name));
    let Some(TypeKind::Scalarset { size: Some(size) }) = ty.map(|ty| &ty.kind) else { return false };
    matches!(size.expr.kind, hir::ExprKind::ConstRef(id) if model.consts[id.0 as usize].name == constant)
}

/// The named types of any size, other than those that constants determine.
fn unbounded_types(model: &hir::Model, unbounded: &[String]) -> Vec<String> {
    let is_own =
        |end: &Option<hir::Bound>| end.as_ref().is_none_or(|end| hir::constants_in(&end.expr).is_empty());
    let is_unbounded = |name: &String, kind: &TypeKind| match kind {
        TypeKind::Scalarset { size } => is_own(size),
        TypeKind::Range { lo, hi } => unbounded.contains(name) && is_own(lo) && is_own(hi),
        _ => false,
    };
    let named = model.types.iter().filter_map(|ty| Some((ty.name.as_ref()?, &ty.kind)));
    names(named.filter(|(name, kind)| is_unbounded(name, kind)).map(|(name, _)| name))
}

fn unknown_consts(model: &hir::Model, unbounded: &[String]) -> Vec<String> {
    let roots = model.consts.iter().filter(|constant| !constant.unknown || constant.definition.is_none());
    let consts = roots.filter(|constant| constant.unknown || unbounded.contains(&constant.name));
    names(consts.map(|constant| &constant.name))
}

fn murphi_contents(model: &hir::Model) -> Vec<(&'static str, Vec<String>)> {
    let consts = model.consts.iter().map(|constant| match constant.unknown {
        true => constant.name.clone(),
        false => format!("{} = {}", constant.name, constant.value),
    });
    let fixed = model.vars.iter().filter(|var| var.is_constant).map(|var| var.name.clone());
    let vars = model.vars.iter().filter(|var| !var.is_constant);
    vec![
        ("constants", consts.chain(fixed).collect()),
        ("variables", names(vars.map(|var| &var.name))),
        ("startstates", names(model.starts.iter().map(|rule| &rule.name))),
        ("rules", names(model.rules.iter().map(|rule| &rule.name))),
        ("invariants", of_kind(model, PropertyKind::Invariant)),
        ("assumptions", of_kind(model, PropertyKind::Assume)),
        ("axioms", of_kind(model, PropertyKind::Axiom)),
        ("covers", of_kind(model, PropertyKind::Cover)),
        ("definitions", names(model.definitions.iter().map(|known| &known.name))),
        ("indices", names(model.indices.iter().map(|index| &index.name))),
        ("predicates", names(model.predicates.iter().map(|known| &known.name))),
    ]
}
