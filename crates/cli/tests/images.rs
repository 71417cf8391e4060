//! Both ways to compute an image give the same sets on the published models (Das, Dill and Park, section 2, and Lahiri and
//! Bryant, section 7).

use tenet_engine::Alone;
use tenet_engine::reach::{Image, Implication, Instances, Options, Outcome, reach};
use tenet_lang::murphi;
use tenet_system::System;

fn read(name: &str) -> System {
    let path = format!("{}/../../models/papers/{name}.tenet", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the model is there");
    let dialect = murphi::Dialect::Tenet;
    let (ast, _) = murphi::parse(&text, dialect);
    let (model, _) = murphi::check::check(&ast, &murphi::check::Settings::new(dialect));
    let how = murphi::unbounded::Unbounded { names: Vec::new(), sizes: Vec::new() };
    murphi::unbounded::read(&model, &how).expect("the model can be read").0
}

fn run(system: &System, image: Image) -> Outcome {
    let instances = Instances::Generated { deepenings: 0 };
    let options = Options { strict: true, image, instances, ..Options::default() };
    reach(&mut system.clone(), &options, &mut Alone)
}

/// The same sets, and the same verdicts.
fn agree(name: &str, system: &System) {
    let [cubes, recursion] = [Image::Cubes, Image::Recursion].map(|image| run(system, image));
    assert!(cubes.complete && recursion.complete, "{name}");
    assert_eq!(cubes.iterations, recursion.iterations, "{name}");
    let proved = |outcome: &Outcome| -> Vec<bool> {
        outcome.properties.iter().map(|p| matches!(p.verdict, Implication::Proved)).collect()
    };
    assert_eq!(proved(&cubes), proved(&recursion), "{name}");
}

#[test]
fn both_images_agree_on_small_published_models() {
    for name in ["f_shift", "frontier", "mutex"] {
        agree(name, &read(name));
    }
}

#[test]
fn both_images_agree_on_german_with_few_predicates() {
    let mut system = read("german");
    system.predicates.truncate(7);
    agree("german", &system);
}
