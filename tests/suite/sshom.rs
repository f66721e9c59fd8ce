//! Strongly subsuming higher-order mutants: solved, split, searched, and by the command.

use std::convert::Infallible;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use roaring::RoaringBitmap;
use serde_json::Value;
use serde_json::json;

use wildcaught::analysis::sshom::AlternativeSets;
use wildcaught::analysis::sshom::Breeding;
use wildcaught::analysis::sshom::BruteForce;
use wildcaught::analysis::sshom::Condition;
use wildcaught::analysis::sshom::ConditionTest;
use wildcaught::analysis::sshom::Conditions;
use wildcaught::analysis::sshom::FirstOrder;
use wildcaught::analysis::sshom::Genetic;
use wildcaught::analysis::sshom::Leaf;
use wildcaught::analysis::sshom::Points;
use wildcaught::analysis::sshom::Prioritized;
use wildcaught::analysis::sshom::PriorityBounds;
use wildcaught::analysis::sshom::Problem;
use wildcaught::analysis::sshom::Search;
use wildcaught::analysis::sshom::SearchOutcome;
use wildcaught::analysis::sshom::Solution;
use wildcaught::analysis::sshom::SolveError;
use wildcaught::analysis::sshom::SolveLimits;
use wildcaught::analysis::sshom::Splitter;
use wildcaught::analysis::sshom::Subsumption;
use wildcaught::analysis::sshom::Weights;
use wildcaught::analysis::sshom::Which;
use wildcaught::analysis::sshom::first_order;
use wildcaught::analysis::sshom::leaves;
use wildcaught::analysis::sshom::run;
use wildcaught::analysis::sshom::solve;
use wildcaught::analysis::sshom::split_search;
use wildcaught::control::Progress;
use wildcaught::report::documents::SolveDocument;

use super::cli::command;
use super::triangle::Triangle;

fn solved(problem: &Problem) -> Solution {
    solve(problem, &SolveLimits::default(), &Progress::default()).unwrap()
}

/// The failing conditions of Triangle, worked out once.
static TRIANGLE: LazyLock<Problem> = LazyLock::new(|| Triangle::read().problem());

/// All that they have.
static ALL: LazyLock<Solution> = LazyLock::new(|| solved(&TRIANGLE));

fn orders(solution: &Solution, which: Which) -> Vec<(usize, u64)> {
    let counts = solution.counts(which);
    counts.orders().map(|(order, count)| (order, count.try_into().unwrap())).collect()
}

const ORDERS: [(usize, u64); 5] = [(2, 186), (3, 253), (4, 224), (5, 226), (6, 76)];

#[test]
fn the_failing_conditions_of_triangle_have_965_sshoms_six_of_them_strict() {
    let triangle = Triangle::read();
    let problem = &*TRIANGLE;
    assert_eq!((problem.points.len(), problem.points.mutants(), problem.tests.len()), (33, 128, 26));
    let solution = &*ALL;
    assert_eq!(orders(solution, Which::All), ORDERS);
    assert_eq!(solution.counts(Which::Strict).total(), 6_u32.into());
    for combination in solution.combinations(Which::All) {
        let killers = triangle.killers(&problem.points, &combination);
        assert_eq!(problem.killers(&combination), killers, "{combination:?}");
        let constituents: Vec<RoaringBitmap> =
            combination.iter().map(|mutant| triangle.killers(&problem.points, &[*mutant])).collect();
        let known = wildcaught::analysis::sshom::subsumes(&killers, &constituents).unwrap();
        assert_eq!(known == Subsumption::Strict, solution.has(Which::Strict, &combination));
    }
}

#[test]
fn splitting_triangle_finds_the_same_sshoms_in_few_leaves() {
    let triangle = Triangle::read();
    let points = triangle.points();
    let kills = first_order(&points, triangle.tests(), &mut &triangle).unwrap();
    let found = split_search(&points, &kills, &mut &triangle).unwrap();
    let solution = found.solution(&points, &kills, None, 1_000_000).unwrap();
    println!("{} boxes, {} runs, {} leaves", found.boxes.len(), found.runs, found.leaves);
    assert_eq!(orders(&solution, Which::All), ORDERS);
    assert_eq!(solution.counts(Which::Strict).total(), 6_u32.into());
    // Splitting everything takes 116,900,532; joining runs that reach the same state, 31,060.
    assert!(found.leaves <= 20_000, "{}", found.leaves);
    let other = &*ALL;
    for which in [Which::All, Which::Strict] {
        assert!(solution.combinations(which).eq(other.combinations(which)));
    }
}

#[test]
fn a_limit_of_the_order_keeps_what_is_below_it() {
    let problem = &*TRIANGLE;
    let limits = SolveLimits { max_order: Some(3), ..SolveLimits::default() };
    let solution = solve(problem, &limits, &Progress::default()).unwrap();
    assert_eq!(orders(&solution, Which::All), ORDERS[..2]);
}

#[test]
fn characteristics_of_triangle_are_those_of_its_list() {
    let solution = &*ALL;
    for which in [Which::All, Which::Strict] {
        let figures = solution.characteristics(which, None).unwrap();
        let all: Vec<Vec<u32>> = solution.combinations(which).collect();
        let same_tests = |set: &&Vec<u32>| {
            set.windows(2).all(|pair| solution.killers_of(pair[0]) == solution.killers_of(pair[1]))
        };
        let smaller = |set: &&Vec<u32>| {
            let without = |out: &u32| set.iter().copied().filter(|at| at != out).collect::<Vec<u32>>();
            set.iter().any(|out| all.contains(&without(out)))
        };
        let count = |number: usize| num_bigint::BigUint::from(number);
        assert_eq!(figures.equal_fail, count(all.iter().filter(same_tests).count()));
        assert_eq!(figures.n_plus_one, count(all.iter().filter(smaller).count()));
        assert_eq!(figures.above_two, count(all.iter().filter(|set| set.len() > 2).count()));
    }
}

#[test]
fn figures_of_triangle_round_to_the_published_ones() {
    let solution = &*ALL;
    let percent = |which| {
        let figures = solution.characteristics(which, None).unwrap();
        // The published table counts pairs as one mutant more than a single one.
        let number = |count: &num_bigint::BigUint| f64::from(u32::try_from(count).unwrap());
        let by_rule = number(&figures.n_plus_one) + number(&figures.counts.of(2));
        (by_rule * 100.0 / number(&figures.counts.total())).round() as u32
    };
    assert_eq!((percent(Which::All), percent(Which::Strict)), (98, 50));
}

fn first(problem: &Problem) -> FirstOrder {
    let mutants = 0..problem.points.mutants() as u32;
    let kills = mutants.map(|mutant| problem.killers(&[mutant])).collect();
    FirstOrder { points: problem.points.clone(), kills, places: None }
}

/// Runs a search on Triangle; all it finds must be right.
fn search(problem: &Problem, first: &FirstOrder, search: &mut dyn Search, budget: u64) -> SearchOutcome {
    let solution = &*ALL;
    let mut oracle = |combination: &[u32]| problem.killers(combination);
    let report = run(search, &mut oracle, first, budget);
    for found in &report.found {
        assert!(solution.has(Which::All, &found.mutants));
        assert_eq!(solution.has(Which::Strict, &found.mutants), found.subsumption == Subsumption::Strict);
    }
    report
}

#[test]
fn all_pairs_of_triangle_have_its_186_sshoms_of_order_two() {
    let problem = &*TRIANGLE;
    let first = first(problem);
    let mut brute = BruteForce::new(problem.points.clone(), 2);
    let report = search(problem, &first, &mut brute, u64::MAX);
    assert_eq!((report.found.len(), report.exhausted), (186, true));
}

#[test]
fn likely_candidates_first_finds_more_with_the_same_effort_than_breeding_or_trying_all() {
    let problem = &*TRIANGLE;
    let first = first(problem);
    let all: Vec<u32> = (0..128).collect();
    let budget = 7_000;
    let mut pri = Prioritized::new(&first, &all, PriorityBounds::default(), Weights::default());
    let mut gen_ = Genetic::new(&first, Breeding { population: 500, seed: 1, ..Breeding::default() });
    let mut brute = BruteForce::new(problem.points.clone(), 6);
    let [pri, bred, brute] = [&mut pri as &mut dyn Search, &mut gen_, &mut brute]
        .map(|strategy| search(problem, &first, strategy, budget).found.len());
    println!("{pri} {bred} {brute}");
    assert!(pri > bred && bred > 0 && pri > brute && brute > 0, "{pri} {bred} {brute}");
}

/// A problem of three points, `a b`, `c` and `d`: each test with the combinations that fail it.
fn small(tests: &[&[&[u32]]]) -> Problem {
    let names = |names: &str| names.split(' ').map(str::to_owned).collect();
    let points = Points::new(["a b", "c", "d"].map(names));
    let mut conditions = Conditions::new(10_000);
    let mut made = Vec::new();
    for (at, fails) in tests.iter().enumerate() {
        let mut any = Condition::NEVER;
        for combination in *fails {
            let mut one = Condition::ALWAYS;
            for mutant in (0..4).rev() {
                let on = combination.contains(&mutant);
                let (never, then) = (Condition::NEVER, one);
                one = conditions
                    .ask(mutant, if on { never } else { then }, if on { then } else { never })
                    .unwrap();
            }
            any = conditions.or(any, one).unwrap();
        }
        made.push(ConditionTest { name: format!("t{at}"), fails: any });
    }
    Problem { points, conditions, tests: made }
}

/// Runs the tests of a problem, each of which tells all alternatives of all points apart.
struct Telling<'a>(&'a Problem);

impl Splitter for Telling<'_> {
    type Stop = Infallible;

    fn run(&mut self, test: usize, allowed: &AlternativeSets) -> Result<Vec<Leaf>, Infallible> {
        let Self(problem) = self;
        Ok(leaves(allowed, |chooser| {
            let pick = |point: usize| match chooser.pick(point, |alternative| alternative) {
                0 => None,
                mutant => Some(problem.points.at(point).start + mutant - 1),
            };
            let on: Vec<u32> = (0..problem.points.len()).filter_map(pick).collect();
            problem.killers(&on).contains(test as u32)
        }))
    }
}

#[test]
fn solving_and_splitting_agree_with_trying_everything_on_random_problems() {
    let mut state = 12345_u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as u32
    };
    let all: Vec<Vec<u32>> =
        (1..16_u32).map(|bits| (0..4).filter(|at| bits >> at & 1 == 1).collect()).collect();
    let mut seen = [0, 0];
    for _ in 0..300 {
        let tests: Vec<Vec<&[u32]>> = (0..4)
            .map(|_| {
                let likely = |set: &&Vec<u32>| random() % if set.len() == 1 { 2 } else { 4 } == 0;
                all.iter().filter(likely).map(Vec::as_slice).collect()
            })
            .collect();
        let problem = small(&tests.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let (solution, first) = (solved(&problem), first(&problem));
        let kills = first_order(&problem.points, problem.tests.len(), &mut Telling(&problem)).unwrap();
        let split = split_search(&problem.points, &kills, &mut Telling(&problem)).unwrap();
        let split = split.solution(&problem.points, &kills, None, 10_000).unwrap();
        let judge = |set: &Vec<u32>| first.judge(set, &problem.killers(set));
        let wanted = |strict: bool| -> Vec<Vec<u32>> {
            let combined = all.iter().filter(|set| set.len() > 1 && problem.points.combine(set));
            let right = combined
                .filter(|set| judge(set).is_some_and(|known| !strict || known == Subsumption::Strict));
            let mut right: Vec<Vec<u32>> = right.cloned().collect();
            right.sort_by_key(|set| (set.len(), set.clone()));
            right
        };
        for (at, which) in [Which::All, Which::Strict].into_iter().enumerate() {
            let listed: Vec<Vec<u32>> = solution.combinations(which).collect();
            seen[at] += listed.len();
            assert_eq!(listed, wanted(which == Which::Strict));
            assert!(split.combinations(which).eq(listed));
        }
    }
    assert!(seen[0] > 100 && seen[1] > 20, "{seen:?}: the problems are too easy");
}

#[test]
fn a_test_that_fails_anyway_is_refused() {
    let problem = small(&[&[&[], &[0]]]);
    let error = solve(&problem, &SolveLimits::default(), &Progress::default()).unwrap_err();
    assert!(matches!(error, SolveError::Baseline { .. }), "{error}");
    assert_eq!(error.to_string(), "test `t0` fails with all mutants off; remove it");
}

#[test]
fn an_answer_that_is_too_large_is_refused_not_cut() {
    let problem = &*TRIANGLE;
    let limits = SolveLimits { max_nodes: 20, ..SolveLimits::default() };
    let error = solve(problem, &limits, &Progress::default()).unwrap_err().to_string();
    assert!(error.contains("more than 20 nodes") && error.contains("--max-order"), "{error}");
}

/// `a` and `c` alone fail t0 and t1, together only t0; `b` and `d` fail t1 however they are combined.
pub const BOXES: &str = r#"{
  "format": 1,
  "points": [
    {"name": "p", "mutants": ["a", "b"], "file": "x.c", "function": "f"},
    {"name": "q", "mutants": ["c"], "file": "x.c", "function": "g"},
    {"name": "r", "mutants": ["d"], "file": "y.c", "function": "h"}
  ],
  "tests": [
    {"name": "t0", "boxes": [
      {"fails": true, "sets": {"p": [1], "q": [0], "r": [0]}},
      {"fails": true, "sets": {"q": [1]}}
    ]},
    {"name": "t1", "boxes": [
      {"fails": true, "sets": {"p": [1], "q": [0], "r": [0]}},
      {"fails": true, "sets": {"p": [0], "q": [1], "r": [0]}},
      {"fails": true, "sets": {"p": [2], "r": [0]}},
      {"fails": true, "sets": {"r": [1]}}
    ]}
  ]
}"#;

struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn sshom(directory: &Path, line: &str) -> Ran {
    let output = command(directory).args(["sshom", "solve"]).args(line.split(' ')).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

#[test]
fn the_command_shows_what_boxes_hold() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("b.json"), BOXES).unwrap();
    let ran = sshom(place.path(), "b.json --list 1");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/sshom/boxes.txt");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&golden, &ran.out).unwrap();
    }
    assert_eq!(ran.out, fs::read_to_string(golden).unwrap());
    let ran = sshom(place.path(), "b.json --list 9 --json --strict");
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    let typed: SolveDocument = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((typed.format, &serde_json::to_value(&typed).unwrap()), (1, &document));
    assert_eq!(document["list"], json!([{"mutants": ["a", "c"], "killed_by": 1, "of": 2, "strict": true}]));
    assert_eq!((&document["strict"]["count"], document.get("all")), (&json!("1"), None));
    assert_eq!(document["strict"]["spread"]["one_file"], json!("1"));
}

#[test]
fn diagrams_and_formulas_of_a_folder_give_the_same() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    fs::write(at("groups.txt"), "a b\nc\nd\n").unwrap();
    fs::create_dir(at("bdd")).unwrap();
    fs::create_dir(at("cnf")).unwrap();
    // t0: c, or a without d. t1: a xor c.
    fs::write(at("bdd/t1.txt"), "3 5\n0 1 2 3 4\n10 3 0 1\n11 3 1 0\n12 1 10 11\n").unwrap();
    fs::write(at("bdd/t0.txt"), "4 5\n0 1 2 3 4\n10 4 1 0\n11 3 10 1\n12 3 0 1\n13 1 12 11\n").unwrap();
    fs::write(at("cnf/t0.cnf"), "p cnf 4 2\n1 3 0\n3 -4 0\n").unwrap();
    fs::write(at("cnf/t1.cnf"), "c 7 a\nc 5 c\np cnf 7 2\n7 5 0\n-7 -5 0\n").unwrap();
    let (diagrams, formulas) = (
        sshom(place.path(), "bdd --groups groups.txt --list 5"),
        sshom(place.path(), "cnf --groups groups.txt --list 5"),
    );
    assert_eq!((diagrams.code, diagrams.err.as_str()), (0, ""));
    assert_eq!(diagrams.out, formulas.out);
    assert!(
        diagrams.out.starts_with("1 SSHOMs, 1 of them strict: 4 mutants at 3 points, 2 tests"),
        "{}",
        diagrams.out
    );
    assert!(diagrams.out.ends_with("    2          1   2  a c\n"), "{}", diagrams.out);
}

#[test]
fn wrong_input_is_refused_with_file_and_line() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    fs::write(at("groups.txt"), "a\nb\n").unwrap();
    fs::create_dir(at("bdd")).unwrap();
    fs::write(at("bdd/t.txt"), "1 3\n0 1 2\n10 2 0 7\n").unwrap();
    for (line, wanted) in [
        ("bdd --groups groups.txt", "error: bdd/t.txt:3: node 7 below node 10 is not defined yet"),
        ("bdd", "error: bdd: it is unknown which mutants belong to one point; give --groups"),
        ("none.json", "error: cannot read none.json"),
        ("groups.txt", "error: groups.txt: neither a directory"),
        ("bdd --groups groups.txt --max-order 1", "error: --max-order must be at least 2"),
    ] {
        let ran = sshom(place.path(), line);
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{line}");
        assert!(ran.err.starts_with(wanted), "{}", ran.err);
    }
    fs::write(at("bdd/t.txt"), "1 3\n0 1 2\n10 2 0 1\n").unwrap();
    let none = sshom(place.path(), "bdd --groups groups.txt");
    assert_eq!(none.code, 5);
    assert!(
        none.out.starts_with("0 SSHOMs, 0 of them strict: 2 mutants at 2 points, 1 test\n"),
        "{}",
        none.out
    );
}
