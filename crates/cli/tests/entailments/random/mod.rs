//! Random definite programs against their least models (RA-A7): what is proved is true there, and what is refuted is false.
//!
//! Programs are made with a syntax of their own (`language`), whose least model is computed from that (`least`), and reach the
//! engine as text. So the front end is tested as well, and a failure can be pasted into a file.

mod fuzz;
mod generate;
mod language;
mod least;
