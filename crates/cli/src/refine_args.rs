//! The options of the published refinement methods, and what they ask of the engine.

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use std::path::Path;
use tenet_engine::refine::methods::{Alpha, Direction, Method, Options, OracleChoice, PostForm, Pruning};

/// The options.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Published refinement methods (for --engine refine)")]
pub struct RefineArgs {
    /// Which of the three methods
    #[arg(long, value_enum, value_name = "METHOD")]
    pub method: Option<MethodChoice>,
    /// From where to where [default: backward; forward for method III]
    #[arg(long, value_enum, value_name = "DIRECTION", requires = "method")]
    pub direction: Option<DirectionChoice>,
    /// Which disjuncts `pre` leaves out
    #[arg(long, value_enum, value_name = "HOW", default_value = "pruned")]
    pub pre: PreChoice,
    /// How `post` writes its result
    #[arg(long, value_enum, value_name = "FORM", default_value = "solved")]
    pub post: PostChoice,
    /// How abstractions are computed
    #[arg(long, value_enum, value_name = "HOW", default_value = "complete")]
    pub alpha: AlphaChoice,
    /// Write equations between numbers as two inequalities
    #[arg(long)]
    pub split_equalities: bool,
    /// Who says what method II drops: `drop:VAR`, `random`, `exhaustive`, or a file of numbers, one for each iteration
    #[arg(long, value_name = "ORACLE", requires = "method")]
    pub oracle: Option<String>,
    /// Give up after so many iterations
    #[arg(long, value_name = "N", default_value = "20")]
    pub iterations: usize,
}

/// One of the three methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MethodChoice {
    /// Abstract fixpoints, refined in the same direction
    #[value(name = "I")]
    One,
    /// Widening that an oracle guides
    #[value(name = "II")]
    Two,
    /// Abstract forward fixpoints, refined backward
    #[value(name = "III")]
    Three,
}

/// From where to where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DirectionChoice {
    /// From the initial states
    Forward,
    /// From the unsafe states
    Backward,
}

/// Which disjuncts of `pre` are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PreChoice {
    /// None
    Literal,
    /// Those that contradict themselves about locations
    Pruned,
    /// All that contradict themselves, which makes the method incomplete
    Satisfiable,
}

/// How `post` writes its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PostChoice {
    /// Equations are solved and put into all other atoms
    Solved,
    /// Assignments are inverted, so shifted guards stay
    Inverse,
}

/// How abstractions are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AlphaChoice {
    /// The least one, with the solver
    Complete,
    /// What is left when atoms that are no predicates are dropped
    Syntactic,
}

impl RefineArgs {
    /// What is asked of the engine.
    pub fn options(&self, method: MethodChoice, seed: u64) -> anyhow::Result<Options> {
        let direction = match self.direction {
            Some(DirectionChoice::Forward) => Direction::Forward,
            _ => Direction::Backward,
        };
        if self.oracle.is_some() && method != MethodChoice::Two {
            bail!("--oracle is for --method II only");
        }
        let method = match method {
            MethodChoice::One => Method::One(direction),
            MethodChoice::Two => Method::Two(direction, self.oracle_choice(seed)?),
            MethodChoice::Three if self.direction == Some(DirectionChoice::Backward) => {
                bail!("--method III is forward only")
            }
            MethodChoice::Three => Method::Three,
        };
        Ok(Options {
            method,
            pre: match self.pre {
                PreChoice::Literal => Pruning::Literal,
                PreChoice::Pruned => Pruning::Control,
                PreChoice::Satisfiable => Pruning::Unsatisfiable,
            },
            post: match self.post {
                PostChoice::Solved => PostForm::Solved,
                PostChoice::Inverse => PostForm::Inverse,
            },
            alpha: match self.alpha {
                AlphaChoice::Complete => Alpha::Complete,
                AlphaChoice::Syntactic => Alpha::Syntactic,
            },
            split_equalities: self.split_equalities,
            iterations: self.iterations,
        })
    }

    fn oracle_choice(&self, seed: u64) -> anyhow::Result<OracleChoice> {
        Ok(match self.oracle.as_deref() {
            None => bail!("--method II needs an --oracle"),
            Some("random") => OracleChoice::Random(seed),
            Some("exhaustive") => OracleChoice::Exhaustive,
            Some(text) => match text.strip_prefix("drop:") {
                Some(variable) => OracleChoice::Drop(variable.to_string()),
                None => OracleChoice::List(numbers(Path::new(text))?),
            },
        })
    }
}

/// The numbers in a file; what follows a `#` is a remark.
fn numbers(file: &Path) -> anyhow::Result<Vec<num_bigint::BigUint>> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("cannot read the oracle's answers from {}", file.display()))?;
    let words = text.lines().flat_map(|line| line.split('#').next().unwrap_or("").split_whitespace());
    let number = |word: &str| {
        word.parse().map_err(|_| anyhow!("{}: `{word}` is not a natural number", file.display()))
    };
    words.map(number).collect()
}
