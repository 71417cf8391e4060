//! Abstraction refinement for programs: systems whose state is scalars (SPEC 5).

pub mod methods;
