//! Many inputs for one program: by a fork server where the program has one, else one process per case.

use std::fs;
use std::path::Path;

use crate::harness::Case as CaseName;
use crate::harness::CaseList;
use crate::harness::Cases;
use crate::harness::Oracle;
use crate::harness::Style;

use super::super::each::Single;
use super::super::each::TestCall;
use super::super::fork::ForkCase;
use super::super::fork::ForkServer;
use super::super::oracle::Expected;
use super::super::request::RunError;
use super::super::request::Runner;
use super::super::words::plain_words;
use super::files::files;
use super::setup::TestSetup;
use super::table::Framework;

/// What a program has in it that was linked with the runtime of C.
const SERVER_MARK: &[u8] = b"WILDCAUGHT_SERVER";

/// Cases of one program.
pub struct CasesOfProgram;

impl Framework for CasesOfProgram {
    fn runner(&self, setup: &TestSetup) -> Result<Box<dyn Runner>, RunError> {
        let Style::Cases(cases) = &setup.config.tests.style else {
            return Err(RunError::Broken("tests are not cases of a program".into()));
        };
        let names = match &cases.list {
            CaseList::Names(names) => names.clone(),
            CaseList::Globs(globs) => files(setup.tree, globs)?,
        };
        let names: Vec<String> = names.into_iter().filter(|name| setup.wants(name)).collect();
        let mut notes = vec![];
        if let Some(mut server) = fork_server(setup, cases, &names) {
            match server.start(setup.progress) {
                Ok(()) => return Ok(Box::new(server)),
                Err(RunError::Stopped) => return Err(RunError::Stopped),
                Err(error) => notes.push(format!(
                    "{error}: it cannot fork itself for each case; every case starts a process, which is slower"
                )),
            }
        }
        let singles = names.iter().map(|name| (name.clone(), single(setup, cases, name)));
        Ok(Box::new(setup.each(singles.collect()).with_notes(notes)))
    }
}

fn single(setup: &TestSetup, cases: &Cases, name: &str) -> Single {
    Single {
        call: TestCall::Line(CaseName(name).shell(&cases.run)),
        directory: setup.tree.to_owned(),
        env: vec![],
        expected: expected(setup.tree, &cases.oracle, name),
    }
}

fn expected(tree: &Path, oracle: &Oracle, name: &str) -> Expected {
    match oracle {
        Oracle::Exit => Expected::Exit { fails: false },
        Oracle::Crash => Expected::Crash,
        Oracle::Original => Expected::Original,
        Oracle::Golden(template) => Expected::Golden(tree.join(CaseName(name).path(template))),
        Oracle::Script(line) => Expected::Script(CaseName(name).shell(line)),
    }
}

/// A fork server, if each case is a plain call of a program that has one. A script needs what was printed.
fn fork_server(setup: &TestSetup, cases: &Cases, names: &[String]) -> Option<ForkServer> {
    if matches!(cases.oracle, Oracle::Script(_)) || names.is_empty() {
        return None;
    }
    let words = plain_words(&cases.run)?;
    let program = fs::read(setup.tree.join(&words.program)).ok()?;
    memchr::memmem::find(&program, SERVER_MARK)?;
    let tests = names.iter().map(|name| {
        let case = ForkCase {
            arguments: words.arguments.iter().map(|word| CaseName(name).path(word)).collect(),
            input: words.input.as_ref().map(|word| setup.tree.join(CaseName(name).path(word))),
            expected: expected(setup.tree, &cases.oracle, name),
        };
        (name.clone(), case)
    });
    Some(
        ForkServer::new(tests.collect(), Path::new(&words.program), setup.tree, setup.env())
            .sandboxed(setup.sandbox),
    )
}
