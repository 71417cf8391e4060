//! Multisets, `isundefined` and `UNDEFINED` in the unbounded reading against the finite one: on small instances with as many places as the
//! multisets have room for, both have the same reachable states up to the order of elements, the same truth of every invariant, and a
//! violated obligation exactly where the finite program faults.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use tenet_chance::Random;
use tenet_lang::murphi::check::{Settings, check};
use tenet_lang::murphi::unbounded::{Unbounded, read};
use tenet_lang::murphi::{Dialect, finite, parse};
use tenet_system::finite::program::Program;
use tenet_system::finite::trace::{Action, Replayer};
use tenet_system::instance::{Sizes, instance};
use tenet_system::{PropertyKind, System};

/// Places and what is there; for multisets the elements in some order.
type Shown = BTreeMap<String, String>;

const PLACES: u32 = 3;

/// Declarations, procedures and a startstate that all models share.
const COMMON: &str = "\
type P : scalarset(2); K : enum { red, green };
  M : record kind : K; from : P; end;
var net : multiset [3] of M; box : array [P] of multiset [2] of K; n : 0..2; who : P; flag : boolean;
procedure post(k : K; p : P);
var m : M;
begin m.kind := k; m.from := p; multisetadd(m, net); end;
procedure keep(p : P);
begin who := p; end;
procedure note(p : P);
begin if isundefined(p) then undefine who; flag := true; else who := p; end; end;
startstate \"start\" undefine net; for p : P do clear box[p]; end; n := 0; keep(UNDEFINED); flag := false; end;
ruleset p : P do rule \"begin\" n = 0 ==> n := 1; flag := true; post(red, p); end end;
";

fn statement(random: &mut Random, has_element: bool) -> String {
    let owner = ["p", "q"][random.below(2)];
    let colour = ["red", "green"][random.below(2)];
    let count = random.below(3);
    let mut forms = vec![
        format!("post({colour}, {owner});"),
        format!("multisetadd({colour}, box[{owner}]);"),
        format!("multisetremovepred(i : net, net[i].kind = {colour});"),
        format!("multisetremovepred(i : box[{owner}], box[{owner}][i] != {colour});"),
        format!("if multisetcount(i : net, net[i].kind = {colour}) = {count} then n := {count}; end;"),
        format!("if multisetcount(i : net, true) >= {count} then flag := !flag; end;"),
        "clear net;".to_owned(),
        format!("undefine box[{owner}];"),
        format!("box[p] := box[{owner}];"),
        format!("who := {owner};"),
        "undefine who;".to_owned(),
        "who := UNDEFINED;".to_owned(),
        "keep(UNDEFINED);".to_owned(),
        format!("keep({owner});"),
        "keep(who);".to_owned(),
        "note(who);".to_owned(),
        "note(UNDEFINED);".to_owned(),
        format!("if isundefined(who) then post({colour}, p); else post({colour}, who); end;"),
        format!("for r : P do multisetadd({colour}, box[r]); end;"),
        format!("if n < {count} then flag := isundefined(who); end;"),
    ];
    if has_element {
        forms.extend([
            "multisetremove(m, net);".to_owned(),
            "who := net[m].from;".to_owned(),
            format!("net[m].kind := {colour};"),
            "multisetadd(net[m].kind, box[net[m].from]);".to_owned(),
            "if net[m].from = p then multisetremove(m, net); end;".to_owned(),
        ]);
    }
    random.pick(&forms).clone()
}

fn guard(random: &mut Random, has_element: bool) -> String {
    let count = random.below(3);
    let mut forms = vec![
        "p != q".to_owned(),
        "isundefined(who)".to_owned(),
        "!isundefined(who) & who = p".to_owned(),
        format!("multisetcount(i : net, net[i].from = p) < {count}"),
        format!("{count} != multisetcount(i : box[p], box[p][i] = red)"),
        "flag".to_owned(),
        "true".to_owned(),
    ];
    if has_element {
        forms.push("net[m].from = p".to_owned());
        forms.push("net[m].kind = red".to_owned());
    }
    random.pick(&forms).clone()
}

fn generate(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = COMMON.to_owned();
    for number in 0..3 {
        let has_element = number == 2 || random.below(3) == 0;
        let around = if has_element { "choose m : net do " } else { "" };
        let guard = guard(&mut random, has_element);
        let _ = write!(text, "ruleset p : P; q : P do {around}rule \"rule {number}\" {guard} ==>\nbegin\n");
        // A removed element is undefined, and a read of it a fault in one of the readings only.
        let mut is_there = has_element;
        for _ in 0..1 + random.below(2) {
            let statement = statement(&mut random, is_there);
            is_there &= !statement.contains("remove") && !statement.contains("clear net");
            let _ = writeln!(text, "  {statement}");
        }
        text.push_str(if has_element { "end end end;\n" } else { "end end;\n" });
    }
    let count = random.below(4);
    let _ = writeln!(text, "invariant \"few\" multisetcount(i : net, net[i].kind = red) <= {count};");
    text.push_str("invariant \"own\" forall p : P do multisetcount(i : box[p], box[p][i] = green) = 0 | isundefined(who) end;\n");
    text.push_str("choose m : net do invariant \"each\" net[m].kind = green | flag end;\n");
    text
}

/// `box[P_1]{2}.value` and `box[P_1, multisets_2]` are the same place.
fn place(name: &str) -> (String, Option<(String, String)>) {
    if let Some((multiset, rest)) = name.split_once('{') {
        let (number, field) = rest.split_once('}').expect("an element has a number");
        return (multiset.to_owned(), Some((number.to_owned(), field.replace(".value", ""))));
    }
    let Some((path, args)) = name.split_once('[') else { return (name.to_owned(), None) };
    let args: Vec<&str> = args.split([',', ' ', '[', ']']).filter(|arg| !arg.is_empty()).collect();
    let Some(number) = args.last().and_then(|last| last.strip_prefix("multisets_")) else {
        return (name.to_owned(), None);
    };
    let (variable, field) = path
        .split_once('.')
        .map_or((path, String::new()), |(variable, field)| (variable, format!(".{field}")));
    let around = args[..args.len() - 1].join(",");
    let multiset = if around.is_empty() { variable.to_owned() } else { format!("{variable}[{around}]") };
    (multiset, Some((number.to_owned(), field)))
}

fn show(program: &Program, state: &[i64]) -> Shown {
    let mut multisets: BTreeMap<String, BTreeMap<String, BTreeMap<String, String>>> = BTreeMap::new();
    let mut shown = Shown::new();
    for (slot, &value) in program.layout.slots.iter().zip(state) {
        let value = program.layout.show(slot.domain, value);
        match place(&slot.name) {
            (multiset, Some((number, field))) => {
                let is_presence = field == ".present" || slot.name.ends_with('}');
                let field = if is_presence { "present".to_owned() } else { field };
                multisets.entry(multiset).or_default().entry(number).or_default().insert(field, value);
            }
            (name, None) => drop(shown.insert(name, value)),
        }
    }
    for (name, elements) in multisets {
        let mut present: Vec<String> = Vec::new();
        for element in elements.values().filter(|element| element["present"] == "true") {
            let fields =
                element.iter().filter(|(field, _)| *field != "present" && !field.contains("defined"));
            present.push(fields.map(|(field, value)| format!("{field}={value}")).collect());
        }
        present.sort();
        shown.insert(name, present.join(" "));
    }
    // What an undefined variable holds does not matter.
    if shown.remove("who.defined").is_some_and(|defined| defined == "false") {
        shown.insert("who".to_owned(), "undefined".to_owned());
    }
    shown
}

fn starts(program: &Program, replayer: &mut Replayer) -> BTreeMap<Shown, Vec<i64>> {
    let mut found = BTreeMap::new();
    for (rule, start) in program.starts.iter().enumerate() {
        let instances: u64 = start.params.iter().map(|param| param.count()).product();
        for instance in 0..instances {
            if let Ok(Some(state)) = replayer.start(Action { rule, instance }) {
                found.entry(show(program, &state)).or_insert(state);
            }
        }
    }
    found
}

/// The successors by one rule; nothing if there is a fault.
fn successors<E>(
    program: &Program,
    all: &[(Action, Result<Vec<i64>, E>)],
    rule: usize,
) -> Option<BTreeMap<Shown, Vec<i64>>> {
    let own = all.iter().filter(|(action, _)| action.rule == rule);
    own.map(|(_, next)| next.as_ref().ok().map(|next| (show(program, next), next.clone()))).collect()
}

fn violates(system: &System, program: &Program, replayer: &mut Replayer, rule: usize, state: &[i64]) -> bool {
    let is_of_rule = |kind| matches!(kind, PropertyKind::Assertion { rule: of } | PropertyKind::Implicit { rule: of } if of == rule);
    let names: Vec<&str> = system
        .properties
        .iter()
        .filter(|known| is_of_rule(known.kind))
        .map(|known| known.name.as_str())
        .collect();
    (0..program.properties.len()).any(|number| {
        names.contains(&program.properties[number].name.as_str())
            && replayer.property(state, number) == Ok(false)
    })
}

/// Compares the readings of a model; gives the number of states, or nothing if it is refused.
fn compare(source: &str) -> Option<usize> {
    let (ast, syntax) = parse(source, Dialect::Murphi);
    assert!(syntax.is_empty(), "{syntax:?}\n{source}");
    let (model, diagnostics) = check(&ast, &Settings::new(Dialect::Murphi));
    assert!(!diagnostics.iter().any(|found| found.is_error()), "{diagnostics:?}\n{source}");
    let system = match read(&model, &Unbounded::default()) {
        Ok((system, _)) => system,
        Err(errors) => {
            let is_expected = |code| ["E0304", "E0313"].contains(&code);
            assert!(
                errors.iter().all(|found| !found.is_error() || is_expected(found.explanation.code)),
                "{errors:#?}\n{source}"
            );
            return None;
        }
    };
    let sizes = Sizes { sorts: vec![("P".into(), 2), ("multisets".into(), PLACES)], consts: Vec::new() };
    let ours = instance(&system, &sizes).unwrap_or_else(|error| panic!("{error}\n{source}"));
    let (theirs, _) = finite::lower(&model).unwrap_or_else(|errors| panic!("{errors:?}\n{source}"));
    let (mut our, mut their) = (Replayer::new(&ours), Replayer::new(&theirs));
    let (our_starts, their_starts) = (starts(&ours, &mut our), starts(&theirs, &mut their));
    // The variable is tracked only if that matters.
    let is_followed = ours.layout.slots.iter().any(|slot| slot.name == "who.defined");
    let simplify = |shown: &Shown| -> Shown {
        let mut shown = shown.clone();
        if !is_followed {
            shown.remove("who");
        }
        shown
    };
    let keys = |states: &BTreeMap<Shown, Vec<i64>>| states.keys().map(simplify).collect::<BTreeSet<_>>();
    assert_eq!(keys(&our_starts), keys(&their_starts), "startstates\n{source}");
    let mut seen = BTreeSet::new();
    let mut stack = Vec::new();
    let pair_up = |ours: BTreeMap<Shown, Vec<i64>>, theirs: BTreeMap<Shown, Vec<i64>>| {
        let pairs = theirs
            .into_iter()
            .filter_map(|(shown, state)| Some((shown.clone(), ours.get(&shown)?.clone(), state)));
        pairs.collect::<Vec<_>>()
    };
    stack.extend(pair_up(our_starts, their_starts));
    while let Some((shown, mine, other)) = stack.pop() {
        if seen.len() > 60 || !seen.insert(shown) {
            continue;
        }
        for (number, property) in theirs.properties.iter().enumerate() {
            let position = ours.properties.iter().position(|known| known.name == property.name);
            let position = position.expect("both have the invariant");
            let expected = their.property(&other, number);
            if expected.is_ok() {
                assert_eq!(
                    our.property(&mine, position),
                    expected,
                    "{} in {:?}\n{source}",
                    property.name,
                    show(&theirs, &other)
                );
            }
        }
        let (our_all, their_all) = (our.enabled(&mine), their.enabled(&other));
        for rule in 0..theirs.rules.len() {
            let is_violated = violates(&system, &ours, &mut our, rule, &mine);
            let expected = successors(&theirs, &their_all, rule);
            let state = show(&theirs, &other);
            assert_eq!(is_violated, expected.is_none(), "a fault of rule {rule} in {state:?}\n{source}");
            let Some(expected) = expected else { continue };
            let found = successors(&ours, &our_all, rule).expect("there are no faults in it");
            assert_eq!(keys(&found), keys(&expected), "rule {rule} in {state:?}\n{source}");
            stack.extend(pair_up(found, expected));
        }
    }
    Some(seen.len())
}

#[test]
fn random_models_with_multisets_and_undefined_values() {
    let seeds = tenet_chance::seeds(0..100);
    let (mut states, mut refused) = (0, 0);
    for seed in seeds {
        match compare(&generate(seed)) {
            Some(count) => states += count,
            None => refused += 1,
        }
    }
    println!("{states} states, {refused} refused");
    assert!(states > 1_000 && refused < 20, "{states} states, {refused} refused");
}
