//! Threads of which nothing is lost.

use std::thread::ScopedJoinHandle;

/// What a thread gives. Its panic goes on here: what is left without it must not be taken for everything.
pub fn join<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use super::join;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn a_panic_of_a_thread_goes_on_where_it_is_joined() {
        let joined = |work: fn() -> u32| std::thread::scope(|scope| join(scope.spawn(work)));
        assert_eq!(joined(|| 7), 7);
        let panic = catch_unwind(AssertUnwindSafe(|| joined(|| panic!("a bug")))).expect_err("it panics");
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"a bug"));
    }
}
