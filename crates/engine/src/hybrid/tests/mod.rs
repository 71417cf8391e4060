//! Circuits for tests, by hand and at random, and what brute force says of them.

mod design;
mod examples;
mod random;
mod samples;
mod world;

use design::{Design, solvers};
use world::World;
