//! Independent pieces of work on all cores, or on this one if there is little to do: another thread means another context
//! of Z3, which costs more than many a proof.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Does the pieces 0 to `count` - 1, begun in this order, and gives the results in this order. Whoever works prepares
/// once. `is_worth_it` says whether to use other threads.
pub(crate) fn in_parallel<S, T: Send>(
    count: usize,
    is_worth_it: bool,
    prepare: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> T + Sync,
) -> Vec<T> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(count));
    let worker = || {
        let mut state = prepare();
        loop {
            let piece = next.fetch_add(1, Ordering::Relaxed);
            if piece >= count {
                return;
            }
            let result = work(&mut state, piece);
            done.lock().expect("invariant: nobody panics with the lock").push((piece, result));
        }
    };
    if !is_worth_it {
        let mut state = prepare();
        return (0..count).map(|piece| work(&mut state, piece)).collect();
    }
    thread::scope(|scope| (0..cores.min(count)).for_each(|_| drop(scope.spawn(worker))));
    let mut done = done.into_inner().expect("invariant: nobody panics with the lock");
    done.sort_by_key(|(piece, _)| *piece);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::in_parallel;

    #[test]
    fn results_are_in_order() {
        let results = in_parallel(100, true, || 0, |done, piece| (piece * piece, *done += 1));
        assert_eq!(results, (0..100).map(|piece| (piece * piece, ())).collect::<Vec<_>>());
        let alone = in_parallel(100, false, || 0, |done, piece| (piece * piece, *done += 1));
        assert_eq!(alone, results);
        assert_eq!(in_parallel(0, true, || (), |(), piece| piece), [0usize; 0]);
    }
}
