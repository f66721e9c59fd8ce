//! One process per test.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use roaring::RoaringBitmap;

use crate::exec::Ended;
use crate::exec::Observation;
use crate::exec::Sandbox;
use crate::exec::Spec;
use crate::exec::Verdict;
use crate::files::Beneath;
use crate::harness::read::without_panic_numbers;
use crate::workspace::SCRATCH;

use super::oracle::CaseOracle;
use super::oracle::Expected;
use super::oracle::Sighting;
use super::request::OriginalLines;
use super::request::Ran;
use super::request::Request;
use super::request::RunError;
use super::request::Runner;
use super::request::Said;
use super::restored::Restored;

/// How many bytes of each stream are kept and compared.
const MOST_OUTPUT: u64 = 64 << 20;
/// How long the script of an oracle may take.
const SCRIPT_TIME: Duration = Duration::from_secs(60);

/// How a test is started.
#[derive(Clone, Debug)]
pub enum TestCall {
    /// A line for the shell.
    Line(String),
    /// A program and its arguments.
    Program(Vec<String>),
}

/// A test: how it is started, where, and how it is judged.
#[derive(Clone, Debug)]
pub struct Single {
    pub call: TestCall,
    pub directory: PathBuf,
    pub env: Vec<(String, String)>,
    pub expected: Expected,
}

/// Runs tests one by one.
pub struct Each {
    names: Vec<String>,
    singles: Vec<Single>,
    env: Vec<(String, String)>,
    oracles: Vec<CaseOracle>,
    /// A file of one byte per unit.
    reach: PathBuf,
    units: usize,
    notes: Vec<String>,
    sandbox: Sandbox,
    restored: Restored,
    lines: Option<OriginalLines>,
}

impl Each {
    /// A runner; `scratch` is a directory for its files.
    pub fn new(tests: Vec<(String, Single)>, env: Vec<(String, String)>, scratch: &Path, units: u32) -> Self {
        let (names, singles): (Vec<String>, Vec<Single>) = tests.into_iter().unzip();
        let oracles = singles.iter().map(|single| CaseOracle::new(single.expected.clone())).collect();
        Self {
            names,
            singles,
            env,
            oracles,
            reach: scratch.join("reach"),
            units: units as usize,
            notes: vec![],
            sandbox: Sandbox::none(),
            restored: Restored::default(),
            lines: None,
        }
    }

    /// Restricts what tests may do.
    pub fn sandboxed(mut self, sandbox: &Sandbox) -> Self {
        self.sandbox = sandbox.clone();
        self
    }

    /// Puts these files back before and after each test.
    pub fn restoring(mut self, restored: Restored) -> Self {
        self.restored = restored;
        self
    }

    /// Adds warnings for the user.
    pub fn with_notes(mut self, notes: Vec<String>) -> Self {
        self.notes.extend(notes);
        self
    }

    fn one(&mut self, test: u32, request: &Request) -> Result<(Said, Option<RoaringBitmap>), RunError> {
        let single = &self.singles[test as usize];
        let mut env = self.env.clone();
        env.extend(single.env.iter().cloned());
        env.push(("WILDCAUGHT_ON".into(), request.on.to_owned()));
        if request.reach {
            reach_file(&self.reach, self.units)?;
            env.push(("WILDCAUGHT_REACH".into(), self.reach.display().to_string()));
        }
        let what = &self.names[test as usize];
        let spec = single.spec().envs(&env).time(request.limit(test)).work(request.work(test));
        let spec = spec.keep(MOST_OUTPUT).sandboxed(&self.sandbox).stopped_by(request.progress);
        let mut seen = spec.run().map_err(RunError::io(what))?;
        if seen.ended == Ended::Stopped {
            return Err(RunError::Stopped);
        }
        let reached = if request.reach { Some(read_reach(&self.reach)?) } else { None };
        let message = tail_of_both(&seen);
        seen.stdout = self.comparable(seen.stdout);
        seen.stderr = self.comparable(seen.stderr);
        let verdict = self.judge(test, &seen)?;
        let message = if verdict.is_kill() { message } else { String::new() };
        let millis = seen.took.as_secs_f64() * 1e3;
        Ok((Said { test, verdict, millis, message, busy: seen.busy }, reached))
    }

    /// Output without what differs between programs that do the same: numbers of threads and columns in panics,
    /// and of lines where mutants are woven in.
    fn comparable(&self, output: Vec<u8>) -> Vec<u8> {
        let Ok(text) = str::from_utf8(&output) else { return output };
        let text = without_panic_numbers(text);
        match (&self.lines, text) {
            (Some(restore), text) => restore(&text).into_bytes(),
            (None, Cow::Owned(text)) => text.into_bytes(),
            (None, Cow::Borrowed(_)) => output,
        }
    }

    fn judge(&mut self, test: u32, seen: &Observation) -> Result<Verdict, RunError> {
        let single = &self.singles[test as usize];
        let sighting = Sighting::of(seen, matches!(single.call, TestCall::Line(_)));
        let (output, env) = (self.reach.with_file_name("output"), &self.env);
        self.oracles[test as usize].verdict(&sighting, |line| {
            write_scratch(&output, &seen.stdout)?;
            let line = line.replace("{output}", "\"$1\"");
            let spec = Spec::shell(&line, &single.directory).arg(&output).envs(env).time(SCRIPT_TIME);
            let spec = spec.sandboxed(&self.sandbox);
            Ok(spec.run().map_err(RunError::io("tests.script"))?.is_success())
        })
    }
}

impl Single {
    /// The process to start.
    pub fn spec(&self) -> Spec<'static> {
        let spec = match &self.call {
            TestCall::Line(line) => Spec::shell(line, &self.directory),
            TestCall::Program(words) => {
                let program = words.first().map_or("", String::as_str);
                Spec::program(program, &self.directory).args(words.iter().skip(1))
            }
        };
        spec.streams(self.expected.streams())
    }
}

/// The end of what a failed test printed on both streams.
fn tail_of_both(seen: &Observation) -> String {
    if seen.stderr.is_empty() { tail_of(seen) } else { tail_of(seen) + &tail(&seen.stderr) }
}

/// The limit that a run exceeded, if that is why it was ended, and the end of what it printed.
pub fn tail_of(seen: &Observation) -> String {
    let limit = seen.exceeded().map_or(String::new(), |exceeded| exceeded.message() + "\n");
    limit + &tail(&seen.stdout)
}

/// The end of what a failed test said.
pub fn tail(output: &[u8]) -> String {
    const KEPT: usize = 2000;
    String::from_utf8_lossy(&output[output.len().saturating_sub(KEPT)..]).into_owned()
}

/// Makes the file empty of reach.
pub fn reach_file(path: &Path, units: usize) -> Result<(), RunError> {
    write_scratch(path, &vec![0u8; units])
}

/// Writes a file of ours in a tree, and never through a link that a mutant put there.
fn write_scratch(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    let ours = path.ancestors().find(|above| above.file_name() == Some(OsStr::new(SCRATCH)));
    let tree = ours.or(Some(path)).and_then(Path::parent).unwrap_or(Path::new("/"));
    let inside = path.strip_prefix(tree).unwrap_or(path);
    let written = Beneath::open(tree).and_then(|tree| tree.write(inside, bytes));
    written.map_err(RunError::io(path.display().to_string()))
}

/// The units that were passed.
pub fn read_reach(path: &Path) -> Result<RoaringBitmap, RunError> {
    let bytes = fs::read(path).map_err(RunError::io(path.display().to_string()))?;
    Ok(bytes.iter().zip(0u32..).filter(|(byte, _)| **byte != 0).map(|(_, unit)| unit).collect())
}

impl Runner for Each {
    fn tests(&self) -> &[String] {
        &self.names
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn restore_lines(&mut self, lines: &OriginalLines) {
        self.lines = Some(lines.clone());
    }

    fn expected(&self) -> Vec<Option<u64>> {
        self.oracles.iter().map(|oracle| oracle.original).collect()
    }

    fn expect(&mut self, expected: &[Option<u64>]) {
        for (test, oracle) in self.oracles.iter_mut().enumerate() {
            oracle.original = expected.get(test).copied().flatten();
        }
    }

    fn run(&mut self, request: &Request) -> Result<Ran, RunError> {
        request.one_by_one(|test| {
            self.restored.put_back()?;
            let one = self.one(test, request);
            self.restored.put_back()?;
            one
        })
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn files_of_ours_are_not_written_through_links_that_a_mutant_left() {
        let home = tempfile::tempdir().unwrap();
        let (tree, kept) = (home.path().join("tree"), home.path().join("kept"));
        fs::create_dir_all(tree.join(SCRATCH)).unwrap();
        fs::write(&kept, "as it was").unwrap();
        let reach = tree.join(SCRATCH).join("reach");
        std::os::unix::fs::symlink(&kept, &reach).unwrap();
        reach_file(&reach, 4).unwrap();
        assert_eq!(fs::read(&reach).unwrap(), [0; 4]);
        assert_eq!(fs::read_to_string(&kept).unwrap(), "as it was");
    }
}
