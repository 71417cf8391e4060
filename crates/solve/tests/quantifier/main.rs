//! Instantiation of quantifiers: what it produces on small examples, that it is sound, and where it is complete.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod complete;
mod definitions;
mod examples;
mod limits;
mod show;
mod sound;
mod world;
