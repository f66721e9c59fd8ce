//! Runs after edits: what still holds is kept, and the result is that of a run of everything.

use std::collections::BTreeMap;

use wildcaught::matrix::Fate;
use wildcaught::matrix::KillMatrix;

use crate::targets::Project;
use crate::targets::Ran;

/// Functions of the program; each calls the one before it or none.
const FUNCTIONS: usize = 3;

/// Numbers that look random, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

/// A program and its tests: numbers that edits change.
#[derive(Clone)]
struct Program {
    constants: Vec<i64>,
    calls: Vec<bool>,
    /// Per test, the function that it calls and the number that it calls it with.
    tests: Vec<(usize, i64)>,
    comment: u32,
}

impl Program {
    fn new() -> Self {
        let tests = (0..FUNCTIONS).map(|at| (at, 3)).collect();
        Self {
            constants: vec![2; FUNCTIONS],
            calls: (0..FUNCTIONS).map(|at| at % 2 == 1).collect(),
            tests,
            comment: 0,
        }
    }

    fn source(&self) -> String {
        let function = |at: usize| {
            let inner = if self.calls[at] { format!("step_{}(x)", at - 1) } else { "x".into() };
            format!(
                "def step_{at}(x):\n    # note {}\n    if x > {}:\n        return {inner} + {at}\n    return x * 2\n\n\n",
                self.comment, self.constants[at]
            )
        };
        (0..FUNCTIONS).map(function).collect()
    }

    /// What a function gives, for tests that pass.
    fn value(&self, at: usize, x: i64) -> i64 {
        match x > self.constants[at] {
            true if self.calls[at] => self.value(at - 1, x) + at as i64,
            true => x + at as i64,
            false => x * 2,
        }
    }

    fn tests(&self) -> String {
        let test = |(number, (at, x)): (usize, &(usize, i64))| {
            format!(
                "def test_{number}_of_step():\n    assert tiny.step_{at}({x}) == {}\n\n\n",
                self.value(*at, *x)
            )
        };
        format!("import tiny\n\n\n{}", self.tests.iter().enumerate().map(test).collect::<String>())
    }

    fn edit(&mut self, dice: &mut Dice) -> &'static str {
        let at = dice.below(FUNCTIONS);
        match dice.below(5) {
            0 | 1 => {
                self.constants[at] = dice.below(6) as i64;
                "a constant"
            }
            2 => {
                let test = dice.below(self.tests.len());
                self.tests[test].1 = dice.below(6) as i64;
                "a test"
            }
            3 => {
                self.tests.insert(0, (at, dice.below(6) as i64));
                "a test more"
            }
            _ => {
                self.comment += 1;
                "a comment"
            }
        }
    }

    fn write(&self, project: &Project) {
        project.write("tiny.py", &self.source());
        project.write("tests/test_tiny.py", &self.tests());
    }
}

const TEST: [&str; 5] = ["test", "--ops", "classic", "--all", "--quiet"];

#[track_caller]
fn run(project: &Project, more: &[&str]) -> Ran {
    let ran = project.run(&[&TEST, more].concat());
    assert!(matches!(ran.code, 0 | 2 | 3), "{} {}", ran.code, ran.err);
    ran
}

fn fates(matrix: &KillMatrix) -> BTreeMap<String, Fate> {
    (0..matrix.mutants.len()).map(|at| (matrix.mutants[at].id.clone(), matrix.fate(at))).collect()
}

/// How many verdicts a run says that it kept.
fn kept(ran: &Ran) -> Option<u64> {
    let line = ran.out.lines().find(|line| line.contains("of the last run are still valid"))?;
    line.split_whitespace().next()?.replace(',', "").parse().ok()
}

#[test]
fn after_random_edits_the_fates_are_those_of_a_run_of_everything() {
    let Some(project) = Project::new("python") else { return };
    let mut dice = Dice(7);
    let mut program = Program::new();
    program.write(&project);
    run(&project, &[]);
    let mut most = 0;
    for turn in 0..4 {
        let what = program.edit(&mut dice);
        program.write(&project);
        let ran = run(&project, &[]);
        most = most.max(kept(&ran).unwrap_or(0));
        run(&project, &["--fresh", "--out", "wildcaught.out.fresh"]);
        let (now, fresh) = (project.export("wildcaught.out"), project.export("wildcaught.out.fresh"));
        assert_eq!(fates(&now), fates(&fresh), "turn {turn}: {what} changed\n{}", ran.out);
    }
    assert!(most > 0, "something is kept");
}

#[test]
fn nothing_is_built_where_nothing_changed() {
    let Some(project) = Project::new("python") else { return };
    Program::new().write(&project);
    let first = run(&project, &[]);
    assert_eq!(kept(&first), None, "{}", first.out);
    let before = project.export("wildcaught.out");
    let again = run(&project, &[]);
    assert_eq!(kept(&again), Some(before.mutants.len() as u64), "{}", again.out);
    assert_eq!(fates(&project.export("wildcaught.out")), fates(&before));
}

#[test]
fn one_function_changed_runs_only_what_depends_on_it() {
    let Some(project) = Project::new("python") else { return };
    let mut program = Program::new();
    program.write(&project);
    run(&project, &[]);
    let all = project.export("wildcaught.out").mutants.len() as u64;
    program.constants[2] = 1;
    program.write(&project);
    let ran = run(&project, &[]);
    let kept = kept(&ran).unwrap();
    assert!(kept > all / 2 && kept < all, "{kept} of {all}: {}", ran.out);
    assert!(ran.out.contains("changed: step_2"), "{}", ran.out);
}

#[test]
fn what_everything_may_depend_on_is_named() {
    let Some(project) = Project::new("python") else { return };
    Program::new().write(&project);
    run(&project, &[]);
    let text = project.read("tiny.py");
    project.write("tiny.py", &format!("LIMIT = 3\n\n\n{text}"));
    let ran = run(&project, &[]);
    assert!(
        ran.out.contains("every mutant was tested again: tiny.py changed outside of functions"),
        "{}",
        ran.out
    );
    project.write("data.txt", "1");
    let ran = run(&project, &[]);
    assert!(ran.out.contains("data.txt changed"), "{}", ran.out);
}

#[test]
fn a_run_whose_tests_fail_loses_nothing() {
    let Some(project) = Project::new("python") else { return };
    let program = Program::new();
    program.write(&project);
    run(&project, &[]);
    let before = project.export("wildcaught.out");
    project.edit("tests/test_tiny.py", "step_0(3) == ", "step_0(3) == 1");
    assert_eq!(project.run(&TEST).code, 4);
    program.write(&project);
    let again = run(&project, &[]);
    assert!(kept(&again).unwrap_or(0) > 0, "{}", again.out);
    assert_eq!(fates(&project.export("wildcaught.out")), fates(&before));
}

#[test]
fn what_compiled_code_says_is_the_same_as_in_a_run_of_everything() {
    let Some(project) = Project::new("c-cases") else { return };
    run(&project, &[]);
    let first = fates(&project.export("wildcaught.out"));
    let by_code = |fates: &BTreeMap<String, Fate>| {
        fates.values().filter(|fate| matches!(fate, Fate::Equivalent | Fate::Duplicate)).count()
    };
    assert!(by_code(&first) > 5, "{first:?}");
    project.edit("prog.c", "count < 20", "count < 21");
    let ran = run(&project, &[]);
    assert!(kept(&ran).unwrap_or(0) > 0, "{}", ran.out);
    run(&project, &["--fresh", "--out", "wildcaught.out.fresh"]);
    let (now, fresh) = (project.export("wildcaught.out"), project.export("wildcaught.out.fresh"));
    // On a busy machine a slow test may be ended before it fails.
    let noticed = |matrix: &KillMatrix| {
        let fates = fates(matrix).into_iter();
        fates
            .map(|(id, fate)| (id, if fate == Fate::TimeOut { Fate::Killed } else { fate }))
            .collect::<Vec<_>>()
    };
    assert_eq!(noticed(&now), noticed(&fresh), "{}", ran.out);
    assert!(by_code(&fates(&now)) > 5);
}

#[test]
fn survivors_are_run_again_and_the_rest_is_kept() {
    let Some(project) = Project::new("python") else { return };
    let mut program = Program::new();
    program.tests.truncate(2);
    program.write(&project);
    run(&project, &[]);
    let before = project.export("wildcaught.out");
    program.tests.extend([(2, 1), (2, 5), (2, 2)]);
    program.write(&project);
    run(&project, &["--survived"]);
    let after = project.export("wildcaught.out");
    assert_eq!(after.mutants.len(), before.mutants.len());
    let missed = |matrix: &KillMatrix| matrix.survivors_ranked().len();
    assert!(missed(&after) < missed(&before));
    let (old, new) = (fates(&before), fates(&after));
    assert!(old.iter().filter(|(_, fate)| fate.is_detected()).all(|(id, fate)| new[id] == *fate));
}

#[test]
fn accepted_mutants_and_those_of_another_run_do_not_fail_the_gate() {
    let Some(project) = Project::new("python") else { return };
    let mut program = Program::new();
    program.tests.truncate(2);
    program.write(&project);
    assert_eq!(project.run(&[&TEST[..], &["--out", "wildcaught.out.main"]].concat()).code, 2);
    let gate = ["--fail-on", "new-survivors", "--against", "wildcaught.out.main"];
    let same = project.run(&[&TEST[..], &gate].concat());
    assert!(matches!(same.code, 0 | 3), "{} {}", same.code, same.out);
    program.constants[2] = 0;
    program.write(&project);
    let worse = project.run(&[&TEST[..], &gate].concat());
    assert_eq!(worse.code, 2, "{}", worse.out);
    assert!(worse.out.contains("new missed mutant"), "{}", worse.out);
    let missed = project.export("wildcaught.out");
    let ids: Vec<String> =
        missed.survivors_ranked().iter().map(|at| missed.mutants[*at as usize].id.clone()).collect();
    let accept =
        [&["accept"], &ids.iter().map(String::as_str).collect::<Vec<_>>()[..], &["--reason", "an example"]]
            .concat();
    let accepted = project.command().args(accept).output().unwrap();
    assert!(accepted.status.success(), "{}", String::from_utf8_lossy(&accepted.stderr));
    let file = project.read("wildcaught.accepted.toml");
    assert!(file.contains("reason = \"an example\"") && file.contains("words = "), "{file}");
    let fine = project.run(&TEST);
    assert!(matches!(fine.code, 0 | 3), "{} {}", fine.code, fine.out);
    assert!(fine.out.contains("accepted in wildcaught.accepted.toml"), "{}", fine.out);
    let one = [&TEST[..], &["--fresh"]].concat();
    program.tests = (0..FUNCTIONS).flat_map(|at| (0..6).map(move |x| (at, x))).collect();
    program.write(&project);
    let better = project.run(&one);
    assert!(better.out.contains("accepted, but a test kills it now"), "{}", better.out);
}
