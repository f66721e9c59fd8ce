//! `--fit learned`: the default where a model ships; the same mutants whatever the number of threads.

use std::path::PathBuf;

use wildcaught::control::Progress;
use wildcaught::insert::Arsenal;
use wildcaught::insert::Fit;
use wildcaught::insert::Inserter;
use wildcaught::insert::ModelFile;
use wildcaught::insert::ModelWish;
use wildcaught::insert::Rules;
use wildcaught::insert::Target;
use wildcaught::langdef::builtin;
use wildcaught::langdef::builtin_names;
use wildcaught::operator::read_set;
use wildcaught::operator::shipped_model_text;
use wildcaught::operator::shipped_text;

use super::cli::command;

const CODE: &str = "int limit(int n, int most) {\n    int i;\n    for (i = 0; i < n; i++) {\n        if (i >= most) {\n            \
                    return most;\n        }\n    }\n    return n;\n}\n";

fn learned(language: &str) -> Fit {
    let fit = Fit::of(Rules::sane(), 0.5);
    fit.learned_for(language, ModelWish::default()).unwrap()
}

/// The mutants of the code: where each is, what it puts, and how likely it is to compile.
fn mutants(fit: Fit, threads: usize) -> Vec<String> {
    let def = builtin("c").unwrap();
    let sets = ["wild-c", "classic-c"].map(|name| read_set(shipped_text(name).unwrap(), name).unwrap());
    let files = ["a.c", "b.c", "c.c"].map(|name| (PathBuf::from(name), CODE.as_bytes().to_vec()));
    let target = Target::new(&def, files.to_vec());
    let arsenal = Arsenal::new(&sets, &def).unwrap();
    let inserter = Inserter { def: &def, arsenal: &arsenal, target: &target, fit };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let all = pool.install(|| inserter.all(&Progress::default()));
    all.iter().flat_map(|found| &found.mutants).map(|mutant| format!("{mutant:?}")).collect()
}

#[test]
fn shipped_models_are_small_and_of_languages_that_there_are() {
    let models: Vec<ModelFile> = builtin_names()
        .filter_map(|name| Some(ModelFile::read(shipped_model_text(name)?, name).unwrap()))
        .collect();
    assert!(models.iter().any(|model| model.language == "c"));
    for model in models {
        assert!(model.weights.len() <= 400, "{} has {} weights", model.language, model.weights.len());
        assert!(model.trained.kept > 0.5 && model.trained.viability > 0.5, "{:?}", model.trained);
    }
}

#[test]
fn the_model_gives_the_same_mutants_with_any_number_of_threads() {
    let one = mutants(learned("c"), 1);
    assert!(!one.is_empty());
    assert_eq!(one, mutants(learned("c"), 3));
}

#[test]
fn every_mutant_carries_its_chance_and_none_is_below_the_threshold() {
    let fit = learned("c");
    let threshold = fit.learned.as_ref().unwrap().threshold;
    let def = builtin("c").unwrap();
    let sets = [read_set(shipped_text("classic-c").unwrap(), "classic-c").unwrap()];
    let arsenal = Arsenal::new(&sets, &def).unwrap();
    let target = Target::new(&def, vec![(PathBuf::from("a.c"), CODE.as_bytes().to_vec())]);
    let found = Inserter { def: &def, arsenal: &arsenal, target: &target, fit }.file(0);
    assert!(found.mutants.len() > 10, "{}", found.mutants.len());
    assert!(found.mutants.iter().all(|mutant| (threshold..=1.0).contains(&mutant.viability)));
}

#[test]
fn a_language_without_a_model_keeps_its_rules() {
    let fit = learned("no such language");
    assert!(fit.learned.is_none());
    assert_eq!(fit.rules, Rules::sane());
}

#[test]
fn learned_is_the_default() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("a.c"), CODE).unwrap();
    let list = |fit: &[&str]| {
        let mut run = command(home.path());
        run.args(["mutate", "a.c", "--ops", "all", "--list"]).args(fit);
        run.output().unwrap().stdout
    };
    let default = list(&[]);
    assert!(!default.is_empty());
    assert_eq!(default, list(&["--fit", "learned"]));
    assert_ne!(default, list(&["--fit", "sane"]));
    assert_ne!(default, list(&["--min-viable", "0.95"]));
}
