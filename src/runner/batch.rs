//! Many tests in one process, chosen by name, with verdicts read from what the framework prints or reports.

use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use crate::exec::Ended;
use crate::exec::Observation;
use crate::exec::Sandbox;
use crate::exec::Spec;
use crate::exec::Verdict;
use crate::harness::Reading;
use crate::harness::Seen;

use super::each::reach_file;
use super::each::read_reach;
use super::each::tail_of;
use super::nonce::nonce;
use super::request::Ran;
use super::request::Request;
use super::request::RunError;
use super::request::Runner;
use super::request::Said;

/// Milliseconds of tests in the first process, before checking whether one of them failed.
const FIRST_BATCH: f64 = 10.0;

/// How many bytes of what a framework prints are read.
const MOST_READ: u64 = 16 << 20;

/// How many bytes of names one process is given, unless its framework takes less: Linux takes 2 MiB in all.
const USUAL_ROOM: usize = 512 << 10;
/// Bytes that each name takes besides its own.
const PER_NAME: usize = 16;

/// How the programs of a framework get the tests to run, and how their verdicts are read.
pub trait Dialect: Send {
    /// Adds the arguments that choose tests.
    fn choose<'s>(&self, spec: Spec<'s>, chosen: &ChosenTests) -> Spec<'s>;

    /// Reads the verdicts: from the report, as far as there is one, rather than from what was printed.
    fn read(&self, seen: &Observation, chosen: &ChosenTests) -> Reading;

    /// Whether the framework came to its end, rather than its process only: by its report, which a test cannot write
    /// by printing.
    fn finished(&self, _chosen: &ChosenTests) -> bool {
        true
    }

    /// Whether the process fails if and only if a test fails.
    fn exits_by_tests(&self) -> bool {
        true
    }

    /// A test's name as the framework reports it.
    fn reported(&self, name: &str) -> String {
        name.to_owned()
    }

    /// Whether every test is announced when it ends, so that one that hangs is noticed by the silence.
    fn announces(&self) -> bool {
        true
    }

    /// How many bytes of names one process can be given.
    fn room(&self) -> usize {
        USUAL_ROOM
    }
}

/// The tests that one process is to run.
pub struct ChosenTests<'a> {
    pub program: &'a str,
    pub names: &'a [&'a str],
    /// Where a report may be written; the name is new for every process.
    pub report: &'a Path,
    /// Whether to stop at the first failure.
    pub first_kill: bool,
}

/// A process that ran tests.
struct Process {
    seen: Observation,
    reading: Reading,
    /// Whether how it ended and what was read of it fit together.
    sound: bool,
}

impl Process {
    /// Whether its end cannot be charged to one of its tests.
    fn is_in_doubt(&self) -> bool {
        let silent = self.reading.seen.is_empty() && self.reading.unfinished.is_none();
        !self.sound || (silent && matches!(self.seen.ended, Ended::Signal(_) | Ended::Code(_)))
    }
}

/// Whether how a process ended fits what was read of it: otherwise somebody else than the framework spoke, or ended it.
fn is_sound(seen: &Observation, reading: &Reading, finished: bool, exits_by_tests: bool) -> bool {
    let bad = reading.unfinished.is_some() || reading.seen.iter().any(|seen| seen.verdict.is_kill());
    match seen.ended {
        Ended::Code(0) => finished && !(bad && exits_by_tests),
        Ended::Code(_) => bad || !finished || !exits_by_tests,
        _ => true,
    }
}

/// Tests that live in one program.
#[derive(Clone, Debug)]
pub struct Group {
    pub program: Vec<String>,
    pub directory: PathBuf,
    pub env: Vec<(String, String)>,
    /// The names that the program knows, in order.
    pub tests: Vec<String>,
}

/// Runs tests in batches.
pub struct Batch {
    dialect: Box<dyn Dialect>,
    names: Vec<String>,
    groups: Vec<Group>,
    /// Per test, its group and its place in there.
    places: Vec<(usize, usize)>,
    env: Vec<(String, String)>,
    scratch: PathBuf,
    units: usize,
    /// What each took last, in milliseconds.
    took: Vec<f64>,
    sandbox: Sandbox,
}

impl Batch {
    /// A runner. Tests of different programs with the same name are told apart by `titles`.
    pub fn new(
        dialect: Box<dyn Dialect>,
        groups: Vec<(String, Group)>,
        env: Vec<(String, String)>,
        scratch: &Path,
        units: u32,
    ) -> Self {
        let (mut names, mut places) = (Vec::new(), Vec::new());
        for (number, (title, group)) in groups.iter().enumerate() {
            for (place, test) in group.tests.iter().enumerate() {
                names.push(if title.is_empty() { test.clone() } else { format!("{title}::{test}") });
                places.push((number, place));
            }
        }
        let took = vec![1.0; names.len()];
        let groups = groups.into_iter().map(|(_, group)| group).collect();
        let (scratch, units, sandbox) = (scratch.to_owned(), units as usize, Sandbox::none());
        Self { dialect, names, groups, places, env, scratch, units, took, sandbox }
    }

    /// Restricts what tests may do.
    pub fn sandboxed(mut self, sandbox: &Sandbox) -> Self {
        self.sandbox = sandbox.clone();
        self
    }

    fn name(&self, test: u32) -> &str {
        let (group, place) = self.places[test as usize];
        &self.groups[group].tests[place]
    }

    /// The next tests to run in one process: of one group, few at first where one that notices is enough.
    fn next<'t>(&self, left: &'t [u32], budget: f64, request: &Request) -> &'t [u32] {
        let group = |test: u32| self.places[test as usize].0;
        let mut room = self.dialect.room();
        let same = left.iter().take_while(|test| {
            let taken = 2 * self.name(**test).len() + PER_NAME;
            let fits = room >= taken;
            room = room.saturating_sub(taken);
            fits && group(**test) == group(left[0])
        });
        let same = same.count().max(1);
        if request.reach {
            return &left[..1];
        }
        if !request.first_kill {
            return &left[..same];
        }
        let mut sum = 0.0;
        let few = left[..same].iter().take_while(|test| {
            sum += self.took[**test as usize];
            sum <= budget
        });
        let few = few.count().max(1);
        &left[..few]
    }

    fn process(&self, tests: &[u32], request: &Request) -> Result<Process, RunError> {
        let group = &self.groups[self.places[tests[0] as usize].0];
        let names: Vec<&str> = tests.iter().map(|test| self.name(*test)).collect();
        let mut env = self.env.clone();
        env.extend(group.env.iter().cloned());
        env.push(("WILDCAUGHT_ON".into(), request.on.to_owned()));
        let reach = self.scratch.join("reach");
        if request.reach {
            reach_file(&reach, self.units)?;
            env.push(("WILDCAUGHT_REACH".into(), reach.display().to_string()));
        }
        let program = group.program.first().map_or("", String::as_str);
        let spec = Spec::program(program, &group.directory).args(group.program.iter().skip(1));
        let report = self.scratch.join(format!("report-{}", nonce()));
        let chosen = ChosenTests { program, names: &names, report: &report, first_kill: request.first_kill };
        let limit = request.floor + tests.iter().map(|test| (request.limits)(*test)).sum::<Duration>();
        // Where every test is announced, a test that hangs is noticed before all would have to be done.
        let longest = tests.iter().map(|test| request.limit(*test)).max();
        let silence = longest.filter(|_| self.dialect.announces());
        let work = match silence {
            Some(_) => tests.iter().map(|test| request.work(*test)).max().unwrap_or_default(),
            None => request.work + (limit - request.floor),
        };
        let spec = self.dialect.choose(spec, &chosen).envs(&env).time(limit).silence(silence).work(work);
        let spec = spec.keep(MOST_READ).sandboxed(&self.sandbox).stopped_by(request.progress);
        let seen = spec.run().map_err(RunError::io(group.program.join(" ")))?;
        let reading = self.dialect.read(&seen, &chosen);
        let sound = is_sound(&seen, &reading, self.dialect.finished(&chosen), self.dialect.exits_by_tests());
        // It is there only if the framework came so far.
        let _ = std::fs::remove_file(&report);
        Ok(Process { seen, reading, sound })
    }

    /// What each of the tests said; the rest of them, if the process ended before their turn.
    fn said(&mut self, tests: &[u32], process: &Process) -> (Vec<Said>, Vec<u32>) {
        let Process { seen: outcome, reading, sound } = process;
        let (mut said, mut left) = (Vec::new(), Vec::new());
        let whole = outcome.took.as_secs_f64() * 1e3 / tests.len() as f64;
        let lost = match outcome.ended {
            Ended::TimedOut | Ended::Flooded => Verdict::TimeOut,
            Ended::Signal(_) | Ended::OverLimit(_) => Verdict::Crash,
            _ => Verdict::Fail,
        };
        let known = reading.by_name();
        for &test in tests {
            let name = self.dialect.reported(self.name(test));
            let seen = known.get(name.as_str());
            let begun = reading.unfinished.as_deref() == Some(name.as_str());
            let verdict = match seen {
                // It is alone in its process, which did not end as that of a test that passes.
                Some(Seen { verdict: Verdict::Pass, .. }) if !sound => Verdict::Fail,
                Some(seen) => seen.verdict,
                None if begun => lost.max(Verdict::Crash),
                None => {
                    left.push(test);
                    continue;
                }
            };
            let millis = seen.and_then(|seen| seen.millis).unwrap_or(whole);
            let message = match seen {
                Some(seen) if *sound => seen.message.clone(),
                Some(seen) => {
                    format!(
                        "{}it reported success, but its process failed ({:?})",
                        seen.message, outcome.ended
                    )
                }
                None => tail_of(outcome),
            };
            self.took[test as usize] = millis;
            said.push(Said { test, verdict, millis, message, busy: outcome.busy });
        }
        // A process that ended by itself and skipped as many tests as are missing has skipped these.
        if matches!(outcome.ended, Ended::Code(_)) && reading.skipped >= left.len() {
            left.clear();
        }
        // A process without any verdict counts as a failure of its first test, so that every call makes progress.
        if said.is_empty() && !left.is_empty() {
            let test = left.remove(0);
            let millis = outcome.took.as_secs_f64() * 1e3;
            said.push(Said { test, verdict: lost, millis, message: tail_of(outcome), busy: outcome.busy });
        }
        (said, left)
    }
}

impl Runner for Batch {
    fn tests(&self) -> &[String] {
        &self.names
    }

    fn shares_processes(&self) -> bool {
        true
    }

    fn run(&mut self, request: &Request) -> Result<Ran, RunError> {
        let mut ran = Ran::default();
        let mut budget = FIRST_BATCH;
        // In the order that is wanted where that matters, else program by program.
        let mut order: Vec<u32> = request.tests.to_vec();
        if !request.first_kill {
            order.sort_by_key(|test| self.places[*test as usize]);
        }
        let mut left = &order[..];
        while !left.is_empty() {
            let now = self.next(left, budget, request);
            left = &left[now.len()..];
            let mut waiting = vec![now.to_vec()];
            while let Some(now) = waiting.pop() {
                let process = self.process(&now, request)?;
                if process.seen.ended == Ended::Stopped {
                    return Err(RunError::Stopped);
                }
                if request.reach {
                    ran.reached.push((now[0], read_reach(&self.scratch.join("reach"))?));
                }
                if process.is_in_doubt() && now.len() > 1 {
                    // Nobody knows which test it was: halves of them are run until one is alone.
                    let (first, rest) = now.split_at(now.len() / 2);
                    waiting.extend([rest.to_vec(), first.to_vec()]);
                    continue;
                }
                let (said, rest) = self.said(&now, &process);
                if !self.dialect.announces() {
                    // The times of tests, as a report has them, leave out what it takes to find them.
                    let told =
                        Duration::from_secs_f64(said.iter().map(|said| said.millis).sum::<f64>() / 1e3);
                    ran.overhead = ran.overhead.max(process.seen.took.saturating_sub(told));
                }
                ran.said.extend(said);
                if request.first_kill && ran.is_killed() {
                    return Ok(ran);
                }
                waiting.extend((!rest.is_empty()).then_some(rest));
            }
            budget *= 4.0;
        }
        Ok(ran)
    }

    fn programs(&self) -> Vec<PathBuf> {
        self.groups.iter().filter_map(|group| group.program.first()).map(PathBuf::from).collect()
    }
}
