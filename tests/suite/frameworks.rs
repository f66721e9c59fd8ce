//! Frameworks list, choose and run tests as their settings say.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use tempfile::TempDir;

use wildcaught::control::Progress;
use wildcaught::exec::Sandbox;
use wildcaught::exec::Verdict;
use wildcaught::harness::Config;
use wildcaught::runner::Ran;
use wildcaught::runner::Request;
use wildcaught::runner::RunError;
use wildcaught::runner::Runner;
use wildcaught::runner::TestSetup;
use wildcaught::runner::Thrift;

use super::targets::Project;
use super::tools;

/// A project of a few files.
struct Small {
    directory: TempDir,
    config: Config,
    env: Vec<(String, String)>,
    outer: BTreeMap<String, String>,
    progress: Progress,
}

impl Small {
    fn new(config: &str, files: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = directory.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        }
        let config = Config::parse(&format!("format = 1\n{config}"), "wildcaught.toml").unwrap();
        let target = directory.path().join("target").display().to_string();
        let env = vec![("CARGO_TARGET_DIR".into(), target)];
        let (outer, progress) = (BTreeMap::new(), Progress::default());
        Self { directory, config, env, outer, progress }
    }

    fn root(&self) -> PathBuf {
        self.directory.path().canonicalize().unwrap()
    }

    fn runner(&self) -> Result<Box<dyn Runner>, RunError> {
        let root = self.root();
        let setup = TestSetup {
            config: &self.config,
            tree: &root,
            built: &root,
            said: &[],
            env: &self.env,
            outer: &self.outer,
            scratch: &root.join("wildcaught.scratch"),
            cache: &root,
            units: 1,
            known: None,
            strays: &[],
            sandbox: &Sandbox::none(),
            build_sandbox: &Sandbox::none(),
            progress: &self.progress,
        };
        setup.runner()
    }

    fn run(&self) -> (Vec<String>, Ran) {
        let mut runner = self.runner().unwrap_or_else(|error| panic!("{error}"));
        let ran = all(&mut *runner, &self.progress);
        (runner.tests().to_vec(), ran)
    }
}

fn all(runner: &mut dyn Runner, progress: &Progress) -> Ran {
    let minute = Duration::from_secs(60);
    let tests: Vec<u32> = (0..runner.tests().len() as u32).collect();
    let request = Request {
        on: "",
        tests: &tests,
        limits: &|_| Duration::ZERO,
        floor: minute,
        work: minute,
        first_kill: false,
        reach: false,
        thrift: Thrift::None,
        progress,
    };
    runner.run(&request).unwrap_or_else(|error| panic!("{error}"))
}

fn verdicts(ran: &Ran) -> Vec<Verdict> {
    ran.said.iter().map(|said| said.verdict).collect()
}

#[test]
fn a_golden_file_is_compared_with_standard_output_only() {
    let run = "sh -c 'echo right; echo noise >&2; exit 3' {case}";
    let config = format!("[tests]\npreset = 'cases'\nlist = ['a']\nrun = {run:?}\ngolden = '{{case}}.out'");
    let project = Small::new(&config, &[("a.out", "right\n")]);
    assert_eq!(verdicts(&project.run().1), [Verdict::Pass]);
}

#[test]
fn what_a_sanitizer_finds_is_a_crash_whatever_the_exit_code() {
    let run = "echo 'a.c:1:2: runtime error: signed integer overflow' >&2; echo {case}";
    let more = [("oracle = 'exit'", Verdict::Crash), ("golden = '{case}.out'", Verdict::Crash)];
    for (oracle, wanted) in more {
        let config = format!("[tests]\npreset = 'cases'\nlist = ['a']\nrun = {run:?}\n{oracle}");
        let project = Small::new(&config, &[("a.out", "a\n")]);
        assert_eq!(verdicts(&project.run().1), [wanted], "{oracle}");
    }
}

#[test]
fn sanitizers_are_told_to_end_programs_by_a_signal() {
    let line =
        "echo $UBSAN_OPTIONS $ASAN_OPTIONS; test \"$UBSAN_OPTIONS\" = halt_on_error=1:abort_on_error=1:x=1";
    let mut project = Small::new(&format!("[tests]\npreset = 'command'\ncommand = {line:?}"), &[]);
    project.outer.insert("UBSAN_OPTIONS".into(), "x=1".into());
    assert_eq!(verdicts(&project.run().1), [Verdict::Pass]);
}

/// A program that looks like one with a fork server in it.
fn server(text: &str) -> Small {
    let config = "[tests]\npreset = 'cases'\nlist = ['a']\nrun = './prog {case}'";
    Small::new(config, &[("prog", &format!("#!/bin/sh\n# WILDCAUGHT_SERVER\n{text}\n"))])
}

#[test]
fn a_fork_server_may_take_its_time_to_start() {
    let done = "done\\t0\\t-\\t0\\t1\\tcbf29ce484222325\\t0\\tcbf29ce484222325\\t0\\t0\\n";
    let project = server(&format!("sleep 5.5; echo ready; while read line; do printf '{done}'; done"));
    let mut runner = project.runner().unwrap();
    assert!(runner.notes().is_empty(), "{:?}", runner.notes());
    let ran = all(&mut *runner, &project.progress);
    assert_eq!(verdicts(&ran), [Verdict::Pass]);
    assert!(ran.said[0].millis < 2.0, "the server says how long it took: {:?}", ran.said);
}

#[test]
fn a_run_of_a_fork_server_that_prints_too_much_is_a_time_out_by_its_own_work() {
    let done = "done\\t-\\t25\\t0\\t1\\tcbf29ce484222325\\t0\\tcbf29ce484222325\\t0\\t0\\n";
    let project = server(&format!("echo ready; while read line; do printf '{done}'; done"));
    let (_, ran) = project.run();
    assert_eq!((verdicts(&ran), ran.said[0].busy), (vec![Verdict::TimeOut], true));
}

#[test]
fn a_program_that_does_not_become_a_server_is_run_case_by_case_with_a_warning() {
    let project = server("exit 0");
    let mut runner = project.runner().unwrap();
    assert!(runner.notes()[0].contains("./prog ends before main is reached"), "{:?}", runner.notes());
    assert_eq!(verdicts(&all(&mut *runner, &project.progress)), [Verdict::Pass]);
}

#[test]
fn the_command_of_go_is_honoured() {
    if !tools::are_here(&["go"]) {
        return;
    }
    let files = [
        ("go.mod", "module tiny\n\ngo 1.18\n"),
        ("a/a_test.go", "package a\nimport \"testing\"\nfunc TestPlain(t *testing.T) {}\n"),
        (
            "a/tagged_test.go",
            "//go:build extra\n\npackage a\nimport \"testing\"\n\
             func TestTagged(t *testing.T) { if !testing.Short() { t.Fatal() } }\n",
        ),
        ("b/b_test.go", "package b\nimport \"testing\"\nfunc TestOther(t *testing.T) {}\n"),
    ];
    let command = "[tests]\npreset = 'go'\ncommand = 'go test -tags=extra -short ./a/...'";
    let (names, ran) = Small::new(command, &files).run();
    assert_eq!(names, ["a::TestPlain", "a::TestTagged"]);
    assert_eq!(verdicts(&ran), [Verdict::Pass; 2]);
    let refused =
        Small::new("[tests]\npreset = 'go'\ncommand = 'go test -exec x'", &files).runner().err().unwrap();
    assert!(refused.to_string().contains("-exec cannot be passed on"), "{refused}");
}

const FEATURES: [(&str, &str); 2] = [
    (
        "Cargo.toml",
        "[package]\nname = \"tiny\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[features]\nextra = []\n",
    ),
    ("src/lib.rs", "#[test]\nfn plain() {}\n#[cfg(feature = \"extra\")]\n#[test]\nfn extra() {}\n"),
];

#[test]
fn features_of_the_build_command_reach_cargo() {
    if !tools::are_here(&["cargo"]) {
        return;
    }
    let config =
        "[build]\ncommand = 'cargo test --offline --no-run --features extra'\n[tests]\npreset = 'cargo'";
    let (names, ran) = Small::new(config, &FEATURES).run();
    assert_eq!(names, ["extra", "plain"]);
    assert_eq!(verdicts(&ran), [Verdict::Pass; 2]);
}

#[test]
fn the_command_of_nextest_is_honoured() {
    if !tools::are_here(&["cargo"]) {
        return;
    }
    let config = |flags: &str| format!("[tests]\npreset = 'nextest'\ncommand = 'cargo nextest run {flags}'");
    let (names, _) = Small::new(&config("--offline --features=extra"), &FEATURES).run();
    assert_eq!(names, ["extra", "plain"]);
    let refused = Small::new(&config("-E all()"), &FEATURES).runner().err().unwrap();
    assert!(refused.to_string().contains("tests.command"), "{refused}");
}

#[test]
fn a_pytest_command_without_a_program_is_refused() {
    let refused = Small::new("[tests]\npreset = 'pytest'\ncommand = '-q'", &[]).runner().err().unwrap();
    assert!(refused.to_string().starts_with("tests.command = \"-q\" does not call pytest"), "{refused}");
}

#[test]
fn a_suite_that_takes_too_long_names_the_limit() {
    let config = "[tests]\npreset = 'tap'\ncommand = 'echo ok 1; sleep 5'\n[limits]\nbaseline = 0.2";
    let refused = Small::new(config, &[]).runner().err().unwrap();
    assert!(refused.to_string().contains("raise baseline in [limits]"), "{refused}");
}

#[test]
fn a_test_that_takes_too_long_in_the_unchanged_program_names_the_limit() {
    let Some(project) = Project::new("c-cases") else { return };
    project.edit("wildcaught.toml", "\"./prog {case}\"", "\"sleep 2; ./prog {case}\"");
    project.edit("wildcaught.toml", "[limits]", "[limits]\nbaseline = 0.2");
    let ran = project.test(&["--max", "1"]);
    assert!(
        ran.code == 4 && ran.err.contains("0.2 seconds: raise baseline in [limits]"),
        "{} {}",
        ran.code,
        ran.err
    );
}

#[test]
fn a_fork_server_sees_what_sanitizers_find() {
    let Some(project) = Project::new("c-cases") else { return };
    if !tools::are_here(&["ubsan"]) {
        return;
    }
    project.edit("wildcaught.toml", "cc -O1", "cc -fsanitize=undefined -O1");
    // It prints and returns the same with and without the overflow; deleting the statement is what survives.
    project.write(
        "prog.c",
        "#include <limits.h>\nint main(int count, char **words)\n{\n    volatile int big = INT_MAX;\n    \
         volatile int step = count;\n    big = big - step;\n    return 0;\n}\n",
    );
    project.edit("wildcaught.toml", "oracle = \"original\"", "oracle = \"exit\"");
    let matrix = project.matrix("wildcaught.out", &["--all", "--fit", "off"]);
    let crashed = |mutant: usize| matrix.outcome(mutant).is_some_and(|known| !known.crashed.is_empty());
    let found = (0..matrix.mutants.len()).any(crashed);
    assert!(found, "big + step overflows in one of {} mutants", matrix.mutants.len());
}

/// Runs chosen tests until one fails, with these mutants on.
fn first_kill(runner: &mut dyn Runner, on: &str, tests: &[u32], progress: &Progress) -> Ran {
    let minute = Duration::from_secs(60);
    let request = Request {
        on,
        tests,
        limits: &|_| Duration::ZERO,
        floor: minute,
        work: minute,
        first_kill: true,
        reach: false,
        thrift: Thrift::None,
        progress,
    };
    runner.run(&request).unwrap_or_else(|error| panic!("{error}"))
}

/// A module whose value is chosen when it is imported, and whose function is chosen when it is called.
const SWITCHED: &str = "import builtins\noff = getattr(builtins, 'wildcaught_off', lambda unit: True)\n\
                        LIMIT = 1 if off(1) else 2\n\ndef f():\n    return 1 if off(2) else 2\n";

#[test]
fn python_tests_run_in_forks_with_mutants_of_imports_and_of_calls() {
    if !tools::are_here(&["pytest"]) {
        return;
    }
    let tests = "import sys\nimport unittest\nimport m\n\nclass T(unittest.TestCase):\n    def test_call(self):\n\
                 \x20       self.assertEqual(m.f(), 1)\n    def test_import(self):\n        self.assertEqual(m.LIMIT, 1)\n\
                 \x20   def test_leaves_nothing(self):\n        self.assertFalse(hasattr(m, 'left'))\n        m.left = 1\n\
                 \x20   @unittest.skip('no')\n    def test_skipped(self):\n        pass\n";
    let project = Small::new("[tests]\npreset = 'unittest'", &[("m.py", SWITCHED), ("test_m.py", tests)]);
    let mut runner = project.runner().unwrap();
    let names = runner.tests().to_vec();
    assert_eq!(names.len(), 4, "{names:?}");
    let all = all(&mut *runner, &project.progress);
    assert!(all.said.len() == 3 && !all.is_killed(), "{all:?}");
    let killer = |on: &str, runner: &mut dyn Runner| {
        let ran = first_kill(runner, on, &[0, 1, 2, 3], &project.progress);
        ran.said.iter().find(|said| said.verdict.is_kill()).map(|said| names[said.test as usize].clone())
    };
    assert!(killer("2:1", &mut *runner).unwrap().ends_with("test_call"));
    assert!(killer("1:1", &mut *runner).unwrap().ends_with("test_import"), "imports see the mutant, too");
    assert_eq!(killer("", &mut *runner), None, "a fork leaves nothing to the next");
}

#[test]
fn what_python_cannot_import_is_named_with_a_command() {
    if !tools::are_here(&["pytest"]) {
        return;
    }
    let files = [("test_m.py", "import not_there_at_all\nimport unittest\n")];
    let project = Small::new("[tests]\npreset = 'unittest'", &files);
    let Err(error) = project.runner() else { panic!("it cannot be loaded") };
    let text = error.to_string();
    assert!(text.contains("Python cannot find not_there_at_all") && text.contains("pip install"), "{text}");
}

#[test]
fn a_missing_node_module_is_named_with_a_command() {
    if !tools::are_here(&["node"]) {
        return;
    }
    for preset in ["mocha", "jest", "vitest"] {
        let project = Small::new(&format!("[tests]\npreset = '{preset}'"), &[("package.json", "{}")]);
        let Err(error) = project.runner() else { panic!("{preset} is not there") };
        assert!(error.to_string().contains(&format!("node cannot find {preset}")), "{error}");
    }
}

/// As much of mocha as our server asks for.
const MOCHA: &str = r#"
const { EventEmitter } = require('events');
class Mocha {
  constructor() { this.files = []; this.suite = { root: true, tests: [], suites: [] }; }
  loadFiles() {
    for (const file of this.files) {
      globalThis.it = (title, body) => {
        const test = { title, body, file, parent: this.suite, isPending: () => false };
        this.suite.tests.push(test);
      };
      require(file);
    }
  }
  run(done) {
    const runner = new EventEmitter();
    setImmediate(() => {
      for (const test of this.suite.tests) {
        runner.emit('test', test);
        try { test.body(); runner.emit('pass', test); } catch (error) { runner.emit('fail', test, error); }
        runner.emit('test end', test);
      }
      done();
    });
    return runner;
  }
}
Mocha.utils = { lookupFiles: () => [process.cwd() + '/test/a.js'] };
module.exports = Mocha;
"#;

#[test]
fn node_loads_modules_anew_for_every_request() {
    if !tools::are_here(&["node"]) {
        return;
    }
    let module = "const off = (unit) => globalThis.wildcaught ? globalThis.wildcaught.off(unit) : true;\n\
                  exports.limit = off(1) ? 1 : 2;\nexports.f = () => (off(2) ? 1 : 2);\nexports.left = 0;\n";
    let tests = "const m = require('../m');\nconst same = (a, b) => { if (a !== b) throw new Error(`${a} ${b}`); };\n\
                 it('calls', () => same(m.f(), 1));\nit('loads', () => same(m.limit, 1));\n\
                 it('leaves', () => same(m.left++, 0));\n";
    let files = [
        ("package.json", "{}"),
        ("m.js", module),
        ("test/a.js", tests),
        ("node_modules/mocha/package.json", r#"{"name": "mocha", "main": "index.js"}"#),
        ("node_modules/mocha/index.js", MOCHA),
    ];
    let project = Small::new("[tests]\npreset = 'mocha'", &files);
    let mut runner = project.runner().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(runner.tests(), ["test/a.js > calls", "test/a.js > loads", "test/a.js > leaves"]);
    assert_eq!(verdicts(&all(&mut *runner, &project.progress)), [Verdict::Pass; 3]);
    for (on, killer) in [("2:1", Some(0)), ("1:1", Some(1)), ("", None)] {
        let ran = first_kill(&mut *runner, on, &[0, 1, 2], &project.progress);
        let found = ran.said.iter().find(|said| said.verdict.is_kill()).map(|said| said.test);
        assert_eq!(found, killer, "{on}");
    }
}

/// Names with verdicts, sorted.
fn told(project: &Small) -> Vec<(String, Verdict)> {
    let (names, ran) = project.run();
    let mut told: Vec<_> =
        ran.said.iter().map(|said| (names[said.test as usize].clone(), said.verdict)).collect();
    told.sort();
    told
}

#[test]
fn minitest_reports_every_test() {
    if !tools::are_here(&["minitest"]) {
        return;
    }
    let test = "require 'minitest/autorun'\nclass SumTest < Minitest::Test\n  def test_fine = assert_equal(3, 1 + 2)\n  \
                def test_bad = assert_equal(4, 1 + 2, 'a <b> & \"c\"')\n  def test_later = skip('not yet')\nend\n";
    let project = Small::new("[tests]\npreset = 'minitest'", &[("test/sum_test.rb", test)]);
    let told = told(&project);
    let wanted = [("SumTest#test_bad", Verdict::Fail), ("SumTest#test_fine", Verdict::Pass)];
    let wanted = wanted.map(|(name, verdict)| (name.to_owned(), verdict));
    assert_eq!(told, wanted);
}

#[test]
fn rspec_reports_every_example() {
    if !tools::are_here(&["rspec"]) {
        return;
    }
    let spec = "RSpec.describe 'sum' do\n  it('is fine') { expect(1 + 2).to eq 3 }\n  it('is bad') { expect(1).to eq 2 }\n  \
                it('is later')\nend\n";
    let files = [("spec/sum_spec.rb", spec), (".rspec", "--format documentation\n--order rand\n")];
    let project = Small::new("[tests]\npreset = 'rspec'\ncommand = 'rspec'", &files);
    let told = told(&project);
    let verdicts: Vec<Verdict> = told.iter().map(|(_, verdict)| *verdict).collect();
    assert_eq!(verdicts, [Verdict::Fail, Verdict::Pass], "{told:?}");
    assert!(told[0].0.ends_with("sum is bad"), "{told:?}");
}

#[test]
fn what_a_command_without_tests_said_is_shown_with_a_remedy() {
    let line = "echo 'x.rb:1: cannot load such file -- simplecov (LoadError)'; exit 1";
    let project = Small::new(&format!("[tests]\npreset = 'tap'\ncommand = {line:?}"), &[]);
    let Err(error) = project.runner() else { panic!("there are no tests") };
    let error = error.to_string();
    assert!(error.contains("bundle install") && error.contains("LoadError"), "{error}");
}

#[test]
fn tests_of_node_are_known_by_file_and_run_file_by_file() {
    if !tools::are_here(&["node"]) {
        return;
    }
    let test = |name: &str, line: &str| {
        format!("const test = require('node:test');\ntest('{name}', () => {{ {line} }});\n")
    };
    let (one, two) = (test("same", ""), test("same", "throw new Error('no');"));
    let files = [("test/one.js", one.as_str()), ("sub/two.test.js", two.as_str()), ("lib.js", "throw 1;")];
    let config = "[tests]\npreset = 'node'\ncommand = 'node --test-reporter=tap --test'";
    let told = told(&Small::new(config, &files));
    let wanted = [("sub/two.test.js: same", Verdict::Fail), ("test/one.js: same", Verdict::Pass)];
    assert_eq!(told, wanted.map(|(name, verdict)| (name.to_owned(), verdict)));
}
