//! From what was built to a runner for it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use globset::Glob;
use globset::GlobSetBuilder;
use walkdir::WalkDir;

use crate::control::Progress;
use crate::exec::Spec;
use crate::harness::Case as CaseName;
use crate::harness::CaseList;
use crate::harness::Cases;
use crate::harness::Config;
use crate::harness::Format;
use crate::harness::Framework;
use crate::harness::Oracle as OracleName;
use crate::harness::Reading;
use crate::harness::Style as TestStyle;
use crate::harness::read::ctest_list;
use crate::harness::read::executables;
use crate::harness::read::go_list;
use crate::harness::read::junit_xml;
use crate::harness::read::libtest_list;
use crate::harness::read::pytest_list;

use super::batch::Batch;
use super::batch::Group;
use super::batch::Style;
use super::each::Call;
use super::each::Each;
use super::each::Oracle;
use super::each::Single;
use super::fork::Case;
use super::fork::ForkServer;
use super::junit;
use super::request::Request;
use super::request::RunError;
use super::request::Runner;
use super::resident::JavaServer;
use super::whole::Whole;
use super::words::plain_words;

/// How long it may take to list tests.
const LISTING: Duration = Duration::from_secs(300);

/// A tree in which the project was built.
pub struct Ground<'a> {
    pub config: &'a Config,
    /// The tree in which tests run.
    pub tree: &'a Path,
    /// The tree in which the project was built; programs and classes are there.
    pub built: &'a Path,
    /// What the build said.
    pub said: &'a [u8],
    pub env: &'a [(String, String)],
    /// A directory for the runner's own files.
    pub scratch: &'a Path,
    pub units: u32,
    /// The tests, if they were listed before.
    pub known: Option<&'a [String]>,
    pub progress: &'a Progress,
}

impl Ground<'_> {
    /// The runner for the project's tests.
    pub fn runner(&self) -> Result<Box<dyn Runner>, RunError> {
        fs::create_dir_all(self.scratch).map_err(RunError::io(self.scratch.display().to_string()))?;
        match &self.config.tests.style {
            TestStyle::Command { command } => Ok(self.each(vec![("all".into(), self.line(command))])),
            TestStyle::Cases(cases) => self.cases(cases),
            TestStyle::Junit(_) => self.java(),
            TestStyle::Ctest { directory } => self.ctest(directory),
            TestStyle::JunitXml { .. } | TestStyle::Tap { .. } => self.whole(),
            TestStyle::Framework { framework, .. } => match framework {
                Framework::Cargo | Framework::Nextest => self.cargo(),
                Framework::Go => self.go(),
                Framework::Pytest => self.pytest(),
                Framework::Maven | Framework::Gradle | Framework::Node => self.whole(),
            },
        }
    }

    fn plain_request(&self) -> Request<'_> {
        let limits = &|_| Duration::ZERO;
        Request {
            on: "",
            tests: &[],
            limits,
            floor: LISTING,
            work: LISTING,
            first_kill: false,
            reach: false,
            thrifty: false,
            progress: self.progress,
        }
    }

    fn env(&self) -> Vec<(String, String)> {
        let own = self.config.tests.env.iter().map(|(key, value)| (key.clone(), value.clone()));
        self.env.iter().cloned().chain(own).collect()
    }

    fn line(&self, line: &str) -> Single {
        Single {
            call: Call::Line(line.to_owned()),
            directory: self.tree.to_owned(),
            env: vec![],
            oracle: Oracle::Exit { fails: false },
        }
    }

    fn each(&self, tests: Vec<(String, Single)>) -> Box<dyn Runner> {
        let tests = tests.into_iter().filter(|(name, _)| self.config.tests.wants(name)).collect();
        Box::new(Each::new(tests, self.env(), self.scratch, self.units))
    }

    /// What a command prints.
    fn ask(&self, spec: Spec) -> Result<Vec<u8>, RunError> {
        let spec = spec.envs(&self.env()).time(LISTING).keep(64 << 20).stopped_by(self.progress);
        Ok(spec.run().map_err(RunError::io(spec.line()))?.stdout)
    }

    fn cases(&self, cases: &Cases) -> Result<Box<dyn Runner>, RunError> {
        let names = match &cases.list {
            CaseList::Names(names) => names.clone(),
            CaseList::Globs(globs) => files(self.tree, globs)?,
        };
        let names: Vec<String> = names.into_iter().filter(|name| self.config.tests.wants(name)).collect();
        if let Some(server) = self.fork_server(cases, &names) {
            return Ok(server);
        }
        let single = |name: &String| Single {
            call: Call::Line(CaseName(name).shell(&cases.run)),
            directory: self.tree.to_owned(),
            env: vec![],
            oracle: self.oracle(&cases.oracle, name),
        };
        Ok(self.each(names.iter().map(|name| (name.clone(), single(name))).collect()))
    }

    fn oracle(&self, oracle: &OracleName, name: &str) -> Oracle {
        match oracle {
            OracleName::Exit => Oracle::Exit { fails: false },
            OracleName::Crash => Oracle::Crash,
            OracleName::Original => Oracle::Original,
            OracleName::Golden(template) => Oracle::Golden(self.tree.join(CaseName(name).path(template))),
            OracleName::Script(line) => Oracle::Script(CaseName(name).shell(line)),
        }
    }

    /// A fork server, if each case is a plain call of a program that serves.
    fn fork_server(&self, cases: &Cases, names: &[String]) -> Option<Box<dyn Runner>> {
        if matches!(cases.oracle, OracleName::Script(_)) || names.is_empty() {
            return None;
        }
        let words = plain_words(&cases.run)?;
        let program = self.tree.join(&words.program);
        let serves = fs::read(&program)
            .is_ok_and(|bytes| memchr::memmem::find(&bytes, b"WILDCAUGHT_SERVER").is_some());
        if !serves {
            return None;
        }
        let tests = names.iter().map(|name| {
            let case = Case {
                arguments: words.arguments.iter().map(|word| CaseName(name).path(word)).collect(),
                input: words.input.as_ref().map(|word| self.tree.join(CaseName(name).path(word))),
                oracle: self.oracle(&cases.oracle, name),
            };
            (name.clone(), case)
        });
        let mut server = ForkServer::new(tests.collect(), Path::new(&words.program), self.tree, self.env());
        server.answers(self.progress).then(|| Box::new(server) as Box<dyn Runner>)
    }

    fn java(&self) -> Result<Box<dyn Runner>, RunError> {
        let command = junit::runner(self.config, self.built, self.scratch)?;
        let known = self.known.unwrap_or_default().to_vec();
        let mut server = JavaServer::new(command, self.tree.to_owned(), self.env(), known);
        if self.known.is_none() {
            server.list(self.progress)?;
            server.keep(|name| self.config.tests.wants(name));
        }
        Ok(Box::new(server))
    }

    fn ctest(&self, directory: &str) -> Result<Box<dyn Runner>, RunError> {
        let inside = self.tree.join(directory);
        let listed = self.ask(Spec::program("ctest", &inside).arg("--show-only=json-v1"))?;
        let start = memchr::memchr(b'{', &listed).unwrap_or(0);
        let tests = ctest_list(&listed[start..]);
        if tests.is_empty() {
            let said = String::from_utf8_lossy(&listed).into_owned();
            return Err(RunError::Broken(format!("ctest finds no tests in {directory}: {}", said.trim())));
        }
        let moved =
            |text: &str| text.replace(&self.built.display().to_string(), &self.tree.display().to_string());
        let single = tests.into_iter().filter(|test| !test.disabled).map(|test| {
            let special = !test.special.is_empty() || test.command.is_empty();
            let call = if special {
                let name = format!("^{}$", regex::escape(&test.name));
                Call::Program(vec!["ctest".into(), "--output-on-failure".into(), "-R".into(), name])
            } else {
                Call::Program(test.command.iter().map(|word| moved(word)).collect())
            };
            let single = Single {
                call,
                directory: match test.directory {
                    Some(directory) if !special => PathBuf::from(moved(&directory.display().to_string())),
                    _ => inside.clone(),
                },
                env: test.env,
                oracle: Oracle::Exit { fails: test.will_fail && !special },
            };
            (test.name, single)
        });
        Ok(self.each(single.collect()))
    }

    fn whole(&self) -> Result<Box<dyn Runner>, RunError> {
        let style = &self.config.tests.style;
        let line = style.command().unwrap_or_default().to_owned();
        let (format, report) = (style.format(), style.report().map(str::to_owned));
        let mut whole = Whole {
            names: vec![],
            line,
            directory: self.tree.to_owned(),
            env: self.env(),
            reader: Box::new(move |said, tree| read(format, report.as_deref(), said, tree)),
            scratch: self.scratch.to_owned(),
            units: self.units,
        };
        // To list them is to run them, and a mutant may hang.
        whole.names = match self.known {
            Some(known) => known.to_vec(),
            None => whole.list(&self.plain_request())?,
        };
        whole.names.retain(|name| self.config.tests.wants(name));
        Ok(Box::new(whole))
    }

    fn cargo(&self) -> Result<Box<dyn Runner>, RunError> {
        let mut groups = Vec::new();
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let mut binaries = executables(self.said);
        if binaries.is_empty() {
            // The build command does not say what it built; cargo does, and need not build again.
            let ask = Spec::program("cargo", self.built);
            let said = self.ask(ask.args(["test", "--no-run", "--message-format=json"]))?;
            binaries = executables(&said);
        }
        // Cargo names them in the order in which they were done.
        binaries
            .sort_by(|a, b| (&a.package_dir, &a.kind, &a.target).cmp(&(&b.package_dir, &b.kind, &b.target)));
        for binary in binaries {
            let program = binary.path.display().to_string();
            let inside = binary.package_dir.strip_prefix(self.built).unwrap_or(Path::new(""));
            let directory = self.tree.join(inside);
            let mut env = vec![("CARGO_MANIFEST_DIR".into(), directory.display().to_string())];
            // Telling where a panic came from takes ten times as long as most tests.
            if !self.config.tests.env.contains_key("RUST_BACKTRACE") {
                env.push(("RUST_BACKTRACE".into(), "0".into()));
            }
            let listed =
                self.ask(Spec::program(&binary.path, &directory).args(["--list", "--format", "terse"]))?;
            let title = if binary.kind == "lib" || binary.kind == "proc-macro" {
                String::new()
            } else {
                binary.target
            };
            let count = seen.entry(title.clone()).or_default();
            *count += 1;
            let title = if *count > 1 { format!("{title}{count}") } else { title };
            let name =
                |test: &str| if title.is_empty() { test.to_owned() } else { format!("{title}::{test}") };
            let tests: Vec<String> = libtest_list(&listed)
                .into_iter()
                .filter(|test| self.config.tests.wants(&name(test)))
                .collect();
            if !tests.is_empty() {
                groups.push((title, Group { program: vec![program], directory, env, tests }));
            }
        }
        Ok(Box::new(Batch::new(Style::Libtest, groups, self.env(), self.scratch, self.units)))
    }

    /// Test programs of all packages, built into the tree.
    fn go(&self) -> Result<Box<dyn Runner>, RunError> {
        let listed = self.ask(Spec::program("go", self.built).args(["list", "-f", "{{.Dir}}", "./..."]))?;
        let mut groups = Vec::new();
        for (number, directory) in String::from_utf8_lossy(&listed).lines().enumerate() {
            let inside = Path::new(directory).strip_prefix(self.built).unwrap_or(Path::new("")).to_owned();
            let program = self.built.join(format!("wildcaught-{number}.test"));
            if !program.exists() || self.built == self.tree {
                let build = Spec::program("go", self.built.join(&inside));
                self.ask(build.args(["test", "-vet=off", "-c", "-o"]).arg(&program).arg("."))?;
            }
            if !program.exists() {
                continue; // a package without tests
            }
            let directory = self.tree.join(&inside);
            let listed = self.ask(Spec::program(&program, &directory).arg("-test.list=.*"))?;
            let title = inside.display().to_string();
            let tests: Vec<String> =
                go_list(&listed).into_iter().filter(|test| self.config.tests.wants(test)).collect();
            groups.push((
                title,
                Group { program: vec![program.display().to_string()], directory, env: vec![], tests },
            ));
        }
        groups.retain(|(_, group)| !group.tests.is_empty());
        Ok(Box::new(Batch::new(Style::Go, groups, self.env(), self.scratch, self.units)))
    }

    fn pytest(&self) -> Result<Box<dyn Runner>, RunError> {
        let line = self.config.tests.style.command().unwrap_or("python3 -m pytest");
        // What changes how much is printed would change what is read.
        let talk = |word: &&str| ["-v", "-q", "-r", "--tb"].iter().any(|flag| word.starts_with(flag));
        let program: Vec<String> =
            line.split_whitespace().filter(|word| !talk(word)).map(str::to_owned).collect();
        let list = Spec::program(&program[0], self.tree).args(&program[1..]);
        let listed = self.ask(list.args(["--collect-only", "-q", "-p", "no:cacheprovider"]))?;
        let tests: Vec<String> =
            pytest_list(&listed).into_iter().filter(|test| self.config.tests.wants(test)).collect();
        let group = Group { program, directory: self.tree.to_owned(), env: vec![], tests };
        let groups = vec![(String::new(), group)];
        Ok(Box::new(Batch::new(Style::Pytest, groups, self.env(), self.scratch, self.units)))
    }
}

fn read(format: Format, report: Option<&str>, said: &[u8], tree: &Path) -> Reading {
    let Some(glob) = report else { return format.read(said) };
    let mut all = Reading::default();
    for path in files(tree, &[glob.to_owned()]).unwrap_or_default() {
        let path = tree.join(path);
        let reading = fs::read(&path).map(|bytes| junit_xml(&bytes)).unwrap_or_default();
        // What an earlier run left must not speak for a later one.
        let _ = fs::remove_file(&path);
        all.seen.extend(reading.seen);
        all.skipped += reading.skipped;
    }
    all
}

/// The files of a tree that match one of the globs, in order.
pub fn files(tree: &Path, globs: &[String]) -> Result<Vec<String>, RunError> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        set.add(Glob::new(glob).map_err(|error| RunError::Broken(format!("{glob:?} is no glob: {error}")))?);
    }
    let set = set.build().map_err(|error| RunError::Broken(error.to_string()))?;
    let entries = WalkDir::new(tree).sort_by_file_name().into_iter().filter_map(Result::ok);
    let inside = entries.filter(|entry| !entry.file_type().is_dir()).filter_map(|entry| {
        let inside = entry.path().strip_prefix(tree).ok()?.to_owned();
        set.is_match(&inside).then(|| inside.display().to_string())
    });
    Ok(inside.collect())
}
