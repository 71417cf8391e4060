//! Advice: how an engine's proof of an invariant goes. Makers of certificates take it as a help.

use tenet_term::Substitution;

/// At which values an invariant was used. Only a help: without it, instances are searched for.
#[derive(Clone, Debug, Default)]
pub struct Advice {
    /// For each rule, substitutions for the index variables at which the invariant was used.
    pub rules: Vec<Vec<Substitution>>,
    /// For each rule, which lemmas (by position) were used at which values of their variables, if that is known: then
    /// all that a step has to keep is shown in one check.
    pub uses: Option<Vec<Vec<(usize, Substitution)>>>,
}
