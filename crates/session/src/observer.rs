//! What is told of long work. Nothing that is found depends on what an observer does.

use std::sync::Arc;
use std::time::Duration;
use tenet_engine::Progress;
use tenet_report::view::Report;
use tenet_system::finite::explore;

/// A listener. Everything may be called from any thread.
pub trait Observer: Send + Sync {
    /// An engine begins with these properties.
    fn begins(&self, _engine: &'static str, _properties: &[String]) {}

    /// Something is violated, and the others are looked at now: this is the answer if nothing more is found.
    fn violated(&self, _so_far: &Report) {}

    /// A moment of a proof, with the bytes that the process has.
    fn proving(&self, _elapsed: Duration, _progress: &Progress, _memory: Option<usize>) {}

    /// A moment of a search through an instance.
    fn searching(&self, _elapsed: Duration, _progress: &explore::Progress) {}

    /// Nothing goes on at the moment.
    fn rests(&self) {}
}

/// Work that is not observed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Unobserved {
    /// In the form in which observers are passed on.
    pub fn shared() -> Arc<dyn Observer> {
        Arc::new(Unobserved)
    }
}

impl Observer for Unobserved {}
