//! The engine: what a meta-program costs while nothing is switched on, and how fast it is run many times.
//!
//! In: `idle.c`, mutated by the shipped classic and wild operators. The compiler is `cc -O2`; the original is
//! built without the runtime and its options, as a user has it.

use std::collections::BTreeSet;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;
use std::time::Instant;

use wildcaught::control::Events;
use wildcaught::control::Phase;
use wildcaught::control::Progress;
use wildcaught::engine::Driver;
use wildcaught::engine::Project;
use wildcaught::engine::Workbench;
use wildcaught::engine::complaints;
use wildcaught::engine::screen::Ladder;
use wildcaught::engine::screen::Rung;
use wildcaught::engine::screen::Screen;
use wildcaught::files::TemporaryDirectory;
use wildcaught::harness::Config;
use wildcaught::harness::Style;
use wildcaught::insert::Arsenal;
use wildcaught::insert::FileMutants;
use wildcaught::insert::Fit;
use wildcaught::insert::Inserter;
use wildcaught::insert::Rules;
use wildcaught::insert::Target;
use wildcaught::operator::OperatorSet;
use wildcaught::operator::read_set;
use wildcaught::operator::shipped_text;
use wildcaught::runner::Each;
use wildcaught::runner::Expected;
use wildcaught::runner::ForkCase;
use wildcaught::runner::ForkServer;
use wildcaught::runner::Request;
use wildcaught::runner::Runner;
use wildcaught::runner::Single;
use wildcaught::runner::TestCall;
use wildcaught::runner::Thrift;
use wildcaught::workspace::Workspace;

use super::language;
use super::measure::cost_of;
use super::measure::seconds_of;

const SOURCE: &str = include_str!("idle.c");
const BUILD: &str = "cc -O2 -o idle idle.c";
/// The sets whose operators are woven in.
const SETS: [&str; 2] = ["wild-c", "classic-c"];
/// Rounds of the program that take a third of a second.
const ROUNDS: &str = "5000";
/// How often the original and the meta-program are run, by turns.
const TURNS: usize = 7;
/// Runs by the fork server, and as many by fork and exec.
const RUNS: usize = 2000;
/// How often all of these are repeated, by turns.
const REPEATED: usize = 3;
/// No build and no run takes so long.
const LONGEST: Duration = Duration::from_secs(600);

/// A program and its meta-program, both built.
pub struct Meta {
    /// Holds the original; gone when dropped.
    scratch: tempfile::TempDir,
    /// Holds the meta-program.
    _meta: (Workspace, TemporaryDirectory),
    original: PathBuf,
    program: PathBuf,
    units: usize,
    /// Mutants that are woven in.
    woven: usize,
    /// Mutants that do not compile.
    dead: usize,
    /// Mutants that must be built one by one.
    alone: usize,
    rounds: usize,
}

/// Builds the meta-program once and runs benches on it; says why where that cannot be done.
pub fn engine(benches: &[fn(&Meta)]) {
    match Command::new("cc").arg("--version").output() {
        Ok(said) if said.status.success() => {
            let meta = Meta::build();
            benches.iter().for_each(|bench| bench(&meta));
        }
        _ => println!("idle, fork: left out; there is no C compiler called cc"),
    }
}

impl Meta {
    /// Weaves in all mutants that fit, as `wildcaught test --ops wild,classic --all` does.
    fn build() -> Self {
        let def = language("c");
        let sets = SETS.map(shipped);
        let arsenal = Arsenal::new(&sets, &def).unwrap_or_else(|error| panic!("{error}"));
        let target = Target::new(&def, vec![(PathBuf::from("idle.c"), SOURCE.into())]);
        let fit = Fit::of(Rules::sane(), 0.5);
        let inserter = Inserter { def: &def, arsenal: &arsenal, target: &target, fit };
        let FileMutants { mutants, .. } = inserter.file(0);
        let mut ladder = Ladder::new(&inserter, mutants.iter().collect());
        let scratch = tempfile::tempdir().expect("a temporary directory");
        let original = scratch.path().join("original");
        std::fs::create_dir(&original).expect("a writable temporary directory");
        std::fs::write(original.join("idle.c"), SOURCE).expect("a writable temporary directory");
        let mut config = Config::new(Style::Command { command: "true".into() });
        config.build.command = Some(BUILD.into());
        let events = Events::default();
        let project = Project {
            root: &original,
            config: &config,
            cache: scratch.path().to_owned(),
            out: None,
            outer: std::env::vars().collect(),
            strays: OnceLock::new(),
            usual_build: OnceLock::new(),
            containment: wildcaught::exec::Containment::off(),
            progress: &events.progress,
        };
        let built = project.build(&original, &[]).unwrap_or_else(|error| panic!("{error}"));
        assert!(built.fine, "the original is C");
        let (meta, units, rounds) = weave(&project, &inserter, &mut ladder, &events);
        let count = |wanted: fn(&Rung) -> bool| ladder.rungs.iter().filter(|rung| wanted(rung)).count();
        Self {
            original: original.join("idle"),
            program: meta.0.path().join("idle"),
            units,
            woven: count(|rung| rung.piece().is_some()),
            dead: count(|rung| matches!(rung, Rung::Dead(_))),
            alone: count(|rung| matches!(rung, Rung::Alone(_))),
            rounds,
            scratch,
            _meta: meta,
        }
    }

    fn fork_server(&self, arguments: &[String]) -> ForkServer {
        let (arguments, env) = (arguments.to_vec(), vec![]);
        let case = ForkCase { arguments, env, input: None, expected: Expected::Original };
        ForkServer::new(vec![("idle".into(), case)], &self.program, self.scratch.path(), vec![])
    }

    fn each(&self, arguments: &[String]) -> Each {
        let program = self.program.display().to_string();
        let single = Single {
            call: TestCall::Program([&[program], arguments].concat()),
            directory: self.scratch.path().to_owned(),
            env: vec![],
            expected: Expected::Original,
        };
        Each::new(vec![("idle".into(), single)], vec![], self.scratch.path(), 1)
    }
}

fn shipped(name: &str) -> OperatorSet {
    let text = shipped_text(name).unwrap_or_else(|| panic!("{name}: no such set"));
    read_set(text, name).unwrap_or_else(|error| panic!("{error}"))
}

/// Builds the meta-program until it builds; gives where it is, its units, and how many builds it took.
fn weave<'a>(
    project: &Project,
    inserter: &'a Inserter<'a>,
    ladder: &mut Ladder<'a>,
    events: &Events,
) -> ((Workspace, TemporaryDirectory), usize, usize) {
    let bench = Workbench::set_up(project, inserter.def, ladder.mutants.len(), events);
    let bench = bench.unwrap_or_else(|error| panic!("{error}"));
    let complaints = complaints(inserter.def).expect("a built-in definition is right");
    let mut screen = Screen::new(inserter, ladder, &complaints);
    let driver = Driver {
        bench: &bench,
        runtime: bench.runtime.as_ref().expect("C can be switched"),
        inserter,
        paths: &["idle.c".into()],
        phase: Phase::BuildingMutants,
    };
    let finished = driver.build(&mut screen).unwrap_or_else(|error| panic!("{error}"));
    let units: BTreeSet<u32> = screen.switches().into_iter().flatten().map(|switch| switch.unit).collect();
    (bench.into_directories(), units.len(), finished.rounds)
}

/// Runs the original and the meta-program by turns with nothing switched on; the least of each is told.
pub fn idle(meta: &Meta) {
    let programs = [&meta.original, &meta.program];
    let said =
        programs.map(|program| Command::new(program).arg(ROUNDS).output().expect("it was built").stdout);
    assert_eq!(said[0], said[1], "a meta-program with nothing switched on does what the original does");
    let mut least = [f64::INFINITY; 2];
    for _ in 0..TURNS {
        for (least, program) in least.iter_mut().zip(programs) {
            *least = least.min(seconds_of(Command::new(program).arg(ROUNDS)));
        }
    }
    println!(
        "idle   {} mutants in {} units, built in {} rounds; {} do not compile, {} must be built one by one",
        meta.woven, meta.units, meta.rounds, meta.dead, meta.alone
    );
    let [original, switched] = least;
    println!(
        "idle   original {original:.3} CPU-seconds, meta-program {switched:.3}: ratio {:.2}",
        switched / original
    );
    match programs.map(|program| text_bytes(program)) {
        [Some(original), Some(switched)] => println!(
            "idle   text segment {:.1} kB, meta-program {:.1} kB: ratio {:.1}",
            original / 1e3,
            switched / 1e3,
            switched / original
        ),
        _ => println!("idle   text segment left out; there is no tool called size"),
    }
}

/// Bytes of code and constants, as `size` says.
fn text_bytes(program: &Path) -> Option<f64> {
    let said = Command::new("size").arg(program).output().ok()?.stdout;
    let said = String::from_utf8_lossy(&said);
    said.lines().nth(1)?.split_whitespace().next()?.parse().ok()
}

/// Runs per second of wall time and of CPU time.
#[derive(Clone, Copy, Default)]
struct Rate {
    wall: f64,
    cpu: f64,
}

impl Rate {
    fn best(self, other: Self) -> Self {
        Self { wall: self.wall.max(other.wall), cpu: self.cpu.max(other.cpu) }
    }
}

/// Runs the meta-program by the fork server and by fork and exec: with nothing to do, and one round.
pub fn fork(meta: &Meta) {
    for rounds in ["0", "1"] {
        let arguments = [rounds.to_owned()];
        let (mut server, mut each) = (Rate::default(), Rate::default());
        for _ in 0..REPEATED {
            server = server.best(rate(|| meta.fork_server(&arguments)));
            each = each.best(rate(|| meta.each(&arguments)));
        }
        println!(
            "fork   {RUNS} runs of {rounds} rounds  fork server {:.0} per second, {:.0} per CPU-second; fork and exec {:.0}, {:.0}: ratio {:.2}, {:.2}",
            server.wall,
            server.cpu,
            each.wall,
            each.cpu,
            server.wall / each.wall,
            server.cpu / each.cpu
        );
    }
}

/// Starts a runner, runs its only test, and ends it: only then what the server spent is known.
fn rate<R: Runner>(start: impl Fn() -> R) -> Rate {
    let tests = [0; RUNS];
    let progress = Progress::default();
    let request = Request {
        on: "",
        tests: &tests,
        limits: &|_| Duration::ZERO,
        floor: LONGEST,
        work: LONGEST,
        first_kill: true,
        reach: false,
        thrift: Thrift::None,
        progress: &progress,
    };
    let begun = Instant::now();
    let cost = cost_of(&mut || {
        let ran = start().run(&request).unwrap_or_else(|error| panic!("{error}"));
        assert!(ran.said.len() == RUNS && !ran.is_killed(), "every run does the same");
    });
    Rate { wall: RUNS as f64 / begun.elapsed().as_secs_f64(), cpu: RUNS as f64 / cost.cpu }
}
