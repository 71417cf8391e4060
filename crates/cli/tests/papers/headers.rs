//! The models do what their headers say. Each header has lines such as
//!
//! ```text
//! --   tenet abstract models/papers/mutex.tenet --strict --instances forced --predicates models/papers/mutex.instances
//! --     safe, 4 predicates, 1 iterations, 7 abstract states
//! --   tenet abstract models/papers/mutex.tenet   safe, 4 predicates
//! ```
//!
//! and these lines are the table of this test: a separate table would diverge in time. What is said to be safe must
//! have a certificate that Z3 accepts, and for some models cvc5 as well. What is not, must not be proved; `unsafe`
//! takes a run, which is checked by the lines about `tenet explore`.

use crate::support::{Paper, paper, root};
use tenet_engine::reach::{Instances, Options};
use tenet_proof::Backend;

/// One line of a header.
struct Promise {
    line: String,
    is_strict: bool,
    is_hinted: bool,
    deepenings: Option<usize>,
    verdict: String,
    predicates: usize,
    limit: Option<(usize, u128)>,
}

fn promises(paper: &Paper) -> Vec<Promise> {
    let start = format!("--   tenet abstract models/papers/{}.tenet ", paper.name);
    // The expectation may be in the next line, further to the right.
    let header = paper.header().replace("\n--     ", "   ");
    let lines = header.lines().filter_map(|line| line.strip_prefix(&start));
    lines.map(|line| promise(line, &paper.name)).collect()
}

fn promise(line: &str, name: &str) -> Promise {
    let (options, expectation) =
        if line.starts_with(' ') { ("", line) } else { line.split_once("   ").expect("an expectation") };
    let mut expected = expectation.trim_start().split(", ");
    let mut promise = Promise {
        line: format!("{name} {line}"),
        is_strict: false,
        is_hinted: false,
        deepenings: None,
        verdict: expected.next().expect("a verdict").to_owned(),
        predicates: count(expected.next(), " predicates").expect("a number of predicates"),
        limit: None,
    };
    let iterations = count(expected.next(), " iterations");
    promise.limit = iterations.zip(count(expected.next(), " abstract states"));
    let mut options = options.split_whitespace();
    while let Some(option) = options.next() {
        match option {
            "--strict" => promise.is_strict = true,
            "--deepen" => promise.deepenings = options.next().and_then(|number| number.parse().ok()),
            "--instances" => assert_eq!(options.next(), Some("forced"), "{line}"),
            "--predicates" => {
                let right = name.trim_end_matches("_broken");
                assert_eq!(options.next(), Some(format!("models/papers/{right}.instances").as_str()));
                promise.is_hinted = true;
            }
            _ => panic!("unknown option {option}"),
        }
    }
    promise
}

/// The number before a word.
fn count<N: std::str::FromStr>(text: Option<&str>, word: &str) -> Option<N> {
    text?.strip_suffix(word)?.parse().ok()
}

impl Promise {
    fn options(&self) -> Options {
        let standard = Options::default();
        let instances = match (self.is_hinted, self.deepenings) {
            (true, _) => Instances::Forced,
            (false, Some(deepenings)) => Instances::Generated { deepenings },
            (false, None) => standard.instances,
        };
        // Without a proof there is no certificate, so the invariant is not needed.
        Options { strict: self.is_strict, instances, simplify: self.verdict == "safe", ..standard }
    }

    /// Runs it; also checks the certificate with the other solver, if there is one.
    fn keep(&self, paper: &Paper, other: Option<&Backend>) {
        let paper = if self.is_hinted { paper.clone().with_instances() } else { paper.clone() };
        let mut run = paper.run(&self.options());
        assert_eq!(run.system.predicates.len(), self.predicates, "{}", self.line);
        if let Some(limit) = self.limit {
            assert_eq!(run.limit(), limit, "{}", self.line);
        }
        if self.verdict != "safe" {
            assert!(!run.is_proved(), "{}", self.line);
            assert!(!run.failure().witness.values.is_empty(), "{}: some state violates it", self.line);
            return;
        }
        let certificate = run.certificate();
        other.iter().for_each(|backend| run.verify(&certificate, backend));
    }
}

/// Checks the whole header.
fn keep(name: &str) {
    let paper = paper(name);
    let promises = promises(&paper);
    assert!(!promises.is_empty(), "{name}: no line about `tenet abstract`");
    promises.iter().for_each(|promise| promise.keep(&paper, None));
}

/// The same, and cvc5 agrees on the plain certificates.
fn keep_with_cvc5(name: &str) {
    let cvc5 = Backend::Process(root().join("tools/cvc5"));
    let paper = paper(name);
    promises(&paper).iter().for_each(|promise| promise.keep(&paper, Some(&cvc5)));
}

/// Checks the lines with hints or those without; the rest is checked in `qi` or takes too long.
fn keep_only(name: &str, is_hinted: bool) {
    let paper = paper(name);
    let promises: Vec<Promise> = promises(&paper).into_iter().filter(|p| p.is_hinted == is_hinted).collect();
    assert!(!promises.is_empty(), "{name}: no such line about `tenet abstract`");
    promises.iter().for_each(|promise| promise.keep(&paper, None));
}

#[test]
fn small_models() {
    for name in
        ["f_shift", "mutex", "frontier", "selection_sort", "gc_axiom1", "gc_axiom2", "gc_axiom4", "gc_axiom5"]
    {
        keep_with_cvc5(name);
    }
}

#[test]
fn german() {
    keep_with_cvc5("german");
}

#[test]
fn german_with_unbounded_channels() {
    keep_only("german_fifo", false);
}

#[test]
fn bakery() {
    keep_only("bakery", false);
}

#[test]
fn bakery_with_non_atomic_accesses() {
    keep_only("bakery_nonatomic", false);
}

#[test]
fn out_of_order() {
    keep("ooo");
}

#[test]
fn out_of_order_with_two_operands() {
    keep_only("ooo_two_operands", true);
}

#[test]
fn ex_a7_flash_is_proved() {
    keep_with_cvc5("flash");
}

#[test]
fn ex_a8_garbage_collector_is_proved() {
    keep_with_cvc5("gc");
}

#[test]
fn small_broken_models() {
    for name in ["f_shift_broken", "mutex_broken", "selection_sort_broken"] {
        keep(name);
    }
}

#[test]
fn qi_a15_german_that_grants_too_early() {
    keep("german_broken");
}

#[test]
fn bakery_that_does_not_wait() {
    keep("bakery_broken");
    keep("bakery_nonatomic_broken");
}

#[test]
fn out_of_order_with_wrong_results() {
    keep("ooo_broken");
}
