//! All ways to compute an image give the same sets on the published models (Das, Dill and Park, section 2, and Lahiri and
//! Bryant, section 7).

use tenet_engine::reach::{Details, Image, Instances, Options, reach};
use tenet_engine::{Alone, Outcome};
use tenet_lang::murphi;
use tenet_system::System;

fn read(name: &str) -> System {
    let path = format!("{}/../../models/papers/{name}.tenet", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the model is there");
    read_text(&text)
}

fn read_text(text: &str) -> System {
    let dialect = murphi::Dialect::Tenet;
    let (ast, _) = murphi::parse(text, dialect);
    let (model, _) = murphi::check::check(&ast, &murphi::check::Settings::new(dialect));
    let how = murphi::unbounded::Unbounded { names: Vec::new(), sizes: Vec::new() };
    murphi::unbounded::read(&model, &how).expect("the model can be read").0
}

/// Models that an encoding might get wrong. The substitution is the identity.
const HOSTILE: [(&str, &str); 8] = [
    (
        "nested functions",
        r#"
    var
      g, h : array [integer] of integer;
    startstate "start" for u : integer do g[u] := u; h[u] := u; end; end;
    ruleset i : integer do
      rule "write" g[h[i]] != h[g[i] + 1] ==> g[h[i]] := h[g[i] + 1]; end;
      rule "other" h[g[i] - 1] < -2 ==> h[i] := g[h[i]]; end;
    end;
    invariant "p" forall x : integer do g[x] >= x end;
    index x : integer;
    predicate g[h[x]] >= x;
    predicate h[x] = x;
    predicate g[x] = x;
    predicate h[g[x]] < x;
"#,
    ),
    (
        "offsets and negative constants",
        r#"
    var
      a, b, c : integer;
    startstate "start" a := -3; b := 0; c := 2; end;
    rule "one" a < -2 ==> a := b - 7; end;
    rule "two" b <= c - 2 ==> b := c + 1; end;
    rule "three" c + 5 > a ==> c := a; end;
    rule "four" a = b - 7 ==> a := c + 4; b := a - 1; end;
    invariant "p" a < 10;
    predicate a < b + 3;
    predicate b <= c - 2;
    predicate c + 5 > a;
    predicate a = c;
    predicate a >= -4;
    predicate c < -4;
"#,
    ),
    (
        "three-way cycles",
        r#"
    var
      a, b, c : integer;
    ruleset k : integer; l : integer do startstate "start" a := k; b := l; c := k + 1; end; end;
    ruleset k : integer do
    rule "turn" a < b & b < c ==> a := b; b := c; c := a; end;
    rule "set" c < a ==> b := k; end;
    end;
    rule "tie" a = b ==> c := b; end;
    invariant "p" a < b;
    predicate a < b;
    predicate b < c;
    predicate c < a;
    predicate a = b;
    predicate b = c;
    predicate a = c;
"#,
    ),
    (
        "constant predicates",
        r#"
    var
      a : integer;
      f : array [integer] of boolean;
    startstate "start" a := 0; for u : integer do f[u] := false; end; end;
    rule "up" a := a + 1; f[a] := true; end;
    rule "never" a < a ==> a := 100; end;
    invariant "p" a >= 0;
    index x : integer;
    predicate 1 < 0;
    predicate a = a;
    predicate a >= 0;
    predicate f[x];
    predicate x < a;
"#,
    ),
    (
        "neighbouring integers",
        r#"
    var a, b : integer; f : array [integer] of integer;
    ruleset k : integer do startstate "start" a := k; b := k + 1; for u : integer do f[u] := k; end; end; end;
    rule "one" f[a] < f[b] | a = b ==> a := b; f[b] := a; end;
    rule "two" a < b & b < a + 2 ==> b := f[a + 1]; f[b - 1] := b; end;
    rule "three" b <= a - 1 ==> a := a - 2; end;
    invariant "p" b <= a + 1;
    predicate a < b;
    predicate b < a + 2;
    predicate b = a + 1;
    predicate f[a] = f[b];
    predicate f[a + 1] > f[b];
"#,
    ),
    (
        "updates everywhere",
        r#"
    var
      f : array [integer] of integer;
      n : integer;
    startstate "start" for u : integer do f[u] := -1; end; n := 0; end;
    ruleset i : integer do
      rule "all" n >= i ==> for u : integer do if f[u] < u - 1 then f[u] := f[u] + 1; end; end; end;
      rule "count" f[n] = n - 1 ==> n := n + 1; end;
    end;
    invariant "p" forall x : integer do f[x] < x end;
    index x : integer;
    predicate f[x] < x;
    predicate f[x] = -1;
    predicate x <= n;
    predicate f[x] > n;
    predicate x >= 0;
"#,
    ),
    (
        "bounded integers",
        r#"
    type SMALL : -2..2;
    var v : SMALL; w : SMALL; r : array [SMALL] of SMALL;
    startstate "start" v := -2; w := 0; for u : SMALL do r[u] := u; end; end;
    rule "up" v < 2 ==> v := v + 1; end;
    rule "read" r[v] != w ==> w := r[v]; end;
    ruleset u : SMALL do rule "write" r[u] < v & u > -2 ==> r[u - 1] := w; end; end;
    invariant "p" v <= 2;
    index x : SMALL;
    predicate v < 0;
    predicate v = 2;
    predicate r[x] = x;
    predicate r[x] <= v;
    predicate r[v] > w;
    predicate w = -2;
"#,
    ),
    (
        "elements and colours",
        r#"
    type NODE : scalarset; COLOR : enum { Red, Green, Blue };
    var
      color : array [NODE] of COLOR;
      next : array [NODE] of NODE;
      flag : array [NODE] of boolean;
      mode : COLOR;
    startstate "start" for u : NODE do color[u] := Red; next[u] := u; flag[u] := false; end; mode := Green; end;
    ruleset p : NODE; q : NODE do
      rule "paint" next[p] != q & color[p] = mode | p = q ==> color[q] := color[next[p]]; mode := Blue; end;
      rule "link" color[p] != color[q] ==> next[p] := next[next[q]]; flag[p] := flag[q] = flag[next[p]]; end;
    end;
    ruleset p : NODE do rule "mode" mode := color[next[p]]; for u : NODE do if next[u] = p then color[u] := Green; end; end; end; end;
    invariant "p" forall x : NODE do forall y : NODE do color[x] = color[y] end end;
    index x : NODE; y : NODE;
    predicate x = y;
    predicate color[x] = color[y];
    predicate next[x] = y;
    predicate next[next[x]] = x;
    predicate color[x] = mode;
    predicate flag[x] = flag[y];
"#,
    ),
];

fn run(system: &System, image: Image, instances: Instances) -> Outcome {
    let options = Options { strict: true, image, instances, ..Options::default() };
    let all: Vec<usize> = (0..system.properties.len()).collect();
    reach(&mut system.clone(), &all, &options, &mut Alone)
}

/// The same sets, and the same verdicts.
fn agree(name: &str, system: &System, instances: Instances) {
    let [cubes, recursion, elimination] =
        [Image::Cubes, Image::Recursion, Image::Elimination].map(|image| run(system, image, instances));
    let sets = |outcome: &Outcome| {
        let details = Details::of(outcome).expect("they are those of `reach`");
        assert!(details.is_complete, "{name}");
        details.iterations.clone()
    };
    for other in [recursion, elimination] {
        assert_eq!(sets(&cubes), sets(&other), "{name}");
        assert_eq!(cubes.proved(), other.proved(), "{name}");
    }
}

#[test]
fn all_images_agree_on_small_published_models() {
    for name in ["f_shift", "frontier", "mutex"] {
        agree(name, &read(name), Instances::Generated { deepenings: 0 });
    }
}

#[test]
fn all_images_agree_on_german_with_few_predicates() {
    let mut system = read("german");
    system.predicates.truncate(7);
    for image in [Image::Cubes, Image::Recursion] {
        let outcome = run(&system, image, Instances::Generated { deepenings: 0 });
        assert!(Details::of(&outcome).expect("they are those of `reach`").is_complete);
    }
    agree("german", &system, Instances::Forced);
}

#[test]
fn all_images_agree_on_hostile_models() {
    for (name, text) in HOSTILE {
        agree(name, &read_text(text), Instances::Forced);
    }
}
