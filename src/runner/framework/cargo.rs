//! Rust's own test harness: the programs that `cargo test` builds, also those that `cargo nextest` would run.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::Path;

use crate::exec::Observation;
use crate::exec::Spec;
use crate::harness::Reading;
use crate::harness::Style;
use crate::harness::read::TestBinary;
use crate::harness::read::executables;
use crate::harness::read::libtest;
use crate::harness::read::libtest_list;
use crate::harness::read::libtest_log;
use crate::harness::read::libtest_log_lines;

use super::super::batch::Batch;
use super::super::batch::ChosenTests;
use super::super::batch::Dialect;
use super::super::batch::Group;
use super::super::each::tail;
use super::super::request::RunError;
use super::super::request::Runner;
use super::cargo_flags::build_flags;
use super::cargo_flags::test_flags;
use super::doc_tests::DocTests;
use super::setup::TestSetup;
use super::table::Framework;
use super::with_docs::WithDocs;

/// The flag that names a log of verdicts.
const LOG: &str = "--logfile";

/// Cargo and nextest.
pub struct Cargo;

impl Framework for Cargo {
    fn runner(&self, setup: &TestSetup) -> Result<Box<dyn Runner>, RunError> {
        let mut binaries = binaries(setup)?;
        // Cargo names them in the order in which they were done.
        binaries
            .sort_by(|a, b| (&a.package_dir, &a.kind, &a.target).cmp(&(&b.package_dir, &b.kind, &b.target)));
        let mut titles: BTreeMap<String, usize> = BTreeMap::new();
        let (mut groups, mut libtest) = (Vec::new(), Libtest::default());
        for binary in binaries {
            let title = title(&binary, &mut titles);
            let group = group(setup, &binary, &title)?;
            if !group.tests.is_empty() {
                libtest.look_at(setup, &group)?;
                groups.push((title, group));
            }
        }
        let batch = Batch::new(Box::new(libtest), groups, setup.env(), setup.scratch, setup.units)
            .sandboxed(setup.sandbox);
        // Nextest does not run documentation tests.
        let flags = setup.config.build.command.as_deref().map(build_flags).unwrap_or_default();
        let docs = Some(flags).filter(|_| setup.config.tests.style.name() == "cargo");
        match docs.and_then(|flags| DocTests::new(setup, &flags)) {
            Some(docs) => Ok(Box::new(WithDocs::new(batch, docs, setup)?)),
            None => Ok(Box::new(batch)),
        }
    }
}

/// The programs with tests in them: from what the build printed, or else from cargo.
fn binaries(setup: &TestSetup) -> Result<Vec<TestBinary>, RunError> {
    let own = match &setup.config.tests.style {
        Style::Framework { command: Some(command), .. } => Some(test_flags(command)?),
        _ => None,
    };
    let told = executables(setup.said);
    if own.is_none() && !told.is_empty() {
        return Ok(told);
    }
    // Cargo does not build again what the build command built with the same flags.
    let usual = || setup.config.build.command.as_deref().map(build_flags).unwrap_or_default();
    let flags = own.unwrap_or_else(usual);
    let spec = Spec::program("cargo", setup.built).args(["test", "--no-run", "--message-format=json"]);
    let spec = spec.args(flags).time(setup.config.build.timeout);
    let line = spec.line();
    let seen = setup.observe(spec)?;
    if !seen.is_success() {
        return Err(RunError::Broken(format!("{line} fails: {}", tail(&seen.stdout))));
    }
    Ok(executables(&seen.stdout))
}

/// What stands before the names of a program's tests; nothing for the library's own.
fn title(binary: &TestBinary, titles: &mut BTreeMap<String, usize>) -> String {
    let own = binary.kind == "lib" || binary.kind == "proc-macro";
    let title = if own { String::new() } else { binary.target.clone() };
    let count = titles.entry(title.clone()).or_default();
    *count += 1;
    if *count > 1 { format!("{title}{count}") } else { title }
}

fn group(setup: &TestSetup, binary: &TestBinary, title: &str) -> Result<Group, RunError> {
    let inside = binary.package_dir.strip_prefix(setup.built).unwrap_or(Path::new(""));
    let directory = setup.tree.join(inside);
    let mut env = vec![("CARGO_MANIFEST_DIR".into(), directory.display().to_string())];
    // A backtrace takes ten times as long as most tests.
    if !setup.config.tests.env.contains_key("RUST_BACKTRACE") {
        env.push(("RUST_BACKTRACE".into(), "0".into()));
    }
    let listed = setup.ask(Spec::program(&binary.path, &directory).args(["--list", "--format", "terse"]))?;
    let name = |test: &str| if title.is_empty() { test.to_owned() } else { format!("{title}::{test}") };
    let tests = libtest_list(&listed).into_iter().filter(|test| setup.wants(&name(test))).collect();
    Ok(Group { program: vec![binary.path.display().to_string()], directory, env, tests })
}

/// `--exact name…`
#[derive(Default)]
struct Libtest {
    /// Programs that write a log of verdicts. Harnesses of others need not have one.
    logging: BTreeSet<String>,
}

impl Libtest {
    /// Asks a program whether it can write a log.
    fn look_at(&mut self, setup: &TestSetup, group: &Group) -> Result<(), RunError> {
        let Some(program) = group.program.first() else { return Ok(()) };
        let help = setup.ask(Spec::program(program, &group.directory).arg("--help"))?;
        if memchr::memmem::find(&help, LOG.as_bytes()).is_some() {
            self.logging.insert(program.clone());
        }
        Ok(())
    }

    fn logs(&self, chosen: &ChosenTests) -> bool {
        self.logging.contains(chosen.program)
    }
}

impl Dialect for Libtest {
    fn choose<'s>(&self, spec: Spec<'s>, chosen: &ChosenTests) -> Spec<'s> {
        let spec = spec.args(["--exact", "--test-threads=1"]);
        let log = self.logs(chosen).then(|| [LOG.into(), chosen.report.display().to_string()]);
        spec.args(log.into_iter().flatten()).args(chosen.names)
    }

    fn read(&self, seen: &Observation, chosen: &ChosenTests) -> Reading {
        let printed = libtest(&seen.stdout);
        if !self.logs(chosen) {
            return printed;
        }
        libtest_log(&std::fs::read(chosen.report).unwrap_or_default(), printed)
    }

    /// Every test has its line in the log.
    fn finished(&self, chosen: &ChosenTests) -> bool {
        let log = || std::fs::read(chosen.report).unwrap_or_default();
        !self.logs(chosen) || libtest_log_lines(&log()) >= chosen.names.len()
    }
}
