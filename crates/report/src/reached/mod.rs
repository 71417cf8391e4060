//! The sets of abstract states that an abstraction goes through (Lahiri and Bryant, rho in section 7), as far as they are short.

pub mod html;

use serde::{Serialize, Serializer};

/// What is reached after each iteration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Reached {
    /// The predicates as they are written, which formulas call `p1`, `p2` and so on.
    pub predicates: Vec<String>,
    /// The initial set, and those after the iterations that added something.
    pub sets: Vec<ReachedSet>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ReachedSet {
    /// The iteration; zero for the initial set.
    pub iteration: usize,
    /// The number of abstract states.
    #[serde(serialize_with = "number")]
    pub states: u128,
    /// The number of cubes of an irredundant cover, unless there is too much to cover.
    pub cubes: Option<usize>,
    /// The set as a formula, if that is short.
    pub formula: Option<String>,
    /// Its valuations of the predicates, if there are few.
    pub valuations: Option<Vec<Vec<bool>>>,
    /// The rules that added something.
    pub rules: Vec<String>,
}

/// Beyond 64 bits most readers of JSON would round silently.
fn number<S: Serializer>(number: &u128, serializer: S) -> Result<S::Ok, S::Error> {
    u64::try_from(*number).ok().serialize(serializer)
}
