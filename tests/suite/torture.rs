//! Hostile mutants: the projects in `tests/torture`, run by both engines. Prints what became of each kind.

use std::fs;
use std::net::IpAddr;
use std::net::TcpListener;
use std::net::UdpSocket;
use std::path::Path;

use serde_json::Value;

use wildcaught::matrix::Fate;
use wildcaught::matrix::Fate::Killed;
use wildcaught::matrix::Fate::Survived;
use wildcaught::matrix::Fate::TimeOut;
use wildcaught::matrix::KillMatrix;

use super::targets::Project;
use super::tools;

/// Any fate of a mutant that was run.
const RUN: &[Fate] = &[Survived, Killed, TimeOut];
const ENDED: &[Fate] = &[Killed, TimeOut];

/// What a mutant does, the fates that are right, and how one can see that it was contained.
struct Kind {
    name: &'static str,
    right: &'static [Fate],
    contained: Contained,
}

#[derive(Clone, Copy, PartialEq)]
enum Contained {
    /// The campaign goes on, and others meet their fate.
    ByOthers,
    /// No process is left.
    NoProcess,
    NothingWritten,
    NothingDeleted,
    /// Nobody was called.
    NoCall,
    /// The outcome says that the tree was changed.
    Noted,
}

const fn kind(name: &'static str, right: &'static [Fate], contained: Contained) -> Kind {
    Kind { name, right, contained }
}

const KINDS: [Kind; 19] = [
    kind("leave_process", &[Survived], Contained::NoProcess),
    kind("write_outside", &[Survived], Contained::NothingWritten),
    kind("delete_outside", &[Survived], Contained::NothingDeleted),
    kind("take_memory", ENDED, Contained::ByOthers),
    kind("flood_stdout", ENDED, Contained::ByOthers),
    kind("flood_stderr", ENDED, Contained::ByOthers),
    kind("fork_bomb", RUN, Contained::NoProcess),
    // Where the program is outside of the tree, it cannot even be removed.
    kind("remove_program", &[Survived, Killed], Contained::ByOthers),
    kind("kill_parent", RUN, Contained::ByOthers),
    kind("write_tree", &[Survived, Killed], Contained::Noted),
    kind("forge_result", &[Killed], Contained::ByOthers),
    kind("exit_early", &[Killed], Contained::ByOthers),
    kind("loop_forever", &[TimeOut], Contained::ByOthers),
    kind("sleep_forever", &[TimeOut], Contained::ByOthers),
    kind("close_files", RUN, Contained::ByOthers),
    kind("connect_out", &[Survived], Contained::NoCall),
    kind("leave_thread", &[Survived, Killed], Contained::ByOthers),
    // Not hostile: whoever is charged with what another did meets another fate.
    kind("wrong", &[Killed], Contained::ByOthers),
    kind("alike", &[Survived], Contained::ByOthers),
];

/// A project with hostile mutants, and what they are after.
struct Torture {
    project: Project,
    outside: tempfile::TempDir,
    mark: String,
    /// Somebody to call from outside; none if the machine has no address but its own.
    callee: Option<TcpListener>,
}

impl Torture {
    /// A copy of a project; none if a tool that it needs is missing.
    #[track_caller]
    fn new(name: &str, config: Option<&str>, needs: &[&str]) -> Option<Self> {
        if !tools::are_here(needs) {
            return None;
        }
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/torture").join(name);
        let (project, outside) = (Project::copy_of(&from), tempfile::tempdir().unwrap());
        fs::write(outside.path().join("precious"), "x").unwrap();
        if let Some(config) = config {
            project.write("wildcaught.toml", &project.read(config));
        }
        let host = address();
        let callee = host.map(|host| TcpListener::bind((host, 0)).unwrap());
        let port = callee.as_ref().map_or(9, |callee| callee.local_addr().unwrap().port());
        let host = host.map_or("127.0.0.1".into(), |host| host.to_string());
        // A number of seconds that nobody else sleeps.
        let mark = format!("9{}{port}", std::process::id());
        let hostile =
            ["hostile.h", "hostile.py", "hostile.go", "src/hostile.rs", "src/main/java/tiny/Hostile.java"];
        for file in hostile.iter().filter(|file| project.root().join(file).exists()) {
            let text = project.read(file).replace("@OUTSIDE@", outside.path().to_str().unwrap());
            let text = text.replace("@MARK@", &mark).replace("@HOST@", &host);
            project.write(file, &text.replace("@PORT@", &port.to_string()));
        }
        Some(Self { project, outside, mark, callee })
    }

    /// Tests all mutants, prints what became of them, and fails if one was not contained.
    #[track_caller]
    fn run(&self, title: &str, engine: &str) {
        let fixed =
            ["test", "--ops", "operators.toml", "--fit", "off", "--all", "--jobs", "1", "--matrix", "full"];
        let ran = self.project.run(&[&fixed[..], &["--no-tce", "--json", "--engine", engine]].concat());
        let json: Value =
            serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{} {}", ran.code, ran.err));
        let matrix = self.project.export("wildcaught.out");
        let missing: Vec<&str> =
            json["sandbox"]["missing"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let mut wrong = vec![];
        println!("{title}, {engine}; not enforced: {missing:?}");
        for kind in &KINDS {
            let Some(mutant) = matrix.mutants.iter().position(|row| row.after.contains(kind.name)) else {
                wrong.push(format!("{} was not made", kind.name));
                continue;
            };
            let fate = matrix.fate(mutant);
            let right = kind.right.contains(&fate);
            let contained = self.is_contained(kind.contained, &matrix, mutant);
            println!("  {:<15} {:<9} contained: {contained}, right: {right}", kind.name, fate.name());
            if !right || (!contained && missing.is_empty()) {
                wrong.push(format!("{} {fate:?}, contained: {contained}", kind.name));
            }
        }
        let left = processes(&self.mark);
        println!("  left over: {left} processes");
        assert!(wrong.is_empty(), "{title}, {engine}: {wrong:#?}\n{}", ran.err);
    }

    fn is_contained(&self, how: Contained, matrix: &KillMatrix, mutant: usize) -> bool {
        match how {
            Contained::ByOthers => true,
            Contained::NoProcess => processes(&self.mark) == 0,
            Contained::NothingWritten => !self.outside.path().join("written").exists(),
            Contained::NothingDeleted => self.outside.path().join("precious").exists(),
            Contained::NoCall => self.callee.as_ref().is_none_or(|callee| {
                callee.set_nonblocking(true).unwrap();
                callee.accept().is_err()
            }),
            Contained::Noted => {
                let outcome = matrix.outcomes[mutant].as_ref();
                outcome.is_some_and(|outcome| outcome.log.contains("changed its tree: "))
            }
        }
    }
}

/// An address of this machine that is not its own loop.
fn address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    // Nothing is sent by that.
    socket.connect("198.51.100.1:9").ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_loopback() && !address.is_unspecified()).then_some(address)
}

/// How many processes sleep for this many seconds.
fn processes(mark: &str) -> usize {
    let sleeps = |entry: fs::DirEntry| {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        line.split(|byte| *byte == 0).any(|word| word == mark.as_bytes())
    };
    fs::read_dir("/proc").unwrap().flatten().map(sleeps).filter(|sleeps| *sleeps).count()
}

#[test]
fn hostile_mutants_of_a_c_program_are_contained() {
    let Some(torture) = Torture::new("c", Some("cases.toml"), &["cc", "ar"]) else { return };
    torture.run("C, cases", "switch");
}

#[test]
fn hostile_mutants_of_a_c_program_that_a_command_tests_are_contained() {
    let Some(torture) = Torture::new("c", Some("command.toml"), &["cc", "ar"]) else { return };
    torture.run("C, command", "switch");
}

#[test]
fn hostile_mutants_that_are_built_alone_are_contained() {
    let Some(torture) = Torture::new("c", Some("cases.toml"), &["cc", "ar"]) else { return };
    torture.run("C, cases", "classic");
}

#[test]
fn hostile_mutants_of_a_python_module_are_contained() {
    let Some(torture) = Torture::new("python", None, &["pytest"]) else { return };
    torture.run("Python", "switch");
    torture.run("Python", "classic");
}

#[test]
#[ignore = "slow; see tests/torture/README.md"]
fn hostile_mutants_of_a_rust_crate_are_contained() {
    let Some(torture) = Torture::new("rust", None, &["cargo"]) else { return };
    torture.run("Rust", "switch");
}

#[test]
#[ignore = "slow; see tests/torture/README.md"]
fn hostile_mutants_of_java_classes_are_contained() {
    let Some(torture) = Torture::new("java", None, &["javac", "junit4", "hamcrest"]) else { return };
    torture.run("Java", "switch");
}

#[test]
#[ignore = "slow; see tests/torture/README.md"]
fn hostile_mutants_of_a_go_package_are_contained() {
    let Some(torture) = Torture::new("go", None, &["go"]) else { return };
    torture.run("Go", "switch");
}
