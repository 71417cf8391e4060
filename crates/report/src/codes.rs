//! Codes of everything that is reported but is no diagnostic of a front end, with their explanations.
//!
//! `V01` what can be wrong with a model's behaviour, `U01` why an answer is unknown, `W01` remarks on what was checked,
//! `E06` files and options that cannot be used.

use tenet_lang::codes::files::UNKNOWN_EXTENSION;
use tenet_lang::diagnostic::Explanation;
use tenet_system::finite::program::FaultKind;

/// Every explanation of this crate, family by family.
pub fn all() -> impl Iterator<Item = &'static Explanation> {
    ALL.iter().copied()
}

/// The explanation of a fault that is an error of the model, or of the limit it stands for.
pub fn fault(kind: FaultKind) -> &'static Explanation {
    match kind {
        FaultKind::Assertion => &ASSERTION,
        FaultKind::Error => &ERROR,
        FaultKind::Undefined => &UNDEFINED,
        FaultKind::Range => &RANGE,
        FaultKind::Index => &INDEX,
        FaultKind::DivisionByZero => &DIVISION,
        FaultKind::MultisetFull => &MULTISET_FULL,
        FaultKind::MissingReturn => &MISSING_RETURN,
        FaultKind::Overflow => &OVERFLOW,
        FaultKind::Endless => &ENDLESS,
    }
}

const ALL: &[&Explanation] = &[
    &UNREADABLE,
    &UNKNOWN_EXTENSION,
    &UNKNOWN_PROPERTY,
    &NO_PREDICATES,
    &REJECTED,
    &NOT_A_PROGRAM,
    &NO_REPORT,
    &NOT_RECURSIVE,
    &CONTRADICTION,
    &NO_SUCH_ENGINE,
    &MEMORY,
    &TIME,
    &DEPTH,
    &TOO_MANY_STATES,
    &INTERRUPTED,
    &OVERFLOW,
    &ENDLESS,
    &STOPPED_AT_FIRST,
    &NO_LEMMAS,
    &PREDICATES,
    &INSTANCES,
    &UNCLEAR,
    &LIMIT,
    &NO_CERTIFICATE,
    &VACUOUS,
    &NOT_REFINED,
    &NOT_DERIVED,
    &TREE_OPEN,
    &NOT_SHOWN,
    &NO_PROPERTY,
    &READS_OPEN,
    &NOT_INDUCTIVE,
    &ONLY_INSTANCES,
    &INVARIANT,
    &ASSERTION,
    &ERROR,
    &DEADLOCK,
    &UNDEFINED,
    &RANGE,
    &INDEX,
    &DIVISION,
    &MULTISET_FULL,
    &MISSING_RETURN,
    &ENTAILMENT,
    &NOTHING_REACHABLE,
    &NO_INVARIANTS,
    &NEVER_FIRED,
    &NEVER_TRUE,
    &NOT_COVERED,
    &AXIOMS_CONTRADICT,
    &NO_SUBSTITUTION,
    &SUBSTITUTIONS_CUT,
    &SOLVER_UNKNOWN,
    &ASSUMPTIONS_END,
    &NEVER_REACHED,
    &NOTHING_CHANGES,
    &EMPTY_RELATION,
    &NOTHING_STARTS,
];

/// A file that cannot be read.
pub static UNREADABLE: Explanation = Explanation {
    code: "E0601",
    title: "the file cannot be read",
    text: "\
The file does not exist, is a folder, may not be read by you, or the disk failed; the message says which. File names are
taken relative to the folder in which the command is started.",
};

/// An engine that is not in the table.
pub static NO_SUCH_ENGINE: Explanation = Explanation {
    code: "E0618",
    title: "there is no engine of this name",
    text: "\
The help line lists the engines. Without a name the one that suits the model is chosen, which is right in most cases.",
};

/// `--property` names none.
pub static UNKNOWN_PROPERTY: Explanation = Explanation {
    code: "E0603",
    title: "`--property` names a property that the model does not have",
    text: "\
`--property NAME` restricts the search to some of the model's invariants; it can be repeated. The name is the string after
the keyword: `invariant \"Mutex\" …` is called Mutex. Invariants without a string are called `Invariant 1` and so on, in
the order of the file. `tenet check FILE -v` lists them.",
};

/// Nothing to abstract with.
pub static NO_PREDICATES: Explanation = Explanation {
    code: "E0604",
    title: "there are no predicates",
    text: "\
`tenet abstract` computes the strongest invariant that can be said with given predicates, and neither the model nor a
`--predicates` file gives any. A predicate is a formula over the state; the index variables it leaves free are universally
quantified in the invariant:

    index i, j : NODE;
    predicate cache[i] = Exclusive;
    predicate \"sharer\" sharers[i];
    predicate i = j;

Start with the atoms of the property and of the guards, then look at what a failed proof shows. A plain `.m` file cannot hold
predicates: write them into a file of their own and name it with `--predicates`.",
};

/// A certificate that is not accepted.
pub static REJECTED: Explanation = Explanation {
    code: "E0605",
    title: "the certificate is rejected",
    text: "\
`tenet verify` reads the model again, generates everything that has to be shown, and demands that the certificate shows exactly
that. It does not. The reason says what is missing or different: the model was changed since, a check was dropped or edited,
a lemma is another one, an instance is none, or the solver does not answer `unsat`. Whatever the certificate claims, it does
not prove it. Make a new one with `tenet abstract FILE --certificate OUT`.

If this is about a certificate that tenet has just made itself, it is a bug in tenet, and there is no verdict.",
};

/// Two readings disagree.
pub static CONTRADICTION: Explanation = Explanation {
    code: "E0617",
    title: "two readings of the model contradict each other",
    text: "\
A model is read in two ways that share nothing behind the checker: for every size, for proofs, and as finite instances, for searches. After a
proof, small instances are explored, and here one of them violates what was proved. One of the two readings is wrong, which is a bug in tenet,
so there is no verdict. `tenet explore` with the sizes and constants that the message names shows the run.",
};

/// The refinement methods do not know something in the model.
pub static NOT_A_PROGRAM: Explanation = Explanation {
    code: "E0606",
    title: "the model is not a program for the refinement methods",
    text: "\
`--engine refine --method I`, `II` and `III` are the published methods for programs: the state is truth values, numbers,
enumerations and bit-vectors, guards and properties have no quantifiers, there are no axioms, and what a step or a startstate
chooses freely, and going forward the old value of what a step changes, can be eliminated exactly: products of variables and
operations on bit-vectors may prevent that. The message names what is different. Nothing is approximated, so such a model needs
another engine.",
};

/// No report of this kind.
pub static NO_REPORT: Explanation = Explanation {
    code: "E0607",
    title: "there is nothing to show in a report",
    text: "\
`--report OUT.html` and `--report OUT.dot` show derivations and computation trees, which proofs about constraint logic programs
(`.clp`) have, and with `--engine hybrid` clusters of predicates and spurious counterexamples. `tenet abstract --report OUT.html` draws
how an abstraction grows. For other models `-v` and `--json` tell what was found, and `--trace` writes runs. A `.dot` file shows a tree alone, so the
program needs a transition system (`start`) for it.",
};

/// The engine for recursive definitions, and something else.
pub static NOT_RECURSIVE: Explanation = Explanation {
    code: "E0608",
    title: "the model is no constraint logic program",
    text: "\
`--engine recursive` derives entailments between recursive definitions and closes computation trees of processes that are described
with them. Only constraint logic programs (`.clp`) have these. Leave `--engine` out, and the engine that fits the model is taken.",
};

/// The memory limit.
pub static MEMORY: Explanation = Explanation {
    code: "U0101",
    title: "the memory limit was reached",
    text: "\
The search keeps every state it has seen, and the stored states reached the limit: `--memory MB`, or 80 % of the memory that
was available at the start. Nothing wrong was found among the states seen so far, but others were never looked at, so the
answer is unknown.

Raise `--memory`, or make the instance smaller with `--size` and `--const`. Declaring identical processes as a scalarset
instead of a range lets the search treat states that differ only by renaming as one.",
};

/// The time limit.
pub static TIME: Explanation = Explanation {
    code: "U0102",
    title: "the time limit was reached",
    text: "\
`--timeout S` stopped the search after S seconds. Nothing wrong was found among the states seen so far, but others were
never looked at. Raise the limit, use more threads, or make the instance smaller with `--size` and `--const`.",
};

/// The depth limit.
pub static DEPTH: Explanation = Explanation {
    code: "U0103",
    title: "the depth limit was reached",
    text: "\
`--depth N` stopped the search after N steps from the startstates. No run of at most N steps goes wrong, but longer ones
were never looked at.",
};

/// State numbers ran out.
pub static TOO_MANY_STATES: Explanation = Explanation {
    code: "U0104",
    title: "there are more states than can be numbered",
    text: "\
The search numbers states with 32 bits, which is enough for about four thousand million of them. Make the instance smaller
with `--size` and `--const`.",
};

/// Ctrl-C.
pub static INTERRUPTED: Explanation = Explanation {
    code: "U0105",
    title: "the search was interrupted",
    text: "\
The command was interrupted from the keyboard or by a signal. What is printed is what was known at that moment; the exit
code is 130.",
};

/// A number left 64 bits.
pub static OVERFLOW: Explanation = Explanation {
    code: "U0106",
    title: "a number left the 64-bit range",
    text: "\
A finite instance computes with 64-bit numbers. Murphi's integers have no bound, so a result outside that range is no error
of the model; but the search cannot follow it, and it never goes on with a wrong number. Bound the variable with a range
type: leaving the range is then reported as an error of the model, at the first step that does it.",
};

/// A loop or recursion without end.
pub static ENDLESS: Explanation = Explanation {
    code: "U0107",
    title: "a loop or recursion went on for too long",
    text: "\
A `while` loop ran for very many rounds, or a function called itself to a great depth. It may never end, or it may end later:
the search cannot tell and gives up on the step. Give the loop a bound that is obvious.",
};

/// Another property was violated first.
pub static STOPPED_AT_FIRST: Explanation = Explanation {
    code: "U0108",
    title: "the search stopped at the first violation",
    text: "\
The search ends as soon as something is wrong, so what else may be wrong is not known. `tenet explore
--keep-going` searches all reachable states of an instance and reports the shortest run for each property that is violated; with
`--property NAME` both `explore` and `prove` look at some properties only.",
};

/// Reads of undefined values.
pub static READS_OPEN: Explanation = Explanation {
    code: "U0130",
    title: "it is not known whether an undefined value is read",
    text: "\
Reading a variable that has no value is a fault of the model, and in the proof of everything else such a variable has any value. So that no
undefined value is read is a property of its own: for each variable that can be without a value Tenet follows where it has one, and proves
for each read that it does. Here the other properties are proved, but this one is neither proved nor refuted.

Give the variable a value in the startstate, or where it is undefined, if any value would do. Or write down why it has one, as an invariant
about the variables that say so, such as the kind of a message that is there: lemmas that are needed for one proof are found
for the other as well.",
};

/// No reading for every size.
pub static ONLY_INSTANCES: Explanation = Explanation {
    code: "U0132",
    title: "only instances of the model could be searched",
    text: "\
The model uses something that has no reading for every size, which the warnings show, each with what to write instead. Its instances can
be searched all the same: first the model as it is written, then other small sizes. A violation that is found there is one. That
nothing was found proves nothing about other sizes; if the model as it is written was searched completely, `tenet explore` calls that
instance safe.",
};

/// Invariants that are not inductive.
pub static NOT_INDUCTIVE: Explanation = Explanation {
    code: "U0131",
    title: "an invariant is not inductive as it stands",
    text: "\
An invariant is inductive together with others if it holds in every startstate and every rule keeps it: if all of them hold before a step, it
holds after it. `tenet induct` asks for each invariant whether that is so, and looks for no lemmas. What is shown is a counterexample to
induction: a state in which all invariants hold, and a step from it to a state in which this one does not. That is no violation, because
the state before the step need not be reachable.

If it is not reachable, write down why, as another invariant that is false in it; a candidate is proposed where explored instances suggest
one. `tenet prove` looks for such invariants by itself. If it is reachable, the invariant is false, and `tenet explore` finds a run.

Where no counterexample is shown, none was found in small instances, and the solver could not show that there is none in larger ones.",
};

/// No lemmas.
pub static NO_LEMMAS: Explanation = Explanation {
    code: "U0109",
    title: "the search for lemmas ended without a proof",
    text: "\
The model was read for every size without errors, and no small instance that was searched violates the property. But the lemmas that
`tenet prove` can find do not make a proof: they are clauses about a few elements at a time, made of what guards, updates and
properties compare; that there is somebody is among them where a guard looks at all elements. A property that needs counting, or sums
that the model never computes, is out of their reach; so is, at times, a false property whose shortest run needs many elements.

Tell what you know. Write it as another invariant: all invariants are proved together, so each may rest on the others, and they
may say what lemmas cannot, `exists` for example. Where the variables of the model cannot say it, add one that records what is
missing and changes nothing else. Or give predicates (`tenet explain E0604` shows some), from which `tenet abstract` computes the
strongest invariant. A larger `--timeout` or another `--seed` may help where the time was over or every attempt grew too large. `tenet
explore FILE --size T=n` searches larger instances, in case the property is false.

Constants without a value may have any: if a startstate violates the property for some of them, restrict them.",
};

/// The predicates are too weak.
pub static PREDICATES: Explanation = Explanation {
    code: "U0110",
    title: "the predicates do not suffice for a proof",
    text: "\
The strongest invariant that can be said with these predicates does not imply the property, whatever it is instantiated with:
already a small instance shows that, or, where there is none, every step of the abstraction was found without any
instantiation. The property may hold all the same; no run that breaks it was found.

What is printed is an abstract state (which predicates hold, which do not) that the property forbids, the iteration and the rule
that brought it in, and a state before and after that step. Is that step possible? If not, the state before it differs from
every reachable one in something that no predicate says: add a predicate for it. A good source is the guard of the rule, and
what the rule reads.",
};

/// The substitutions are too few.
pub static INSTANCES: Explanation = Explanation {
    code: "U0111",
    title: "the substitutions do not suffice for a proof",
    text: "\
To compute with an invariant that quantifies over indices, it is used at finitely many terms: the substitutions. The predicates
suffice for small instances, where every index can be tried, or for the whole system with an invariant that is used everywhere, so
more substitutions may help.

`--deepen N` generates more of them, from the terms that earlier ones produce. A hint in the model forces some that you know
to be needed: `instantiate i with q[hd];` makes `q[hd]` a candidate for `i`, `instantiate (i, j) with (c, pos[c]);` adds one whole
substitution. `-v` lists what was used for each rule. It may also be that no finite number of substitutions is enough.",
};

/// No proof, and no cause.
pub static UNCLEAR: Explanation = Explanation {
    code: "U0112",
    title: "no proof was found, and the cause cannot be told",
    text: "\
The invariant over these predicates, used at these substitutions, does not imply the property. There are four possible causes: the
property is false (but no small instance shows a run), the predicates do not suffice, the substitutions do not suffice, or no
finite set of substitutions does.

Look at the step that is printed. If it is impossible, some predicate should say why: add it. If the state before it violates the
invariant at some other index, a substitution for that index is missing: raise `--deepen`, or force it with `instantiate`.",
};

/// The iteration did not end.
pub static LIMIT: Explanation = Explanation {
    code: "U0113",
    title: "a limit was reached before the invariant was complete",
    text: "\
The set of abstract states grows until no rule adds any; `--timeout` or `--memory` stopped that before. Nothing is known until it is
complete: a set that still grows is no invariant. Raise the limit. Fewer predicates make it faster, and so do fewer substitutions:
`never instantiate i with …;` in the model, or `--deepen 0`.",
};

/// The proof cannot be written down.
pub static NO_CERTIFICATE: Explanation = Explanation {
    code: "U0114",
    title: "the proof could not be confirmed",
    text: "\
The engine found an invariant that implies the property, but the code that turns it into a certificate, which shares nothing with
the engine, could not show one of the steps: the instances it needs were not found, or the solver gave up. Nothing is called
safe that was not confirmed, so the answer is unknown. Hints may help (`instantiate i with …;`), and so may more time.

About a constraint logic program it is the other way round: values or a run that seem to contradict what was asked were found, but not
everything about them could be derived from the rules.",
};

/// A proof of nothing.
pub static VACUOUS: Explanation = Explanation {
    code: "U0115",
    title: "a proof would be vacuous",
    text: "\
Every property holds if the axioms contradict each other or if there is no startstate, because there is nothing that it could be
false in. The same goes for Horn clauses none of which is a fact that can hold. Such an answer says nothing about the system that
was meant, so it is not called safe. The message says which of these it is.",
};

/// A refinement method ended without a proof.
pub static NOT_REFINED: Explanation = Explanation {
    code: "U0116",
    title: "the refinement method has found neither a proof nor a run",
    text: "\
Refinement may go on for ever, so it ends after `--iterations`. Method II ends as well when its oracle has widened so far that
nothing more is added and nothing is proved, and an exhaustive oracle when all widenings within its limits were tried. Which
predicates come up depends on the direction and on how equations are written: try the other `--direction`, `--method III`,
or `--split-equalities`. Nothing is known about the property.",
};

/// No derivation of an entailment.
pub static NOT_DERIVED: Explanation = Explanation {
    code: "U0117",
    title: "no derivation was found",
    text: "\
The entailment was neither derived nor refuted within the search. That says nothing about it: `open` is not `refuted`.

The search unfolds the left-hand side, uses the entailment itself for what is lower, splits cases where an index meets a bound, and
chooses terms for existential variables among those that occur. It does not invent: where a stronger statement is needed, or a fact
about two predicates at once, write that as a `prove` of its own in front, since what was proved may be used for what comes later. An
entailment that is true for the first N numbers only, or in which an argument is negative, is often false: look at the base case of
each predicate. More time (`--timeout`) helps where it was the limit.",
};

/// A computation tree that is not closed.
pub static TREE_OPEN: Explanation = Explanation {
    code: "U0118",
    title: "the computation tree is not closed",
    text: "\
A property of a transition system is shown of every node of a tree that has all reachable states. The tree grew until a limit and some
nodes are left that are neither impossible nor included in another node, so states may be missing, and nothing is known of the
property.

The message names the first of these nodes; `-v`, `--report OUT.html` and `--report OUT.dot` show all. Where the tree goes on for ever, a
node has to be replaced by a larger one that keeps what matters: `abstract sys(…), … by sys(…), … .` in the file. The larger node must follow from
the smaller one, which is proved, and its successors must be included in it again. If such an inclusion is what fails, state it as a
`prove` of its own and look at why.",
};

/// A property that a closed tree does not show.
pub static NOT_SHOWN: Explanation = Explanation {
    code: "U0119",
    title: "the property does not follow from a node of the tree",
    text: "\
The computation tree is closed, so every reachable state is in one of its nodes, but for some node no derivation of the property was found.
The node may say too little: an abstraction that keeps more may help. Or the property needs a fact about the definitions, which can
be written as a `prove` of its own. Nothing says that the property is false.",
};

/// Nothing to check.
pub static NO_PROPERTY: Explanation = Explanation {
    code: "U0125",
    title: "there is no property",
    text: "\
The model has no property of its own: no `invariant`, `assert` or `error` of Murphi, no `unsafe` of Cubicle, no clause with `false` as
its head, no `bad` of BTOR2, no `assert` of Verilog, no `prove` and no `property` of a constraint logic program. Deadlocks, and errors
such as indices out of bounds, are found all the same. But that none was found is not called safe, because a property that was
forgotten looks exactly the same. `tenet explore --deadlock stuck` (or `stuttering`) makes the absence of deadlocks what is asked.",
};

/// An invariant is false.
pub static INVARIANT: Explanation = Explanation {
    code: "V0101",
    title: "an invariant is false in a reachable state",
    text: "\
The run that is printed leads from a startstate to a state in which the invariant is false. If all states of an instance were
searched, there is no shorter one in it. Every step was executed again before the run was printed, by code that shares nothing
with what found it.",
};

/// `assert`.
pub static ASSERTION: Explanation = Explanation {
    code: "V0102",
    title: "an assertion is false",
    text: "\
An `assert` statement was reached with a false condition. The run that is printed leads to the state in which the failing rule
is taken; the last line names the rule and its parameters.",
};

/// `error`.
pub static ERROR: Explanation = Explanation {
    code: "V0103",
    title: "an `error` statement was reached",
    text: "\
An `error` statement marks a place that must never be reached, and it was. The run that is printed leads to the state in which
the failing rule is taken; the last line names the rule and its parameters.",
};

/// Deadlock.
pub static DEADLOCK: Explanation = Explanation {
    code: "V0104",
    title: "a deadlock is reachable",
    text: "\
In the last state of the run no rule leads to another state. `--deadlock stuck` counts only states in which no rule is enabled
at all, so that a rule that changes nothing saves a state from being a deadlock; `--deadlock off` ignores deadlocks, for
models that may end.",
};

/// An undefined value.
pub static UNDEFINED: Explanation = Explanation {
    code: "V0105",
    title: "an undefined value is read",
    text: "\
A variable has no value until it is assigned one, and `undefine` takes it away again. Reading it then is an error of the model:
nothing is known about what would come out. Assign a value in the startstate, ask `isundefined` first, or use `clear`.",
};

/// A value out of range.
pub static RANGE: Explanation = Explanation {
    code: "V0106",
    title: "a value does not fit its type",
    text: "\
A number outside the range of a variable or parameter was to be stored in it, or a union value was used as a member that it is
not. Widen the type, or guard the rule so that this cannot happen.",
};

/// An index out of bounds.
pub static INDEX: Explanation = Explanation {
    code: "V0107",
    title: "an array index is outside the array",
    text: "\
The value used as an index is not one of the array's index type. Widen the index type, or guard the access.",
};

/// Division by zero.
pub static DIVISION: Explanation = Explanation {
    code: "V0108",
    title: "division by zero",
    text: "The right side of `/` or `%` was zero. Guard the rule, or test for zero first.",
};

/// A multiset is full.
pub static MULTISET_FULL: Explanation = Explanation {
    code: "V0109",
    title: "a multiset is full",
    text: "\
An element was added to a multiset that has as many elements as its type allows. Enlarge it, or guard the rule with
`multisetcount`.",
};

/// No `return`.
pub static MISSING_RETURN: Explanation = Explanation {
    code: "V0110",
    title: "a function ends without a result",
    text: "A function with a result type reached its end without a `return` statement. Add one on every path.",
};

/// An entailment is false.
pub static ENTAILMENT: Explanation = Explanation {
    code: "V0111",
    title: "an entailment does not hold",
    text: "\
The values that are printed satisfy the left-hand side of the entailment and not its right-hand side. They are values of the least
model: the rules of the file derive every atom on the left for them, and derive no instance of the right, whatever its
existential variables are. Both were derived and checked like proofs. An array has an entry for every integer, also outside the range
that a definition looks at, and integers may be negative: often a bound is missing on the left.",
};

/// No states.
pub static NOTHING_REACHABLE: Explanation = Explanation {
    code: "W0101",
    title: "there is no reachable state",
    text: "\
Not one startstate exists: the model has none, its rulesets run over nothing, or assumptions exclude all of them. Whatever the
properties say, they hold, because there is nothing they could be false in. Such an answer says nothing about the system that
was meant.",
};

/// No invariants.
pub static NO_INVARIANTS: Explanation = Explanation {
    code: "W0102",
    title: "the model has no invariants",
    text: "\
Without an `invariant` or an `assert`, the search can only find deadlocks and faults such as reads of undefined values. That may be
meant; it is said here because a forgotten property looks exactly the same.",
};

/// Dead rules.
pub static NEVER_FIRED: Explanation = Explanation {
    code: "W0103",
    title: "a rule is never taken",
    text: "\
The rule's guard is false in every reachable state of this instance, or for `tenet abstract` in every state that the axioms and the
invariant allow. Often the guard has a mistake, and then the properties were checked for a system that does less than was meant.
Or the instance is too small for the rule to matter.",
};

/// A vacuous implication.
pub static NEVER_TRUE: Explanation = Explanation {
    code: "W0104",
    title: "the left side of an implication is never true",
    text: "\
A property says `a -> b`, and `a` is false in every reachable state of this instance. So the property holds whatever `b` says. Often
`a` has a mistake, or the instance is too small.",
};

/// A `cover` that is not reached.
pub static NOT_COVERED: Explanation = Explanation {
    code: "W0105",
    title: "a `cover` condition is never true",
    text: "\
A `cover` names a situation that should be possible. In this instance no reachable state shows it.",
};

/// Contradictory axioms.
pub static AXIOMS_CONTRADICT: Explanation = Explanation {
    code: "W0106",
    title: "the axioms contradict each other",
    text: "\
No state satisfies all axioms and assumptions, so everything follows from them, and nothing is proved about any system. Remove them one
by one to find those that clash; an axiom over variables that rules change must hold in every state that they lead to.",
};

/// Nothing to instantiate with.
pub static NO_SUBSTITUTION: Explanation = Explanation {
    code: "W0107",
    title: "there is no substitution for a rule",
    text: "\
With `--instances forced` only the substitutions of `instantiate` hints are used, and hints leave none for this rule. The invariant must
be used somewhere, or its image would not be one; so the index variables stand for themselves there. Add a hint for the rule, or let
substitutions be generated.",
};

/// Too many substitutions.
pub static SUBSTITUTIONS_CUT: Explanation = Explanation {
    code: "W0108",
    title: "not all substitutions were used",
    text: "\
More substitutions were generated for a rule than are used at once; the smallest terms come first. The result is right all the same, but
a proof may fail that would succeed with more. `never instantiate i with …;` removes useless ones, `instantiate` hints are always kept.",
};

/// The solver gave up.
pub static SOLVER_UNKNOWN: Explanation = Explanation {
    code: "W0109",
    title: "the solver could not decide some questions",
    text: "\
Where the solver does not know whether an abstract state can be reached, it counts as reachable. So the invariant may be weaker than it
could be, but it is an invariant. Nonlinear arithmetic and nested quantifiers are the usual causes.",
};

/// Assumptions that end all runs.
pub static ASSUMPTIONS_END: Explanation = Explanation {
    code: "W0110",
    title: "the assumptions end all runs",
    text: "\
What is assumed of a circuit (`constraint`, `assume`) can be satisfied for a few cycles only. A proof is then right about these cycles and
says nothing about a longer run, because there is none. Often two assumptions contradict each other in a state that was not thought
of. If not even the first cycle is possible, nothing is called safe.",
};

/// An assertion that says nothing.
pub static NEVER_REACHED: Explanation = Explanation {
    code: "W0121",
    title: "an assertion is never reached",
    text: "\
No run gets to where the assertion stands: the rule that it is in is never taken, or the branch is never entered. So it holds whatever
it says. Often a condition on the way has a mistake. In a circuit, look at the enabling signal, and at the reset.",
};

/// A circuit that stands still.
pub static NOTHING_CHANGES: Explanation = Explanation {
    code: "W0122",
    title: "no register changes after the first cycles",
    text: "\
From the third cycle on, all registers keep their values for ever, whatever the inputs are. So a proof says something about one or two
states only. The usual cause is a reset of the wrong polarity, which holds the design in its reset state: `--reset rst` is active when
it is 1 and `--reset !rst_n` when it is 0. Assumptions that force an enabling signal have the same effect.",
};

/// A relation that holds of nothing.
pub static EMPTY_RELATION: Explanation = Explanation {
    code: "W0123",
    title: "a relation holds of nothing",
    text: "\
Nothing can be derived for this relation from the clauses, so whatever is asked of it holds. If it stands for a place in a program, that
place is never reached. Often a constraint in front of it has a mistake, or a fact is missing. Relations from which `false` follows at
once are not meant: that they hold of nothing is what was asked.",
};

/// Instances without a startstate.
pub static NOTHING_STARTS: Explanation = Explanation {
    code: "W0124",
    title: "no small instance has a startstate",
    text: "\
What was proved holds of every size, but none of the small instances that were looked at has a startstate, so it says nothing about them. An
assumption may ask for a larger size, and then all is well; or it may be that no size satisfies what is assumed, though the proof does not need to
know. Look at the `assume` statements of the startstates and at the axioms, and try `tenet explore` with a size that should work.",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_ordered_and_explained() {
        let codes: Vec<&str> = all().map(|explanation| explanation.code).collect();
        let mut sorted = codes.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(codes, sorted);
        assert!(all().all(|explanation| explanation.text.len() > 40 && !explanation.title.ends_with('.')));
        assert!(all().all(|explanation| tenet_lang::codes::explain(explanation.code).is_none()));
    }
}
