//! All ways to compute an image give the same sets on the published models (Das, Dill and Park, section 2, and Lahiri and
//! Bryant, section 7).

use tenet_engine::reach::{Details, Image, Instances, Options, reach};
use tenet_engine::{Alone, Outcome};
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
    let all: Vec<usize> = (0..system.properties.len()).collect();
    reach(&mut system.clone(), &all, &options, &mut Alone)
}

/// The same sets, and the same verdicts.
fn agree(name: &str, system: &System) {
    let [cubes, recursion, elimination] =
        [Image::Cubes, Image::Recursion, Image::Elimination].map(|image| run(system, image));
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
        agree(name, &read(name));
    }
}

#[test]
fn all_images_agree_on_german_with_few_predicates() {
    let mut system = read("german");
    system.predicates.truncate(7);
    agree("german", &system);
}
