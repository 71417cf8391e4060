//! Tests of the BTOR2 front end.

mod circuits;
mod meaning;
