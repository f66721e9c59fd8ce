//! Go's own test framework: a test program per package.

use std::path::Path;
use std::path::PathBuf;

use crate::exec::Observation;
use crate::exec::Spec;
use crate::harness::Reading;
use crate::harness::read::go_list;
use crate::harness::read::go_verbose;

use super::super::batch::Batch;
use super::super::batch::ChosenTests;
use super::super::batch::Dialect;
use super::super::batch::Group;
use super::super::request::RunError;
use super::super::request::Runner;
use super::go_command::GoCommand;
use super::setup::TestSetup;
use super::table::Framework;

/// How long one argument of a program may be: Linux takes 128 KiB.
const LONGEST_ARGUMENT: usize = 100 << 10;

/// Bytes of a log that are written at a time before its end.
const LOG_BLOCK: u64 = 4096;

/// go test.
pub struct Go;

impl Framework for Go {
    fn runner(&self, setup: &TestSetup) -> Result<Box<dyn Runner>, RunError> {
        let command = GoCommand::parse(setup.config.tests.style.command().unwrap_or("go test ./..."))?;
        let list = Spec::program(&command.go, setup.built).args(["list", "-f", "{{.Dir}}"]);
        let listed = setup.ask(list.args(&command.selection).args(&command.packages))?;
        let mut groups = Vec::new();
        for (number, directory) in String::from_utf8_lossy(&listed).lines().enumerate() {
            let inside = Path::new(directory).strip_prefix(setup.built).unwrap_or(Path::new("")).to_owned();
            let program = setup.built.join(format!("wildcaught-{number}.test"));
            if !program.exists() || setup.built == setup.tree {
                build(setup, &command, &inside, &program)?;
            }
            // A package without tests has no program.
            if program.exists() {
                groups.push((inside.display().to_string(), group(setup, &command, &inside, &program)?));
            }
        }
        groups.retain(|(_, group)| !group.tests.is_empty());
        Ok(Box::new(
            Batch::new(Box::new(GoTest), groups, setup.env(), setup.scratch, setup.units)
                .sandboxed(setup.sandbox),
        ))
    }
}

fn build(setup: &TestSetup, command: &GoCommand, inside: &Path, program: &Path) -> Result<(), RunError> {
    // Vet refuses mutants that compile.
    let spec = Spec::program(&command.go, setup.built.join(inside)).args(["test", "-vet=off"]);
    setup.ask(spec.args(&command.build).args(["-c", "-o"]).arg(program).arg("."))?;
    Ok(())
}

fn group(
    setup: &TestSetup,
    command: &GoCommand,
    inside: &Path,
    program: &PathBuf,
) -> Result<Group, RunError> {
    let directory = setup.tree.join(inside);
    let listed =
        setup.ask(Spec::program(program, &directory).arg(format!("-test.list={}", command.pattern)))?;
    let tests = go_list(&listed).into_iter().filter(|test| setup.wants(test)).collect();
    let program = [&[program.display().to_string()], &command.run[..]].concat();
    Ok(Group { program, directory, env: vec![], tests })
}

/// `-test.run ^(A|B)$`
struct GoTest;

impl Dialect for GoTest {
    fn choose<'s>(&self, spec: Spec<'s>, chosen: &ChosenTests) -> Spec<'s> {
        let quoted: Vec<String> = chosen.names.iter().map(|name| regex::escape(name)).collect();
        let spec = spec.arg("-test.v").arg(format!("-test.run=^({})$", quoted.join("|")));
        let spec =
            spec.arg("-test.paniconexit0").arg(format!("-test.testlogfile={}", chosen.report.display()));
        spec.args(chosen.first_kill.then_some("-test.failfast"))
    }

    fn read(&self, seen: &Observation, _chosen: &ChosenTests) -> Reading {
        go_verbose(&seen.stdout)
    }

    /// The log of what tests open is written block by block, and its last part when all tests are over.
    fn finished(&self, chosen: &ChosenTests) -> bool {
        std::fs::metadata(chosen.report).is_ok_and(|log| log.len() % LOG_BLOCK != 0)
    }

    /// All names are in one argument.
    fn room(&self) -> usize {
        LONGEST_ARGUMENT
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::super::request::Request;
    use super::super::super::request::Thrift;
    use super::*;
    use crate::control::Progress;

    /// Prints what a test program in Go does, for every name that it is given.
    const PROGRAM: &str = r#"for a in "$@"; do case "$a" in -test.run=*) printf '%s\n' "${a#-test.run=}" |
        sed 's/^^(//; s/)\$$//' | tr '|' '\n' | sed 's/.*/=== RUN   &\n--- PASS: & (0.00s)/' ;;
        -test.testlogfile=*) echo log > "${a#-test.testlogfile=}" ;; esac; done"#;

    #[test]
    fn more_tests_than_one_argument_can_name_are_run_in_several_processes() {
        let scratch = tempfile::tempdir().unwrap();
        let tests =
            (0..5000).map(|test| format!("TestWithANameAsLongAsThoseThatGeneratorsWrite{test:05}")).collect();
        let program = ["sh", "-c", PROGRAM, "sh"].map(str::to_owned).to_vec();
        let group = Group { program, directory: scratch.path().to_owned(), env: vec![], tests };
        let mut batch = Batch::new(Box::new(GoTest), vec![(String::new(), group)], vec![], scratch.path(), 1);
        let all: Vec<u32> = (0..5000).collect();
        let minute = Duration::from_secs(60);
        let request = Request {
            on: "",
            tests: &all,
            limits: &|_| Duration::ZERO,
            floor: minute,
            work: minute,
            first_kill: false,
            reach: false,
            thrift: Thrift::None,
            progress: &Progress::default(),
        };
        let ran = batch.run(&request).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((ran.said.len(), ran.is_killed()), (5000, false));
    }
}
