//! Circuits for tests, by hand and at random, and what brute force says of them.

mod design;
mod examples;
mod random;
mod samples;
mod world;

pub(crate) use design::Design;
use design::solvers;
pub(crate) use random::random;
pub(crate) use world::World;
