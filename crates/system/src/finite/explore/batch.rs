//! Successors of many states at once, on several threads.
//!
//! Each thread takes chunks of a batch and keeps the successors that are not stored yet; then one thread stores them
//! in order. Threads only read the store while they work, so no locking is needed.

use super::pace::Pace;
use super::worker::{Event, Worker};
use super::{Halt, Search};
use crate::finite::store::{StateNo, Store};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Smallest level that is worth several threads.
pub(super) const MIN_PARALLEL_STATES: usize = 512;
const MAX_CHUNK_STATES: usize = 256;
/// States per batch and thread: what is computed ahead may have to be done again.
const MAX_BATCH_STATES: usize = 8192;
/// Chunks per thread in a batch that is too small for full ones, so that no thread waits long for another.
const CHUNKS_PER_THREAD: usize = 8;

/// The new successors of one chunk, in order.
struct Chunk {
    number: usize,
    /// Packed states, one after the other.
    bytes: Vec<u8>,
    /// Hash and parent of each.
    candidates: Vec<(u64, StateNo)>,
}

/// That a batch must be done again sequentially.
struct Interesting;

impl Search<'_> {
    /// Expands a batch of states of the current level.
    pub(super) fn advance_parallel(&mut self) -> Result<(), Halt> {
        let threads = self.workers.len();
        let paced = self.pace.as_ref().map_or(usize::MAX, Pace::states);
        let states = paced.clamp(threads, MAX_BATCH_STATES * threads);
        let end = self.level_end.min(self.next + states);
        let before: Vec<_> = self.workers.iter().map(|worker| worker.notes()).collect();
        let chunks = self.compute(self.next, end).ok().filter(|chunks| self.has_room_for(chunks));
        let Some(chunks) = chunks else {
            for (worker, notes) in self.workers.iter_mut().zip(before) {
                worker.restore(notes);
            }
            return self.advance_sequential(end);
        };
        let size = self.shared.packing.bytes();
        for chunk in chunks {
            for (state, (hash, parent)) in chunk.bytes.chunks_exact(size).zip(chunk.candidates) {
                self.store.insert(state, hash, parent)?;
            }
        }
        self.next = end;
        Ok(())
    }

    /// Whether storing cannot fail halfway, which would leave counters of steps that a single thread does not take.
    fn has_room_for(&self, chunks: &[Chunk]) -> bool {
        self.store.has_room_for(chunks.iter().map(|chunk| chunk.candidates.len()).sum())
    }

    fn compute(&mut self, from: usize, end: usize) -> Result<Vec<Chunk>, Interesting> {
        let size = ((end - from) / (CHUNKS_PER_THREAD * self.workers.len())).clamp(1, MAX_CHUNK_STATES);
        let queue = Queue { from, end, size, next: AtomicUsize::new(0), failed: AtomicBool::new(false) };
        let (queue, store) = (&queue, &self.store);
        let mut chunks: Vec<Chunk> = std::thread::scope(|scope| {
            let threads: Vec<_> = self
                .workers
                .iter_mut()
                .map(|worker| {
                    let work = move || run(worker, store, queue);
                    std::thread::Builder::new().spawn_scoped(scope, work).inspect_err(|_| {
                        // Where memory is scarce there may be no thread left; one thread can always go on.
                        queue.failed.store(true, Ordering::Relaxed);
                    })
                })
                .collect();
            let results = threads.into_iter().flatten().map(|thread| thread.join());
            results
                .flat_map(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        if queue.failed.load(Ordering::Relaxed) {
            return Err(Interesting);
        }
        chunks.sort_by_key(|chunk| chunk.number);
        Ok(chunks)
    }
}

/// The chunks of a batch, shared by all threads.
struct Queue {
    from: usize,
    end: usize,
    size: usize,
    next: AtomicUsize,
    failed: AtomicBool,
}

/// One thread: takes chunks until there are none left.
fn run(worker: &mut Worker, store: &Store, queue: &Queue) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    while !queue.failed.load(Ordering::Relaxed) {
        let number = queue.next.fetch_add(1, Ordering::Relaxed);
        let first = queue.from + number * queue.size;
        if first >= queue.end {
            break;
        }
        match chunk(worker, store, number, first..queue.end.min(first + queue.size)) {
            Ok(chunk) => chunks.push(chunk),
            Err(Interesting) => queue.failed.store(true, Ordering::Relaxed),
        }
    }
    chunks
}

fn chunk(
    worker: &mut Worker,
    store: &Store,
    number: usize,
    states: std::ops::Range<usize>,
) -> Result<Chunk, Interesting> {
    let mut chunk = Chunk { number, bytes: Vec::new(), candidates: Vec::new() };
    for state in states {
        let parent = state as StateNo;
        worker.load(store.get(parent));
        worker.expand(&mut |event| match event {
            Event::Idle => Ok(()),
            Event::Finding(_) => Err(Interesting),
            Event::Successor { worker, hash } => {
                if store.find(worker.bytes(), hash).is_some() {
                    return Ok(());
                }
                worker.judge_state(&mut |_| Err(Interesting))?;
                chunk.bytes.extend_from_slice(worker.bytes());
                chunk.candidates.push((hash, parent));
                Ok(())
            }
        })?;
    }
    Ok(chunk)
}
