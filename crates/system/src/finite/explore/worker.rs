//! One thread's part of a search: runs rules on a state and reports successors and findings.

use super::super::compile::{InstanceCode, RuleCode, parameters};
use super::super::layout::UNDEFINED;
use super::super::machine::{Context, Fault, Pc};
use super::super::pack::words_from_bytes;
use super::super::store;
use super::super::trace::{Action, Finding};
use super::{Deadlock, Shared};

/// Something that happened while a state was expanded.
pub(super) enum Event<'w, 'a> {
    /// A successor; its packed bytes and its memory are in the worker.
    Successor { worker: &'w mut Worker<'a>, hash: u64 },
    /// Something is wrong with the state that is being expanded (or with a startstate).
    Finding(Finding),
    /// Nothing: many instances of a rule were not enabled.
    Idle,
}

/// Disabled instances of a rule between two idle events, so that a search can be cancelled in the middle of a state.
pub(super) const MAX_IDLE_INSTANCES: u64 = 1 << 12;

/// What a worker has counted and observed.
pub(super) struct Notes {
    fired: Vec<u64>,
    probes: Vec<bool>,
    covered: Vec<bool>,
    cover_statements: Vec<bool>,
    pending: bool,
}

/// Buffers and counters of one thread.
pub(super) struct Worker<'a> {
    shared: &'a Shared<'a>,
    pub(super) context: Context,
    /// The state that is being expanded, with scratch slots.
    parent: Vec<i64>,
    /// Its successor, with scratch slots.
    pub(super) memory: Vec<i64>,
    parent_words: Vec<u64>,
    words: Vec<u64>,
    bytes: Vec<u8>,
    pub(super) fired: Vec<u64>,
    pub(super) probes: Vec<bool>,
    pub(super) covered: Vec<bool>,
    /// Probes and covers that have not been true yet.
    pending: bool,
}

impl<'a> Worker<'a> {
    pub(super) fn new(shared: &'a Shared<'a>) -> Worker<'a> {
        let program = shared.program;
        Worker {
            shared,
            context: shared.compiled.machine.context(),
            parent: vec![UNDEFINED; shared.compiled.memory],
            memory: vec![UNDEFINED; shared.compiled.memory],
            parent_words: vec![0; shared.packing.words()],
            words: vec![0; shared.packing.words()],
            bytes: vec![0; shared.packing.words() * 8],
            fired: vec![0; program.rules.len()],
            probes: vec![false; program.probes.len()],
            covered: vec![false; program.properties.len()],
            pending: !(program.probes.is_empty() && shared.covers.is_empty()),
        }
    }

    /// What has been counted and observed so far.
    pub(super) fn notes(&self) -> Notes {
        Notes {
            fired: self.fired.clone(),
            probes: self.probes.clone(),
            covered: self.covered.clone(),
            cover_statements: self.context.covered.clone(),
            pending: self.pending,
        }
    }

    /// Forgets what has been counted and observed since.
    pub(super) fn restore(&mut self, notes: Notes) {
        let Notes { fired, probes, covered, cover_statements, pending } = notes;
        (self.fired, self.probes, self.covered, self.pending) = (fired, probes, covered, pending);
        self.context.covered = cover_statements;
    }

    /// The packed successor.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.shared.packing.bytes()]
    }

    /// The successor in `memory` with its multisets in order.
    pub(super) fn state(&self) -> Vec<i64> {
        let mut state = self.memory[..self.shared.program.layout.slots.len()].to_vec();
        self.shared.symmetry.normalise(&mut state);
        state
    }

    /// Makes a stored state the one to expand.
    pub(super) fn load(&mut self, bytes: &[u8]) {
        words_from_bytes(bytes, &mut self.parent_words);
        self.shared.packing.unpack(&self.parent_words, &mut self.parent);
    }

    /// Makes an unpacked state the one to expand.
    pub(super) fn load_state(&mut self, state: &[i64]) {
        self.parent[..state.len()].copy_from_slice(state);
        self.shared.packing.pack(&self.parent, &mut self.parent_words);
    }

    /// Reports this state as if it were a startstate.
    pub(super) fn place<E>(
        &mut self,
        state: &[i64],
        report: &mut impl FnMut(Event<'_, 'a>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.load_state(state);
        self.memory[..state.len()].copy_from_slice(state);
        self.deliver(report)
    }

    pub(super) fn start<E>(
        &mut self,
        report: &mut impl FnMut(Event<'_, 'a>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.each_start(&mut |worker, action, result| match result {
            None => report(Event::Idle),
            Some(Err(fault)) => report(Event::Finding(Finding::StartFault(action, fault))),
            Some(Ok(())) => worker.deliver(report),
        })
    }

    /// Calls back with each startstate in `memory`, not yet renamed or packed; and with nothing, now and then, while none is found.
    pub(super) fn each_start<E>(
        &mut self,
        report: &mut impl FnMut(&mut Worker<'a>, Action, Option<Result<(), Fault>>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.parent.fill(UNDEFINED);
        self.shared.packing.pack(&self.parent, &mut self.parent_words);
        for rule in 0..self.shared.compiled.starts.len() {
            self.each_instance(true, rule, report)?;
        }
        Ok(())
    }

    /// Computes the successors of the loaded state.
    pub(super) fn expand<E>(
        &mut self,
        report: &mut impl FnMut(Event<'_, 'a>) -> Result<(), E>,
    ) -> Result<(), E> {
        let (mut taken, mut moved) = (false, false);
        self.each_successor(&mut |worker, action, result| {
            let Some(result) = result else { return report(Event::Idle) };
            taken = true;
            if let Err(fault) = result {
                moved = true;
                return report(Event::Finding(Finding::StepFault(action, fault)));
            }
            worker.fired[action.rule] += 1;
            moved = moved || worker.has_moved();
            worker.deliver(report)
        })?;
        let dead = match self.shared.options.deadlock {
            Deadlock::Off => false,
            Deadlock::Stuck => !taken,
            Deadlock::Stuttering => !moved,
        };
        if dead { report(Event::Finding(Finding::Deadlock)) } else { Ok(()) }
    }

    /// Whether the successor in `memory` is another state than its parent. The order of elements in a multiset does
    /// not make another one.
    fn has_moved(&mut self) -> bool {
        let length = self.shared.program.layout.slots.len();
        if self.memory[..length] == self.parent[..length] {
            return false;
        }
        if self.shared.program.layout.multisets.is_empty() {
            return true;
        }
        self.shared.symmetry.normalise(&mut self.memory[..length]);
        self.memory[..length] != self.parent[..length]
    }

    /// Calls back with each successor in `memory`, not yet renamed or packed.
    pub(super) fn each_successor<E>(
        &mut self,
        report: &mut impl FnMut(&mut Worker<'a>, Action, Option<Result<(), Fault>>) -> Result<(), E>,
    ) -> Result<(), E> {
        for rule in 0..self.shared.compiled.rules.len() {
            self.each_instance(false, rule, report)?;
        }
        Ok(())
    }

    fn each_instance<E>(
        &mut self,
        start: bool,
        rule: usize,
        report: &mut impl FnMut(&mut Worker<'a>, Action, Option<Result<(), Fault>>) -> Result<(), E>,
    ) -> Result<(), E> {
        let shared = self.shared;
        let compiled = if start { &shared.compiled.starts[rule] } else { &shared.compiled.rules[rule] };
        match &compiled.code {
            RuleCode::Specialised(entries) => {
                for entry in entries {
                    if self.dismissed(entry) {
                        continue;
                    }
                    if let Some(result) = self.fire(entry.guard, entry.body) {
                        report(self, Action { rule, instance: entry.instance }, Some(result))?;
                    }
                }
            }
            &RuleCode::Generic(guard, body) => {
                let rules = if start { &shared.program.starts } else { &shared.program.rules };
                for instance in 0..compiled.instances {
                    let values = parameters(&rules[rule].params, instance);
                    self.context.regs[..values.len()].copy_from_slice(&values);
                    let result = self.fire(guard, body);
                    if result.is_some() || instance % MAX_IDLE_INSTANCES == 0 {
                        report(self, Action { rule, instance }, result)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether the first test of a guard already fails. An undefined slot does not count: that is a fault to report.
    #[inline]
    fn dismissed(&self, entry: &InstanceCode) -> bool {
        let content = self.parent.get(entry.slot as usize);
        content.is_some_and(|&content| content != entry.value && content != UNDEFINED)
    }

    /// Takes one rule instance; `None` if it is not enabled.
    #[inline]
    fn fire(&mut self, guard: Pc, body: Pc) -> Option<Result<(), Fault>> {
        let machine = &self.shared.compiled.machine;
        match machine.run(guard, &mut self.parent, &mut self.context) {
            Ok(false) => return None,
            Err(fault) => return Some(Err(fault)),
            Ok(true) => {}
        }
        let length = self.shared.program.layout.slots.len();
        self.memory[..length].copy_from_slice(&self.parent[..length]);
        match machine.run(body, &mut self.memory, &mut self.context) {
            Ok(true) => Some(Ok(())),
            Ok(false) => None,
            Err(fault) => Some(Err(fault)),
        }
    }

    /// Reports the successor in `memory`, unless an assumption excludes it.
    fn deliver<E>(&mut self, report: &mut impl FnMut(Event<'_, 'a>) -> Result<(), E>) -> Result<(), E> {
        let hash = self.pack();
        if !self.assumptions_hold() {
            return Ok(());
        }
        report(Event::Successor { worker: self, hash })
    }

    /// Renames and packs the successor in `memory`; returns the hash.
    pub(super) fn pack(&mut self) -> u64 {
        self.shared.symmetry.canonicalise(&mut self.memory);
        self.shared.packing.repack(&self.parent, &self.parent_words, &self.memory, &mut self.words);
        for (chunk, word) in self.bytes.chunks_exact_mut(8).zip(&self.words) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        store::hash(&self.words)
    }

    /// A fault in an assumption counts as true here: the state is kept, and then the fault is reported.
    fn assumptions_hold(&mut self) -> bool {
        let shared = self.shared;
        shared.assumptions.iter().all(|&index| self.holds(shared.compiled.properties[index]).unwrap_or(true))
    }

    fn holds(&mut self, entry: Pc) -> Result<bool, Fault> {
        self.shared.compiled.machine.run(entry, &mut self.memory, &mut self.context)
    }

    /// Reports all that is wrong with the state in `memory`; also notes probes and covers.
    pub(super) fn judge_state<E>(
        &mut self,
        report: &mut impl FnMut(Finding) -> Result<(), E>,
    ) -> Result<(), E> {
        self.observe();
        let shared = self.shared;
        let judged = shared.assumptions.iter().chain(&shared.invariants).chain(&shared.covers);
        judged.filter_map(|&index| self.judge(index)).try_for_each(report)
    }

    /// What is wrong with one property in `memory`. Whatever its kind, it must not fail.
    pub(super) fn judge(&mut self, property: usize) -> Option<Finding> {
        match self.holds(self.shared.compiled.properties[property]) {
            Ok(false) if self.shared.program.is_invariant(property) => Some(Finding::Property(property)),
            Ok(_) => None,
            Err(fault) => Some(Finding::PropertyFault(property, fault)),
        }
    }

    /// Notes which probes and covers are true in `memory`, as long as some have not been.
    pub(super) fn observe(&mut self) {
        if !self.pending {
            return;
        }
        let shared = self.shared;
        for (index, &entry) in shared.compiled.probes.iter().enumerate() {
            if !self.probes[index] {
                self.probes[index] = self.holds(entry).unwrap_or(false);
            }
        }
        for &index in &shared.covers {
            if !self.covered[index] {
                self.covered[index] = self.holds(shared.compiled.properties[index]).unwrap_or(false);
            }
        }
        let covered = shared.covers.iter().all(|&index| self.covered[index]);
        self.pending = !(covered && self.probes.iter().all(|&seen| seen));
    }
}
