//! The tests of several modules: a runner for each, as if they were one.

use std::path::PathBuf;

use super::super::request::Ran;
use super::super::request::Request;
use super::super::request::RunError;
use super::super::request::Runner;
use super::super::request::Said;

/// With more parts than this, only the one whose turn it is keeps its processes.
const MOST_RESIDENT: usize = 4;

/// Runners side by side; the tests of each follow those of the one before.
pub struct Several {
    parts: Vec<Box<dyn Runner>>,
    /// Per part, the number of its first test.
    starts: Vec<u32>,
    names: Vec<String>,
    notes: Vec<String>,
}

impl Several {
    /// Puts runners together; what stands before the names of the tests of each tells them apart.
    pub fn new(parts: Vec<(String, Box<dyn Runner>)>) -> Self {
        let (mut starts, mut names) = (Vec::new(), Vec::new());
        for (prefix, part) in &parts {
            starts.push(names.len() as u32);
            names.extend(part.tests().iter().map(|test| format!("{prefix}{test}")));
        }
        let notes = parts.iter().flat_map(|(_, part)| part.notes().to_vec()).collect();
        Self { parts: parts.into_iter().map(|(_, part)| part).collect(), starts, names, notes }
    }

    fn end(&self, part: usize) -> u32 {
        self.starts.get(part + 1).copied().unwrap_or(self.names.len() as u32)
    }
}

impl Runner for Several {
    fn tests(&self) -> &[String] {
        &self.names
    }

    fn run(&mut self, request: &Request) -> Result<Ran, RunError> {
        let mut all = Ran::default();
        for part in 0..self.parts.len() {
            let (start, end) = (self.starts[part], self.end(part));
            let own = request.tests.iter().filter(|test| (start..end).contains(test));
            let tests: Vec<u32> = own.map(|test| test - start).collect();
            if tests.is_empty() {
                continue;
            }
            let limits = |test: u32| (request.limits)(test + start);
            let ran = self.parts[part].run(&Request { tests: &tests, limits: &limits, ..*request })?;
            all.said.extend(ran.said.into_iter().map(|said| Said { test: said.test + start, ..said }));
            all.reached.extend(ran.reached.into_iter().map(|(test, units)| (test + start, units)));
            all.overhead = all.overhead.max(ran.overhead);
            all.note.push_str(&ran.note);
            if self.parts.len() > MOST_RESIDENT {
                self.parts[part].renew()?;
            }
            if request.first_kill && all.is_killed() {
                break;
            }
        }
        Ok(all)
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn programs(&self) -> Vec<PathBuf> {
        self.parts.iter().flat_map(|part| part.programs()).collect()
    }

    fn settle(&mut self) {
        self.parts.iter_mut().for_each(|part| part.settle());
    }

    fn renew(&mut self) -> Result<(), RunError> {
        self.parts.iter_mut().try_for_each(|part| part.renew())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::control::Progress;
    use crate::exec::Verdict;
    use crate::runner::Thrift;

    /// Fails the tests whose names begin with `bad`.
    struct Part(Vec<String>);

    impl Runner for Part {
        fn tests(&self) -> &[String] {
            &self.0
        }

        fn run(&mut self, request: &Request) -> Result<Ran, RunError> {
            let said = |test: &u32| {
                let bad = self.0[*test as usize].starts_with("bad");
                let verdict = if bad { Verdict::Fail } else { Verdict::Pass };
                Said { test: *test, verdict, millis: 0.0, message: String::new(), busy: false }
            };
            Ok(Ran { said: request.tests.iter().map(said).collect(), ..Ran::default() })
        }
    }

    #[test]
    fn each_part_runs_its_own_tests_and_the_first_kill_ends_all() {
        let part = |names: &[&str]| -> Box<dyn Runner> {
            Box::new(Part(names.iter().map(|name| (*name).to_owned()).collect()))
        };
        let parts = vec![("a/".to_owned(), part(&["one", "bad"])), ("b/".to_owned(), part(&["bad", "two"]))];
        let mut several = Several::new(parts);
        assert_eq!(several.tests(), ["a/one", "a/bad", "b/bad", "b/two"]);
        let mut run = |tests: &[u32], first_kill: bool| {
            let minute = Duration::from_secs(60);
            let ran = several.run(&Request {
                on: "",
                tests,
                limits: &|_| Duration::ZERO,
                floor: minute,
                work: minute,
                first_kill,
                reach: false,
                thrift: Thrift::None,
                progress: &Progress::default(),
            });
            let said = ran.unwrap_or_else(|error| panic!("{error}")).said;
            said.iter().map(|said| (said.test, said.verdict)).collect::<Vec<_>>()
        };
        assert_eq!(run(&[3, 0], false), [(0, Verdict::Pass), (3, Verdict::Pass)]);
        assert_eq!(run(&[0, 1, 2, 3], false).len(), 4);
        assert_eq!(run(&[1, 2], true), [(1, Verdict::Fail)]);
    }
}
