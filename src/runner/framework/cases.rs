//! Many inputs for one program: by a fork server where the program has one, else one process per case.

use std::fs;
use std::path::Path;

use crate::harness::Call;
use crate::harness::Case as CaseName;
use crate::harness::CaseList;
use crate::harness::Cases;
use crate::harness::Oracle;
use crate::harness::Style;
use crate::harness::universe;

use super::super::each::Single;
use super::super::each::TestCall;
use super::super::fork::ForkCase;
use super::super::fork::ForkServer;
use super::super::oracle::Expected;
use super::super::request::RunError;
use super::super::request::Runner;
use super::super::restored::Restored;
use super::super::words::Words;
use super::super::words::plain_words;
use super::files::files;
use super::setup::TestSetup;
use super::table::Framework;

impl Words {
    /// The words of a template for one case.
    fn for_case(&self, name: &str) -> Self {
        Self {
            program: self.program.clone(),
            arguments: self.arguments.iter().map(|word| CaseName(name).path(word)).collect(),
            input: self.input.as_ref().map(|word| CaseName(name).path(word)),
        }
    }
}

/// What a program has in it that was linked with the runtime of C.
const SERVER_MARK: &[u8] = b"WILDCAUGHT_SERVER";

/// Cases of one program.
pub struct CasesOfProgram;

/// One case.
struct OneCase {
    name: String,
    /// The command, for a shell, and its words if it needs none.
    line: String,
    words: Option<Words>,
    env: Vec<(String, String)>,
}

impl Framework for CasesOfProgram {
    fn runner(&self, setup: &TestSetup) -> Result<Box<dyn Runner>, RunError> {
        let Style::Cases(cases) = &setup.config.tests.style else {
            return Err(RunError::Broken("the tests are not cases of a program".into()));
        };
        let mut all = all_cases(setup, cases)?;
        all.retain(|case| setup.wants(&case.name));
        let restored = || Restored::new(setup.tree, files(setup.tree, &cases.restore)?);
        let mut notes = vec![];
        if let Some(server) = fork_server(setup, cases, &all) {
            let mut server = server.restoring(restored()?);
            match server.start(setup.progress) {
                Ok(()) => return Ok(Box::new(server)),
                Err(RunError::Stopped) => return Err(RunError::Stopped),
                Err(error) => notes.push(format!(
                    "{error}, so it cannot fork itself for each case; starting a process per case instead, which is slower"
                )),
            }
        }
        let singles = all.into_iter().map(|case| (case.name.clone(), single(setup, cases, case)));
        Ok(Box::new(setup.each(singles.collect()).with_notes(notes).restoring(restored()?)))
    }
}

fn all_cases(setup: &TestSetup, cases: &Cases) -> Result<Vec<OneCase>, RunError> {
    let template = plain_words(&cases.run);
    let named = |names: Vec<String>| {
        let case = |name: String| OneCase {
            line: CaseName(&name).shell(&cases.run),
            words: template.as_ref().map(|words| words.for_case(&name)),
            name,
            env: vec![],
        };
        names.into_iter().map(case).collect()
    };
    match &cases.list {
        CaseList::Names(names) => Ok(named(names.clone())),
        CaseList::Globs(globs) => Ok(named(files(setup.tree, globs)?)),
        CaseList::Universe(path) => {
            let text = fs::read_to_string(setup.tree.join(path)).map_err(|error| {
                let remedy = "under universe in [tests], name a file of the project with one case per line";
                RunError::Broken(format!("{path}: {error}; {remedy}"))
            })?;
            let calls = universe(&text).map_err(|why| RunError::Broken(format!("{path}: {why}")))?;
            let case = |Call { name, env, arguments }| {
                let line = cases.run.replace("{arguments}", &arguments);
                OneCase { words: plain_words(&line), name, line, env }
            };
            Ok(calls.into_iter().map(case).collect())
        }
    }
}

fn single(setup: &TestSetup, cases: &Cases, case: OneCase) -> Single {
    Single {
        expected: expected(setup.tree, &cases.oracle, &case.name),
        call: TestCall::Line(case.line),
        directory: setup.tree.to_owned(),
        env: case.env,
    }
}

fn expected(tree: &Path, oracle: &Oracle, name: &str) -> Expected {
    match oracle {
        Oracle::Exit => Expected::success(),
        Oracle::Crash => Expected::Crash,
        Oracle::Original => Expected::Original,
        Oracle::Golden(template) => Expected::Golden(tree.join(CaseName(name).path(template))),
        Oracle::Script(line) => Expected::Script(CaseName(name).shell(line)),
    }
}

/// A fork server, if each case is a plain call of a program that has one. A script needs what was printed.
fn fork_server(setup: &TestSetup, cases: &Cases, all: &[OneCase]) -> Option<ForkServer> {
    if matches!(cases.oracle, Oracle::Script(_)) {
        return None;
    }
    let calls: Vec<&Words> = all.iter().map(|case| case.words.as_ref()).collect::<Option<_>>()?;
    let program = &calls.first()?.program;
    let text = fs::read(setup.tree.join(program)).ok()?;
    memchr::memmem::find(&text, SERVER_MARK)?;
    if calls.iter().any(|words| words.program != *program) {
        return None;
    }
    let tests = all.iter().zip(calls).map(|(case, words)| {
        let fork = ForkCase {
            arguments: words.arguments.clone(),
            env: case.env.iter().map(|(name, value)| format!("{name}={value}")).collect(),
            input: words.input.as_ref().map(|input| setup.tree.join(input)),
            expected: expected(setup.tree, &cases.oracle, &case.name),
        };
        (case.name.clone(), fork)
    });
    Some(
        ForkServer::new(tests.collect(), Path::new(program), setup.tree, setup.env())
            .sandboxed(setup.sandbox),
    )
}
