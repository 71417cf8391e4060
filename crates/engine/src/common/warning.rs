//! Reasons why a result says less than it seems to (X-T2).

/// What makes a result say less than it seems to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// No state satisfies the axioms: everything is proved.
    AxiomsUnsatisfiable,
    /// No startstate is possible.
    NoStart,
    /// There is no property but what the language demands.
    NoProperty,
    /// The assumptions about a circuit allow runs of at most this many cycles.
    AssumptionsEnd(usize),
    RuleNeverTaken(usize),
    /// There is no substitution for this rule (QI-T2); the identity is used.
    NoSubstitution(usize),
    /// The budget cut substitutions off for this rule.
    SubstitutionsCut(usize),
    /// How often the solver answered unknown; such answers count as reachable.
    SolverUnknown(u64),
}

impl Warning {
    /// Does it mean that everything, and so nothing, is proved?
    pub fn is_vacuous(&self) -> bool {
        matches!(self, Warning::AxiomsUnsatisfiable | Warning::NoStart | Warning::NoProperty)
    }
}
