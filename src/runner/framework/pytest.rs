//! pytest: node ids, and a report in JUnit's manner.

use crate::exec::Observation;
use crate::exec::Spec;
use crate::harness::Reading;
use crate::harness::read::junit_xml;
use crate::harness::read::pytest_list;

use super::super::batch::Batch;
use super::super::batch::ChosenTests;
use super::super::batch::Dialect;
use super::super::batch::Group;
use super::super::request::RunError;
use super::super::request::Runner;
use super::setup::TestSetup;
use super::table::Framework;

/// Flags that change how much is printed, and so what is read.
const TALK: [&str; 4] = ["-v", "-q", "-r", "--tb"];

/// pytest.
pub struct Pytest;

impl Framework for Pytest {
    fn runner(&self, setup: &TestSetup) -> Result<Box<dyn Runner>, RunError> {
        let program = program(setup.config.tests.style.command().unwrap_or("python3 -m pytest"))?;
        let list = Spec::program(&program[0], setup.tree).args(&program[1..]);
        let listed = setup.ask(list.args(["--collect-only", "-q", "-p", "no:cacheprovider"]))?;
        let tests = pytest_list(&listed).into_iter().filter(|test| setup.wants(test)).collect();
        let group = Group { program, directory: setup.tree.to_owned(), env: vec![], tests };
        let groups = vec![(String::new(), group)];
        Ok(Box::new(
            Batch::new(Box::new(NodeIds), groups, setup.env(), setup.scratch, setup.units)
                .sandboxed(setup.sandbox),
        ))
    }
}

/// The words of the command; at least one.
fn program(line: &str) -> Result<Vec<String>, RunError> {
    let talk = |word: &&str| TALK.iter().any(|flag| word.starts_with(flag));
    let words: Vec<String> = line.split_whitespace().filter(|word| !talk(word)).map(str::to_owned).collect();
    if words.first().is_none_or(|word| word.starts_with('-')) {
        let remedy = "write \"python3 -m pytest\", or leave it out";
        return Err(RunError::Broken(format!("tests.command = {line:?} names no program; {remedy}")));
    }
    Ok(words)
}

struct NodeIds;

impl Dialect for NodeIds {
    fn choose<'s>(&self, spec: Spec<'s>, chosen: &ChosenTests) -> Spec<'s> {
        let spec = spec.args(["-q", "-p", "no:cacheprovider"]);
        let spec = spec.arg(format!("--junitxml={}", chosen.report.display()));
        spec.args(chosen.first_kill.then_some("-x")).args(chosen.names)
    }

    fn read(&self, _seen: &Observation, chosen: &ChosenTests) -> Reading {
        std::fs::read(chosen.report).map(|bytes| junit_xml(&bytes)).unwrap_or_default()
    }

    /// The report is written when all tests are over.
    fn finished(&self, chosen: &ChosenTests) -> bool {
        chosen.report.exists()
    }

    /// Plugins may fail a session, such as one that wants more coverage.
    fn exits_by_tests(&self) -> bool {
        false
    }

    /// A report has `tests.test_a.TestB#test_c`; a node id is `tests/test_a.py::TestB::test_c`.
    fn reported(&self, node: &str) -> String {
        let (path, rest) = node.split_once("::").unwrap_or((node, ""));
        let module = path.trim_end_matches(".py").replace('/', ".");
        // Names in brackets may have colons of their own.
        let bracket = rest.find('[').unwrap_or(rest.len());
        match rest[..bracket].rsplit_once("::") {
            Some((class, _)) => format!("{module}.{}#{}", class.replace("::", "."), &rest[class.len() + 2..]),
            None => format!("{module}#{rest}"),
        }
    }

    fn announces(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_ids_are_found_in_reports() {
        let name = |node: &str| NodeIds.reported(node);
        assert_eq!(name("tests/test_a.py::TestB::test_c[x::y]"), "tests.test_a.TestB#test_c[x::y]");
        assert_eq!(name("test_a.py::test_c"), "test_a#test_c");
    }

    #[test]
    fn a_command_without_a_program_is_refused() {
        assert_eq!(program("python3 -m pytest -v --tb=line x").unwrap(), ["python3", "-m", "pytest", "x"]);
        for line in ["", "  ", "-q", "-x"] {
            assert!(program(line).unwrap_err().to_string().starts_with("tests.command"), "{line}");
        }
    }
}
