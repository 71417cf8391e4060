//! What is asked about a model, and how to go about it.

use tenet_engine::Choices;

/// A question. By default all properties are asked about, and the engine that suits the model is chosen.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// The properties by name; all if there is none.
    pub properties: Vec<String>,
    /// The engine by its name in [`ENGINES`](tenet_engine::ENGINES); without one, the engine that suits the model.
    pub engine: Option<String>,
    /// The options of the engines.
    pub choices: Choices,
    /// How many threads search small instances; without a number, one on each core.
    pub threads: Option<usize>,
    /// Whether the first violation is enough.
    pub stops_at_first: bool,
    /// Whether all invariants of the model are lemmas to begin with, as far as they are inductive together: they are checked like any other.
    pub begins_with_invariants: bool,
    /// Whether the answer is wanted in the words of solvers for Horn clauses, too.
    pub wants_chc: bool,
    /// The format of circuits in which the first run is wanted.
    pub witness: Option<WitnessFormat>,
}

/// A format of runs that only circuits have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WitnessFormat {
    /// A value change dump.
    Vcd,
    /// What tools for the language read, for BTOR2 its witnesses.
    Native,
}
