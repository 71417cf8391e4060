//! The command line: every option with its help.

use crate::hybrid_args::HybridArgs;
use crate::log_args::{LogArgs, SolverLogArgs};
use crate::recursive_args::RecursiveArgs;
use crate::refine_args::RefineArgs;
use crate::trace::{self, Format};
use crate::verilog_args::VerilogArgs;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, FromArgMatches, Parser, Subcommand, ValueEnum};
use num_bigint::BigInt;
use std::path::{Path, PathBuf};
use tenet_engine::reach::{Image, Instances, Options};
use tenet_lang::verilog::sources::Others;
use tenet_session::{Choices, ENGINES, Reading};
use tenet_system::finite::explore::Deadlock;

const EXIT_CODES: &str = "\
Exit codes:
    0  safe: no violation, and everything was looked at
   10  unsafe: a run shows a violation
    5  unknown: a limit was reached first, or no proof was found
    2  the command line is wrong
    3  the input is rejected
    4  a solver or the environment failed
    6  a run or certificate did not pass its check
  101  a bug in tenet
  130  interrupted

Several properties: the worst, in the order 6, 10, 5, 0.";

/// Checks systems that have no bound: prove, explore and simulate models of protocols and algorithms.
#[derive(Debug, Parser)]
#[command(name = "tenet", version, after_help = EXIT_CODES, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// When to use colours: always, never, or auto (on a terminal, unless NO_COLOR is set)
    #[arg(
        long,
        global = true,
        value_enum,
        default_value = "auto",
        value_name = "WHEN",
        hide_possible_values = true,
        display_order = 900
    )]
    pub color: ColorChoice,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Prove every property for every size, or show a run that breaks one
    Prove(ProveArgs),
    /// Ask for each invariant whether every rule keeps it, or show a step that breaks it
    Induct(InductArgs),
    /// Compute the strongest invariant that the predicates can say, and prove properties with it
    Abstract(AbstractArgs),
    /// Check a certificate against its model, independently of what made it
    Verify(VerifyArgs),
    /// Search all reachable states of a finite instance
    Explore(ExploreArgs),
    /// Walk through a finite instance, at random or step by step
    Simulate(SimulateArgs),
    /// Read and type-check a model; report everything that is wrong with it
    Check(CheckArgs),
    /// List the conditions on which a Verilog design branches, and write it with a name for each
    Branches(BranchesArgs),
    /// Explain the code of a message; without a code, list all of them
    Explain(ExplainArgs),
    /// Show versions of the solver and of helper programs, and what is missing
    Doctor(DoctorArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page, of the whole program or of one command
    Man(ManArgs),
}

/// A model and the instance that is meant.
#[derive(Args, Clone, Debug)]
pub struct ModelArgs {
    /// The model: Murphi (.m), Cubicle (.cub), Horn clauses (.smt2), BTOR2 (.btor2), Verilog (.v, .sv), constraint logic
    /// programs (.clp) or Tenet's own language (.tenet); a Verilog design may have several files
    #[arg(value_name = "FILE", required_unless_present = "lists")]
    pub files: Vec<PathBuf>,
    /// Give a scalarset or range type n values; can be repeated
    #[arg(long = "size", value_name = "TYPE=N", value_parser = parse_size)]
    pub sizes: Vec<(String, u64)>,
    /// Give a constant, or a parameter of a Verilog design, another value; can be repeated
    #[arg(long = "const", value_name = "CONST=VALUE", value_parser = parse_const, allow_hyphen_values = true)]
    pub consts: Vec<(String, BigInt)>,
    /// How a Verilog design is read.
    #[command(flatten)]
    pub verilog: VerilogArgs,
}

/// How much to print, and how.
#[derive(Args, Clone, Copy, Debug)]
pub struct OutputArgs {
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
    /// Print the verdict line only
    #[arg(short, long, conflicts_with_all = ["verbose", "json"])]
    pub quiet: bool,
    /// Print more
    #[arg(short, long)]
    pub verbose: bool,
}

/// `tenet explore`
#[derive(Args, Debug)]
#[command(after_long_help = "\
Examples:
  tenet explore german.m --size NODE=3
  tenet explore flash.m --const NODE_NUM=2 --memory 4000 --timeout 600
  tenet explore mutex.m --property Mutex --trace run.itf.json
  tenet explore mutex.m --json | jq .verdict

`safe` is an answer for this one instance: no violation in any state that it can reach.
Larger instances may still go wrong.")]
pub struct ExploreArgs {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,
    /// Count states that differ only by renaming scalarset elements separately
    #[arg(long)]
    pub no_symmetry: bool,
    /// How many threads search [default: all cores]; the result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Stop when stored states take this much memory [default: 80 % of what is available]
    #[arg(long, value_name = "MB", value_parser = parse_megabytes, allow_hyphen_values = true)]
    pub memory: Option<u64>,
    /// Stop after so many seconds
    #[arg(long, value_name = "S", value_parser = parse_seconds, allow_hyphen_values = true)]
    pub timeout: Option<f64>,
    /// Stop so many steps away from the startstates
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Which states count as deadlocks [default: stuttering; off for Cubicle files]
    #[arg(long, value_enum, value_name = "KIND")]
    pub deadlock: Option<DeadlockChoice>,
    /// Check only this invariant; can be repeated
    #[arg(long = "property", value_name = "NAME")]
    pub properties: Vec<String>,
    /// Search everything even if something is wrong, and report every property that is violated
    #[arg(long)]
    pub keep_going: bool,
    /// Write the run that shows the first violation to a file
    #[arg(long, value_name = "OUT.itf.json", value_parser = parse_trace_file)]
    pub trace: Option<PathBuf>,
    /// How to print.
    #[command(flatten)]
    pub output: OutputArgs,
    /// What is logged.
    #[command(flatten)]
    pub log: LogArgs,
}

/// `tenet prove`
#[derive(Args, Debug)]
#[command(after_long_help = "\
Examples:
  tenet prove german.m
  tenet prove german.m --certificate german.cert && tenet verify german.cert
  tenet prove szymanski.m --unbounded PROC_NUM

Nothing but the model is needed. Lemmas are searched for, guided by small instances, until they prove
every property; and if that takes long, small instances are searched beside it for a run that breaks
one. `safe` is only printed after the proof was turned into a certificate and checked again by code
that shares nothing with what found it, `unsafe` only after the run was replayed. `unknown` says why,
and what to try.

Every scalarset without --size is read as a set of any size, and so is a range whose bounds mention a
constant and whose values are only compared with each other, assigned and used as indices. If
--unbounded is given, only what it names is read so: a range as a set of any size, a constant as any
integer. What a startstate leaves undefined has any value.

If the model has predicates, or --predicates gives some, they are used instead: this is `tenet
abstract` with its defaults then, unless --engine says otherwise.")]
pub struct ProveArgs {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,
    /// What to prove, and from what.
    #[command(flatten)]
    pub proof: ProofArgs,
    /// Stop after so many seconds
    #[arg(long, value_name = "S", value_parser = parse_seconds, allow_hyphen_values = true, default_value = "300")]
    pub timeout: f64,
    /// Stop at the first violation; what else is asked about stays unknown
    #[arg(long)]
    pub first: bool,
    /// Begin with the model's invariants as lemmas, as far as they are inductive together; nothing is taken on trust
    #[arg(long)]
    pub assume_invariants: bool,
    /// How to look for a proof
    #[arg(long, value_parser = engines(), value_name = "ENGINE", default_value = AUTO)]
    engine: String,
    /// Which random walks through small instances guide the search for lemmas; the same seed gives the same proof
    #[arg(long, value_name = "N", default_value = "0")]
    pub seed: u64,
    /// What to print; `--json` is the same as `--format json`
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", conflicts_with = "json")]
    pub format: FormatChoice,
    /// Write derivations and the computation tree of a constraint logic program to a page (`.html`), or the tree for Graphviz
    /// (`.dot`); with `--engine hybrid` spurious counterexamples and clusters, or the clusters
    #[arg(long, value_name = "OUT", value_parser = parse_report_file)]
    pub report: Option<PathBuf>,
    /// How to print.
    #[command(flatten)]
    pub output: OutputArgs,
    /// Which refinement method.
    #[command(flatten)]
    pub refine: RefineArgs,
    /// How to abstract circuits.
    #[command(flatten)]
    pub hybrid: HybridArgs,
    /// How to derive entailments.
    #[command(flatten)]
    pub recursive: RecursiveArgs,
    /// What is logged.
    #[command(flatten)]
    pub log: SolverLogArgs,
}

/// `tenet induct`
#[derive(Args, Debug)]
#[command(after_long_help = "\
Examples:
  tenet induct german.m
  tenet induct german.m --property coherence
  tenet induct german.m --certificate german.cert && tenet verify german.cert

No lemmas are searched for. `safe` is said of the invariants that are inductive together: they hold in
every startstate, and every rule keeps them. For each of the others a counterexample to induction is
shown, a step of the smallest instance that has one. It is no violation, so that is exit code 5.")]
pub struct InductArgs {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,
    /// What to prove.
    #[command(flatten)]
    pub proof: ProofArgs,
    /// Stop after so many seconds
    #[arg(long, value_name = "S", value_parser = parse_seconds, allow_hyphen_values = true, default_value = "300")]
    pub timeout: f64,
    /// What to print; `--json` is the same as `--format json`
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", conflicts_with = "json")]
    pub format: InductFormat,
    /// How to print.
    #[command(flatten)]
    pub output: OutputArgs,
    /// What is logged.
    #[command(flatten)]
    pub log: SolverLogArgs,
}

/// What `tenet induct` prints.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum InductFormat {
    /// For people
    Text,
    /// One JSON object
    Json,
}

impl InductArgs {
    /// The same as a question for an engine.
    fn question(self) -> Result<ProveArgs, clap::Error> {
        let defaults = ProveArgs::augment_args(clap::Command::new("prove"));
        // The file is that of `self`; here is only what every question has by default.
        let matches = defaults.try_get_matches_from(["prove", "--", "FILE"])?;
        let format = match self.format {
            InductFormat::Text => FormatChoice::Text,
            InductFormat::Json => FormatChoice::Json,
        };
        Ok(ProveArgs {
            model: self.model,
            proof: self.proof,
            timeout: self.timeout,
            engine: "induct".to_string(),
            format,
            output: self.output,
            log: self.log,
            ..ProveArgs::from_arg_matches(&matches)?
        })
    }
}

impl Cli {
    /// The command line; questions about induction are answered as `prove` answers.
    pub fn read() -> Result<Cli, clap::Error> {
        let cli = Cli::try_parse()?;
        let command = match cli.command {
            Command::Induct(args) => Command::Prove(args.question()?),
            command => command,
        };
        Ok(Cli { command, ..cli })
    }
}

/// What is printed.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatChoice {
    /// For people
    Text,
    /// One JSON object
    Json,
    /// For Horn clauses: `sat` with an interpretation, `unsat` with a derivation, or `unknown`
    Chc,
}

/// What to prove, from what, and where the results go: the same for every command that proves.
#[derive(Args, Clone, Debug)]
pub struct ProofArgs {
    /// Read this range type as a set of any size, or this constant as any integer; can be repeated
    #[arg(long = "unbounded", value_name = "TYPE|CONST")]
    pub unbounded: Vec<String>,
    /// Check only this invariant; can be repeated
    #[arg(long = "property", value_name = "NAME")]
    pub properties: Vec<String>,
    /// Read predicates, axioms and hints from this file as well
    #[arg(long, value_name = "FILE")]
    pub predicates: Option<PathBuf>,
    /// How many threads search small instances [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Stop when this much memory is used [default: 80 % of what is available]
    #[arg(long, value_name = "MB", value_parser = parse_megabytes, allow_hyphen_values = true)]
    pub memory: Option<u64>,
    /// Write the proof to a file that `tenet verify` and any SMT solver can check
    #[arg(long, value_name = "OUT")]
    pub certificate: Option<PathBuf>,
    /// Write the run that shows the first violation to a file: `.itf.json`, and for circuits also `.vcd` and `.wit`
    #[arg(long, value_name = "OUT", value_parser = parse_any_trace_file)]
    pub trace: Option<PathBuf>,
}

/// The engine that suits the model.
const AUTO: &str = "auto";

/// The names of the engines, from their own table.
fn engines() -> PossibleValuesParser {
    let auto = "`circuit` for hardware, `recursive` for constraint logic programs, `reach` if there are predicates, `refine` for \
                programs over numbers, `direct` for everything else";
    let known = ENGINES.iter().map(|entry| PossibleValue::new(entry.name).help(entry.about));
    PossibleValuesParser::new([PossibleValue::new(AUTO).help(auto)].into_iter().chain(known))
}

impl ProveArgs {
    /// The engine, if one is named.
    pub fn engine(&self) -> Option<String> {
        (self.engine != AUTO).then(|| self.engine.clone())
    }

    /// The options of the engines; or what is wrong with them.
    pub fn choices(&self) -> Result<Choices, String> {
        let methods = match self.refine.method {
            None => None,
            Some(_) if !matches!(self.engine.as_str(), AUTO | "refine") => {
                return Err("--method is for --engine refine".to_string());
            }
            Some(method) => {
                Some(self.refine.options(method, self.seed).map_err(|error| format!("{error:#}"))?)
            }
        };
        let (hybrid, recursive) = (self.hybrid.options(), self.recursive.options());
        if let (Some(option), false) =
            (self.recursive.given().first(), matches!(self.engine.as_str(), AUTO | "recursive"))
        {
            return Err(format!("{option} is for --engine recursive"));
        }
        Ok(Choices { hybrid, methods, recursive, ..Choices::with_seed(self.seed) })
    }
}

impl ModelArgs {
    /// How the model is read; this is what else is of any size.
    pub fn reading(&self, unbounded: &[String], others: Others) -> Reading {
        let verilog = self.verilog.clone();
        Reading {
            sizes: self.sizes.clone(),
            consts: self.consts.clone(),
            unbounded: unbounded.to_vec(),
            top: verilog.top,
            clock: verilog.clock,
            reset: verilog.reset,
            sources: others.files,
            folders: others.folders,
            defines: others.defines,
        }
    }

    /// The file that stands for the model: the first one, or the first list of files.
    pub fn main(&self) -> &Path {
        let first = self.files.first().or(self.verilog.lists.first());
        first.map_or(Path::new(""), PathBuf::as_path)
    }
}

/// `tenet abstract`
#[derive(Args, Debug)]
#[command(after_long_help = "\
Examples:
  tenet abstract german.tenet
  tenet abstract german.m --predicates german.predicates.tenet --certificate german.cert
  tenet abstract german.tenet --strict -v
  tenet abstract german.tenet --instances forced --property coherence
  tenet abstract german.m --suggest

The predicates are formulas over the state that may leave index variables free; the invariant is the
strongest one that can be said with them, for all values of these variables. `safe` is only printed
after the proof was turned into a certificate and checked again by code that shares nothing with
what found it. If a property is not proved, small instances are searched for a run that breaks it.")]
pub struct AbstractArgs {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,
    /// What to prove, and from what.
    #[command(flatten)]
    pub proof: ProofArgs,
    /// Use the same set for all rules of an iteration: slower, but iterations count as in the literature
    #[arg(long)]
    pub strict: bool,
    /// How images are computed
    #[arg(long, value_enum, value_name = "HOW", default_value = "cubes")]
    pub image: ImageChoice,
    /// Where the terms come from at which the invariant is used
    #[arg(long, value_enum, value_name = "FROM", default_value = "generated")]
    pub instances: InstancesChoice,
    /// Generate deeper terms up to so many times while the proof fails [default: 2]
    #[arg(long, value_name = "N")]
    pub deepen: Option<u8>,
    /// Add predicates that exclude abstract runs, at most so many, until the properties are proved [default: 20]
    #[arg(long, value_name = "ROUNDS", num_args = 0..=1, require_equals = true, default_missing_value = "20")]
    pub suggest: Option<u8>,
    /// Write a page (`.html`) that draws how the set of abstract states grows, with its formula after each iteration
    #[arg(long, value_name = "OUT", value_parser = parse_page_file)]
    pub report: Option<PathBuf>,
    /// Stop after so many seconds
    #[arg(long, value_name = "S", value_parser = parse_seconds, allow_hyphen_values = true)]
    pub timeout: Option<f64>,
    /// How to print.
    #[command(flatten)]
    pub output: OutputArgs,
    /// What is logged.
    #[command(flatten)]
    pub log: SolverLogArgs,
}

/// How images are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ImageChoice {
    /// All solutions of one question, each generalised as far as possible.
    Cubes,
    /// Predicate by predicate, with a question for each branch.
    Recursion,
    /// Without a solver: everything but the predicates is quantified away from decision diagrams.
    Bdd,
}

/// Where substitutions come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InstancesChoice {
    /// From the terms of the model; hints add and remove some.
    Generated,
    /// From `instantiate` hints only.
    Forced,
}

impl AbstractArgs {
    /// What is asked of the engine, for all properties.
    pub fn options(&self) -> Options {
        let default = Options::default();
        let instances = match (self.instances, self.deepen, default.instances) {
            (InstancesChoice::Forced, ..) => Instances::Forced,
            (InstancesChoice::Generated, Some(deepenings), _) => {
                Instances::Generated { deepenings: deepenings.into() }
            }
            (InstancesChoice::Generated, None, default) => default,
        };
        let image = match self.image {
            ImageChoice::Cubes => Image::Cubes,
            ImageChoice::Recursion => Image::Recursion,
            ImageChoice::Bdd => Image::Elimination,
        };
        let suggestions = self.suggest.unwrap_or(0).into();
        Options { strict: self.strict, image, instances, suggestions, ..default }
    }
}

/// `tenet verify`
#[derive(Args, Debug)]
#[command(after_long_help = "\
Examples:
  tenet verify german.cert
  tenet verify german.cert --with cvc5
  tenet verify german.cert --model elsewhere/german.tenet --json

The model is read again, everything that has to be shown is generated from it, and the certificate
must show exactly that. Exit code 6 if it does not.")]
pub struct VerifyArgs {
    /// The certificate
    #[arg(value_name = "CERT")]
    pub certificate: PathBuf,
    /// Who makes the checks: z3 (in process), cvc5, or the path of a program that reads SMT-LIB 2
    #[arg(long = "with", value_name = "z3|cvc5|PATH", default_value = "z3")]
    pub solver: PathBuf,
    /// The model, if it is not where the certificate says
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,
    /// The Yosys that reads Verilog [default: TENET_YOSYS, else yosys on the PATH, else that of `make setup`]
    #[arg(long, value_name = "PATH")]
    pub yosys: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
    /// Print the first line only
    #[arg(short, long, conflicts_with = "json")]
    pub quiet: bool,
    /// What is logged.
    #[command(flatten)]
    pub log: SolverLogArgs,
}

/// `tenet simulate`
#[derive(Args, Debug)]
#[command(after_long_help = "\
Examples:
  tenet simulate german.m --size NODE=2 --steps 50
  tenet simulate german.m --size NODE=2 --seed 7 --json
  tenet simulate german.m --interactive

A random walk is no proof: exit code 0 only says that nothing went wrong on this walk.
The same seed gives the same walk on every machine.

  tenet simulate count.btor2 --witness run.wit

With --witness, the run of a BTOR2 file is that of the witness: exit code 0 if it reaches what it
says, 6 if it does not.")]
pub struct SimulateArgs {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,
    /// How many steps to take after the startstate
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub steps: usize,
    /// Where the random choices start
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Ask before each step which rule to take
    #[arg(long, conflicts_with_all = ["json", "seed", "steps", "quiet"])]
    pub interactive: bool,
    /// Replay this witness of a BTOR2 file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["interactive", "seed", "steps"])]
    pub witness: Option<PathBuf>,
    /// Which states count as deadlocks [default: stuttering; off for Cubicle files and circuits]
    #[arg(long, value_enum, value_name = "KIND")]
    pub deadlock: Option<DeadlockChoice>,
    /// How to print.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `tenet check`
#[derive(Args, Debug)]
#[command(after_long_help = "\
Examples:
  tenet check german.m
  tenet check german.m --size NODE=5 --verbose
  tenet check german.m --system
  tenet check flash.m --unbounded NODE
  tenet check german.m --json | jq '.diagnostics[].message'")]
pub struct CheckArgs {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,
    /// Also read index variables, predicates, axioms, definitions and hints from this file
    #[arg(long, value_name = "FILE")]
    pub predicates: Option<PathBuf>,
    /// Also read the model for every size, as `prove` does, and print the transition system
    #[arg(long, conflicts_with_all = ["json", "quiet"])]
    pub system: bool,
    /// Also read the model for every size, with this range type as a set of any size, or this constant as any
    /// integer; can be repeated
    #[arg(long = "unbounded", value_name = "TYPE|CONST")]
    pub unbounded: Vec<String>,
    /// Print a circuit as BTOR2, and nothing else
    #[arg(long, conflicts_with_all = ["json", "quiet", "verbose", "system"])]
    pub btor2: bool,
    /// How to print.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `tenet branches`
#[derive(Args, Debug)]
#[command(after_long_help = "\
Examples:
  tenet branches fifo.v
  tenet branches fifo.v --json | jq '.branches[].condition'
  tenet branches fifo.v --write fifo_named.v

Every condition of an `if`, every arm of a `case` and every condition of `?:`, in each instance, with its
place, its text, what it means over registers and inputs, and the registers it depends on. --write gives
each condition that can stand outside its block a name: `wire pred1; assign pred1 = (…);`.")]
pub struct BranchesArgs {
    /// The design.
    #[command(flatten)]
    pub model: ModelArgs,
    /// Write the design with a name for each condition to this file
    #[arg(long, value_name = "OUT.v")]
    pub write: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
    /// Do not shorten formulas
    #[arg(short, long)]
    pub verbose: bool,
}

/// `tenet explain`
#[derive(Args, Debug)]
#[command(after_long_help = "\
Examples:
  tenet explain E0101
  tenet explain")]
pub struct ExplainArgs {
    /// Such as E0101, as it stands in brackets behind `error`
    pub code: Option<String>,
}

/// `tenet doctor`
#[derive(Args, Debug)]
#[command(after_long_help = "\
Examples:
  tenet doctor
  tenet doctor --json

Exit code 4 if Z3 is missing. The other programs are optional.")]
pub struct DoctorArgs {
    /// Look at this Yosys, as other commands do that read Verilog [default: TENET_YOSYS, else yosys on the PATH, else that
    /// of `make setup`]
    #[arg(long, value_name = "PATH")]
    pub yosys: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

/// `tenet completions`
#[derive(Args, Debug)]
#[command(after_long_help = "\
Examples:
  tenet completions bash > ~/.local/share/bash-completion/completions/tenet
  tenet completions zsh > ~/.zfunc/_tenet")]
pub struct CompletionsArgs {
    /// Which shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// `tenet man`
#[derive(Args, Debug)]
#[command(after_long_help = "\
Examples:
  tenet man | man -l -
  tenet man explore > tenet-explore.1")]
pub struct ManArgs {
    /// A command, for its own page
    pub command: Option<String>,
}

/// Which states count as deadlocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DeadlockChoice {
    /// None.
    Off,
    /// Those in which no rule is enabled.
    Stuck,
    /// Those from which no rule leads to another state.
    Stuttering,
}

impl From<DeadlockChoice> for Deadlock {
    fn from(choice: DeadlockChoice) -> Deadlock {
        match choice {
            DeadlockChoice::Off => Deadlock::Off,
            DeadlockChoice::Stuck => Deadlock::Stuck,
            DeadlockChoice::Stuttering => Deadlock::Stuttering,
        }
    }
}

fn assignment(text: &str) -> Result<(&str, &str), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| "write NAME=NUMBER".to_string())?;
    let (name, value) = (name.trim(), value.trim());
    if name.is_empty() || value.is_empty() { Err("write NAME=NUMBER".to_string()) } else { Ok((name, value)) }
}

fn parse_size(text: &str) -> Result<(String, u64), String> {
    let (name, value) = assignment(text)?;
    let size = value.parse().map_err(|_| match value.contains([',', '=']) {
        true => "give the option once for each type".to_string(),
        false => format!("`{value}` is not a size"),
    })?;
    Ok((name.to_string(), size))
}

fn parse_const(text: &str) -> Result<(String, BigInt), String> {
    let (name, value) = assignment(text)?;
    // Parsing a number takes quadratic time, and no sensible one has a thousand digits.
    let number = if value.len() > 1000 { None } else { value.parse().ok() };
    Ok((name.to_string(), number.ok_or_else(|| "the value must be a whole number".to_string())?))
}

fn parse_megabytes(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(megabytes) if megabytes > 0 => Ok(megabytes),
        _ => Err("write a whole number of megabytes, such as 4000".to_string()),
    }
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() && seconds >= 0.0 => Ok(seconds),
        _ => Err("write a number of seconds, such as 60 or 0.5".to_string()),
    }
}

fn parse_trace_file(text: &str) -> Result<PathBuf, String> {
    match trace::format(Path::new(text)) {
        Some(Format::Itf) => Ok(PathBuf::from(text)),
        _ => Err("the format is told from the file's name; known is `.itf.json`".to_string()),
    }
}

/// The same where the model may be a circuit.
fn parse_any_trace_file(text: &str) -> Result<PathBuf, String> {
    match trace::format(Path::new(text)) {
        Some(_) => Ok(PathBuf::from(text)),
        None => Err(
            "the format is told from the file's name; known are `.itf.json` and, for circuits, `.vcd` and `.wit`".to_string()
        ),
    }
}

/// The format of a report is told from the file's name.
fn parse_report_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match ending.as_deref() {
        Some("html" | "dot") => Ok(path),
        _ => Err("the format is told from the file's name; known are `.html` and `.dot`".to_string()),
    }
}

/// A report that is a page and nothing else.
fn parse_page_file(text: &str) -> Result<PathBuf, String> {
    let path = parse_report_file(text)?;
    let is_page = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("html"));
    is_page.then_some(path).ok_or_else(|| "an abstraction is shown as a page (`.html`)".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        <Cli as clap::CommandFactory>::command().debug_assert();
    }

    #[test]
    fn assignments() {
        assert_eq!(parse_size("NODE=3"), Ok(("NODE".to_string(), 3)));
        assert_eq!(parse_const(" A = -7 "), Ok(("A".to_string(), BigInt::from(-7))));
        for wrong in ["", "=", "NODE", "NODE=", "=3", "NODE=x", "NODE=-1", "NODE=1.5"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
        assert!(parse_const(&format!("A={}", "9".repeat(2000))).is_err());
    }

    #[test]
    fn limits() {
        assert_eq!(parse_seconds("0.5"), Ok(0.5));
        for wrong in ["-1", "NaN", "inf", "x", "2s"] {
            assert!(parse_seconds(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_megabytes("50"), Ok(50));
        for wrong in ["0", "-1", "2G", "1.5", ""] {
            assert!(parse_megabytes(wrong).is_err(), "{wrong}");
        }
        assert!(parse_trace_file("run.itf.json").is_ok() && parse_trace_file("run.vcd").is_err());
    }
}
