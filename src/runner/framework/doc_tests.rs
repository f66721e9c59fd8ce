//! Rust's documentation tests: rustdoc builds each into a program, which is kept and run like any test.
//!
//! They are built when the first of them is asked for, since that takes long: where other tests decide, they are
//! not built at all. A test has the name that it has in the unchanged project, whatever lines a meta-program adds.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use crate::control::Progress;
use crate::exec::Sandbox;
use crate::exec::Spec;
use crate::exec::Verdict;
use crate::harness::read::DocKind;
use crate::harness::read::DocName;
use crate::harness::read::DocTest;
use crate::harness::read::doc_tests;
use crate::harness::read::unshifted;

use super::super::each::Single;
use super::super::each::TestCall;
use super::super::each::tail;
use super::super::oracle::Expected;
use super::super::request::RunError;
use super::cargo_flags::without_targets;
use super::setup::TestSetup;

/// How much of what rustdoc prints is read.
const MOST_READ: u64 = 64 << 20;
/// How long a test may take to show whether it panics.
const LONGEST: Duration = Duration::from_secs(600);
/// Where programs are kept, in the tree that was built.
const KEPT: &str = ".wildcaught-doc-tests";
/// What cargo says of a package without documentation.
const NO_LIBRARY: &[u8] = b"no library targets found";

/// Calls the real rustdoc so that it keeps a program per test. Options that an older one does not know are left
/// out; what is unstable is allowed to rustdoc alone.
const RUSTDOC: &str = r#"#!/bin/sh
RUSTC_BOOTSTRAP=1; export RUSTC_BOOTSTRAP
known=$({real} -Zunstable-options --help 2>/dev/null)
case "$known" in *--merge-doctests*) set -- "$@" --merge-doctests=no;; esac
case "$known" in *--doctest-build-arg*) set -- "$@" --doctest-build-arg=-Cstrip=symbols;; esac
exec {real} "$@" -Zunstable-options --persist-doctests {kept} {more}
"#;

/// How documentation tests are built.
pub struct DocTests {
    built: PathBuf,
    tree: PathBuf,
    flags: Vec<String>,
    env: Vec<(String, String)>,
    timeout: Duration,
    /// Where the call of rustdoc is written.
    wrapper: PathBuf,
    /// What rustdoc may do: it builds and runs.
    sandbox: Sandbox,
}

/// A documentation test that was built.
pub struct BuiltDocTest {
    pub name: String,
    /// None if it does not compile.
    pub single: Option<Single>,
}

impl DocTests {
    /// How to build them; none if the project's own command does not run them, or they are not wanted. What an
    /// earlier build left is removed.
    pub fn new(setup: &TestSetup, flags: &[String]) -> Option<Self> {
        let flags = without_targets(flags).filter(|_| setup.config.tests.doc)?;
        if setup.built == setup.tree {
            let _ = fs::remove_dir_all(setup.built.join(KEPT));
        }
        Some(Self {
            built: setup.built.to_owned(),
            tree: setup.tree.to_owned(),
            flags,
            env: setup.env(),
            timeout: setup.config.build.timeout,
            wrapper: setup.scratch.join("rustdoc"),
            sandbox: setup.build_sandbox.clone(),
        })
    }

    /// Builds them, unless that was done, with their names among `known`; all as they are found if there are none.
    pub fn build(
        &self,
        known: Option<&[String]>,
        progress: &Progress,
    ) -> Result<Vec<BuiltDocTest>, RunError> {
        let mut tests = self.found(progress)?;
        // What is only compiled is no matter of mutants that are switched on.
        tests.retain(|test| test.kind != DocKind::CompileOnly);
        let found: Vec<&str> = tests.iter().map(|test| test.name.as_str()).collect();
        let names: Vec<Option<String>> = match known {
            None => found.iter().map(|name| Some((*name).to_owned())).collect(),
            Some(known) => unshifted(&found, known).into_iter().map(|name| name.map(str::to_owned)).collect(),
        };
        let built = tests.iter().zip(names);
        Ok(built
            .filter_map(|(test, name)| Some(BuiltDocTest { name: name?, single: self.single(test) }))
            .collect())
    }

    /// What rustdoc said about each; their programs are there then.
    fn found(&self, progress: &Progress) -> Result<Vec<DocTest>, RunError> {
        let kept = self.built.join(KEPT);
        let list = kept.join("list");
        if let Ok(said) = fs::read(&list) {
            return Ok(doc_tests(&said));
        }
        let io = |path: &Path| RunError::io(path.display().to_string());
        fs::create_dir_all(&kept).map_err(io(&kept))?;
        self.write_wrapper(&kept)?;
        let mut tests = self.run_rustdoc(progress)?;
        for test in tests.iter_mut().filter(|test| test.kind == DocKind::Run) {
            self.note_panic(test, progress)?;
        }
        let lines: Vec<String> = tests.iter().map(DocTest::to_string).collect();
        fs::write(&list, lines.concat()).map_err(io(&list))?;
        Ok(tests)
    }

    fn run_rustdoc(&self, progress: &Progress) -> Result<Vec<DocTest>, RunError> {
        let spec =
            Spec::program("cargo", &self.built).args(["test", "--doc", "--no-fail-fast"]).args(&self.flags);
        let wrapper = [("RUSTDOC".to_owned(), self.wrapper.display().to_string())];
        let spec =
            spec.envs(&self.env).envs(&wrapper).time(self.timeout).keep(MOST_READ).stopped_by(progress);
        let spec = spec.sandboxed(&self.sandbox);
        let seen = spec.run().map_err(RunError::io(spec.line()))?;
        progress.check()?;
        let tests = doc_tests(&seen.stdout);
        let none = memchr::memmem::find(&seen.stdout, NO_LIBRARY).is_some();
        if seen.is_success() || none || !tests.is_empty() {
            return Ok(tests);
        }
        Err(RunError::Broken(format!(
            "the documentation tests do not build: {}; fix them, or skip them with doc = false in [tests]",
            tail(&seen.stdout)
        )))
    }

    /// Rustdoc does not say which tests should panic: those that pass, though their program fails.
    fn note_panic(&self, test: &mut DocTest, progress: &Progress) -> Result<(), RunError> {
        let Some(single) = self.single(test) else { return Ok(()) };
        let spec = single.spec().envs(&self.env).envs(&single.env).time(LONGEST).stopped_by(progress);
        let spec = spec.sandboxed(&self.sandbox);
        let fine = spec.run().map_err(RunError::io(&test.name))?.is_success();
        progress.check()?;
        if fine != (test.verdict == Verdict::Pass) {
            test.kind = DocKind::ShouldPanic;
        }
        Ok(())
    }

    fn write_wrapper(&self, kept: &Path) -> Result<(), RunError> {
        let variable =
            |name: &str| self.env.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value);
        // The library was built against the runtime, which rustdoc does not know of.
        let flags = variable("CARGO_ENCODED_RUSTFLAGS").map_or("", |flags| flags);
        let more: Vec<String> =
            flags.split('\u{1f}').filter(|flag| flag.starts_with("-Ldependency")).map(quoted).collect();
        let real = variable("RUSTDOC").map_or_else(|| "rustdoc".to_owned(), |real| quoted(real));
        let text = RUSTDOC
            .replace("{real}", &real)
            .replace("{kept}", &quoted(&kept.display().to_string()))
            .replace("{more}", &more.join(" "));
        let path = &self.wrapper;
        let io = || RunError::io(path.display().to_string());
        fs::write(path, text).map_err(io())?;
        fs::set_permissions(path, PermissionsExt::from_mode(0o755)).map_err(io())
    }

    fn single(&self, test: &DocTest) -> Option<Single> {
        let parts = DocName::parse(&test.name)?;
        let program = self.program(parts)?;
        let package = Path::new(parts.file)
            .ancestors()
            .skip(1)
            .find(|at| self.tree.join(at).join("Cargo.toml").is_file());
        let directory = self.tree.join(package.unwrap_or(Path::new("")));
        let mut env = vec![("CARGO_MANIFEST_DIR".to_owned(), directory.display().to_string())];
        if !self.env.iter().any(|(key, _)| key == "RUST_BACKTRACE") {
            env.push(("RUST_BACKTRACE".into(), "0".into()));
        }
        let expected = Expected::Exit { fails: test.kind == DocKind::ShouldPanic, skip: None };
        Some(Single {
            call: TestCall::Program(vec![program.display().to_string()]),
            directory,
            env,
            expected,
        })
    }

    /// The program of a test: `src_lib_rs_12_0/rust_out`.
    fn program(&self, parts: DocName) -> Option<PathBuf> {
        let word = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let file: String = parts.file.chars().map(word).collect();
        let directory = self.built.join(KEPT).join(format!("{file}_{}_0", parts.line));
        let program = directory.join("rust_out");
        program.is_file().then_some(program)
    }
}

/// A word for the shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

impl BuiltDocTest {
    /// What a test that does not compile says.
    pub const UNBUILT: (Verdict, &'static str) = (Verdict::Fail, "the documentation test does not compile");
}
