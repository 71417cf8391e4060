//! Two readings of one file must not contradict each other.
//!
//! The certificate of a proof is checked against the same reading for every size that the engine has seen, so a mistake of that
//! reading would go by unseen. The finite reading of a file shares nothing with it. So before anything is called safe, small
//! instances are explored, as far as a fixed number of states goes; what was proved must not be false in one of them.

use crate::instances::{self, Extent, Found, Instances, search_instances};
use crate::job::Job;
use tenet_report::codes;

/// What small instances say about a proof.
pub(crate) enum Opinion {
    /// Nothing against it.
    Agrees,
    /// No instance that was looked at has a startstate; this is the largest, in words.
    Empty(String),
    /// Something is wrong that the proof says nothing about.
    Run(Box<Found>),
    /// What is said to be proved is false there; this is the sentence that says so.
    Contradicts(String),
}

/// Asks the finite reading; `proved` are the names of the properties, `is_all` says that there are no others, and `first` is what
/// small instances said before the proof, if they were asked.
pub(crate) fn opinion(job: &Job<'_>, proved: &[String], is_all: bool, first: Option<Instances>) -> Opinion {
    // A run of an instance need not be one of a model whose ranges have no end.
    if job.is_larger || !job.model().has_instances() {
        return Opinion::Agrees;
    }
    let found = match first.unwrap_or_else(|| search_instances(job, 1, instances::LARGEST, Extent::Minimal)) {
        Instances::Found(found) => found,
        Instances::Open { empty: Some(instance), .. } => return Opinion::Empty(instances::sizes(&instance)),
        Instances::Open { empty: None, .. } => return Opinion::Agrees,
    };
    let is_claimed = match found.property() {
        Some(property) => proved.iter().any(|name| name == property),
        None => is_all && found.is_run(),
    };
    if !is_claimed {
        return Opinion::Run(found);
    }
    Opinion::Contradicts(format!(
        "error[{}]: two readings of the model contradict each other: {} proved for every size, and its certificate was \
         accepted, but the finite reading says: {}",
        codes::CONTRADICTION.code,
        match proved {
            [only] => format!("\"{only}\" is"),
            several => format!("\"{}\" are", several.join("\", \"")),
        },
        found.headline()
    ))
}
