//! Independent tasks on several threads, or on this one if there is little to do: another thread means another context of Z3,
//! which costs more than many proofs.

use std::thread;
use tracing::Span;

/// The number of threads, on any machine. A solver's answers depend on its previous questions, so the assignment of tasks to
/// threads must depend neither on the number of cores nor on timing.
pub(crate) const WORKERS: usize = 4;

/// Does the tasks 0 to `count` - 1 and returns the results in this order. Each worker prepares once, and does every fourth task.
/// `is_worth_it` says whether to use other threads.
pub(crate) fn in_parallel<S, T: Send>(
    count: usize,
    is_worth_it: bool,
    prepare: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> T + Sync,
) -> Vec<T> {
    let workers = if is_worth_it { WORKERS.min(count).max(1) } else { 1 };
    let pieces = |first: usize| {
        let mut state = prepare();
        (first..count).step_by(workers).map(|piece| (piece, work(&mut state, piece))).collect::<Vec<_>>()
    };
    if workers <= 1 {
        return pieces(0).into_iter().map(|(_, result)| result).collect();
    }
    // Log events of the workers belong to the current span.
    let (pieces, span) = (&pieces, &Span::current());
    let mut done: Vec<(usize, T)> = thread::scope(|scope| {
        let start = |first| {
            let work = move || span.in_scope(|| pieces(first));
            (first, thread::Builder::new().spawn_scoped(scope, work).ok())
        };
        let threads: Vec<_> = (0..workers).map(start).collect();
        let join = |(first, thread): (usize, Option<thread::ScopedJoinHandle<'_, _>>)| match thread {
            Some(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            // Where memory is scarce there may be no thread left; its tasks are done on this one.
            None => pieces(first),
        };
        threads.into_iter().flat_map(join).collect()
    });
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
