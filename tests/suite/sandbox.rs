//! What mutants cannot do to the machine while `wildcaught test` runs them.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use super::cli::command;
use super::targets::Project;

/// A project whose tests call a script, and a directory that is none of its business.
struct Hostile {
    project: Project,
    outside: TempDir,
}

impl Hostile {
    /// The project, if its tools are here; `$OUT` in the script is the directory.
    #[track_caller]
    fn new(script: &str) -> Option<Self> {
        let project = Project::new("c-command")?;
        // Neither the project's nor one that wildcaught hands to tests.
        let outside = tempfile::tempdir().unwrap();
        let script = format!("OUT='{}'\n{script}\n", outside.path().display());
        project.write("hostile.sh", &script);
        project.edit("wildcaught.toml", "\"make check\"", "\"make check && sh hostile.sh\"");
        Some(Self { project, outside })
    }

    fn seen(&self, file: &str) -> Option<String> {
        fs::read_to_string(self.outside.path().join(file)).ok()
    }

    #[track_caller]
    fn test(&self, more: &[&str]) -> Value {
        let fixed = ["test", "--ops", "classic", "--quiet", "--json", "--max", "3", "--jobs", "2"];
        let ran = self.project.run(&[&fixed, more].concat());
        assert!(matches!(ran.code, 0 | 2 | 3), "{} {}", ran.code, ran.err);
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}", ran.out))
    }
}

/// Whether a kind of protection was in force; says so if not.
fn is_in_force(result: &Value, protection: &str) -> bool {
    let words = |key: &str| result["sandbox"][key].as_array().cloned().unwrap_or_default();
    let there = words("in_force").iter().any(|word| word.as_str().unwrap_or("").contains(protection));
    if !there {
        eprintln!("not tested: {:?}", words("missing"));
    }
    there
}

/// Processes of a project that still run: those with its directory in their environment.
fn left(marker: &str) -> Vec<PathBuf> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten().map(|entry| entry.path());
    let marked = |process: &Path| {
        let text = fs::read(process.join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&text).contains(marker)
    };
    processes.filter(|process| marked(process)).collect()
}

#[test]
fn tests_of_mutants_touch_nothing_outside_and_leave_nothing_running() {
    let script = "echo x > $OUT/written; rm -f $OUT/kept\n\
                  (setsid env -i sleep 1000.5432 &)\n\
                  echo x > $TMPDIR/fine";
    let Some(hostile) = Hostile::new(script) else { return };
    fs::write(hostile.outside.path().join("kept"), "as it was").unwrap();
    // /tmp is shared by everybody: where tests need it, mutants may write there.
    let result = hostile.test(&[]);
    if is_in_force(&result, "writing outside") {
        assert_eq!((hostile.seen("written"), hostile.seen("kept").as_deref()), (None, Some("as it was")));
    }
    if is_in_force(&result, "outlive") {
        assert_eq!(left("1000.5432"), Vec::<PathBuf>::new());
    }
}

#[test]
fn a_sandbox_can_be_turned_off() {
    let Some(hostile) = Hostile::new("echo x > $OUT/written") else { return };
    let result = hostile.test(&["--sandbox", "off"]);
    assert_eq!(result["sandbox"]["mode"], "off");
    assert_eq!(hostile.seen("written").as_deref(), Some("x\n"));
}

#[test]
fn tests_that_need_the_shared_temporary_directory_may_use_it_and_a_warning_says_so() {
    let Some(hostile) = Hostile::new("f=/tmp/wildcaught-suite-$$; echo x > $f && rm $f") else { return };
    let ran = hostile.project.run(&["test", "--ops", "classic", "--quiet", "--max", "3"]);
    assert!(matches!(ran.code, 0 | 2 | 3), "{} {}", ran.code, ran.err);
    let free = hostile.project.run(&["test", "--ops", "classic", "--max", "3"]);
    if free.err.contains("no writing outside of the copy,") {
        assert!(ran.err.contains("need to write to /tmp"), "{}", ran.err);
    }
}

#[test]
fn the_protection_in_force_is_printed_once() {
    let Some(hostile) = Hostile::new("true") else { return };
    let ran = hostile.project.run(&["test", "--ops", "classic", "--max", "3"]);
    assert_eq!(ran.err.matches("sandbox").count(), 1, "{}", ran.err);
    let off = hostile.project.run(&["test", "--ops", "classic", "--max", "3", "--sandbox", "off"]);
    assert!(off.err.contains("sandbox off: mutants can do everything you can do"), "{}", off.err);
}

#[test]
fn nothing_runs_on_when_wildcaught_is_killed() {
    let script = "(setsid env -i sleep 1000.6543 &)\nsleep 1000.6543 & wait";
    let Some(hostile) = Hostile::new(script) else { return };
    let mut run = command(&hostile.project.root())
        .args(["test", "--ops", "classic", "--max", "3"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut begun = [0; 4];
    run.stderr.as_mut().unwrap().read_exact(&mut begun).unwrap();
    let until = |wanted: fn(usize) -> bool| {
        (0..6000).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            wanted(left("1000.6543").len())
        })
    };
    assert!(until(|count| count >= 2), "the tests do not start");
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(until(|count| count == 0), "{:?}", left("1000.6543"));
}

#[test]
fn runs_of_a_fork_server_cannot_end_it_and_leave_nothing_behind() {
    let Some(project) = Project::new("c-cases") else { return };
    let hostile = "#define _GNU_SOURCE\n#include <signal.h>\n#include <unistd.h>\n\
                   __attribute__((noinline)) static void hostile(void) {\n\
                   kill(getppid(), SIGKILL);\n\
                   if (!fork()) { setsid(); if (!fork()) execlp(\"sleep\", \"sleep\", \"1000.7654\", (char *)0); _exit(0); }\n}\n";
    project.write("prog.c", &(hostile.to_owned() + &project.read("prog.c")));
    let text = project.read("prog.c");
    let main = text.find("int main").unwrap();
    let body = main + text[main..].find('{').unwrap() + 1;
    project.write("prog.c", &format!("{}\n    hostile();{}", &text[..body], &text[body..]));
    let ran = project.run(&["test", "--ops", "classic", "--quiet", "--json", "--max", "3", "--no-tce"]);
    let in_force = ran.code != 4;
    // Without such rules, the program kills its server in every case, and all of them fail.
    assert!(
        in_force || !project.run(&["test", "--max", "1"]).err.contains("no signals to other"),
        "{}",
        ran.err
    );
    if in_force {
        assert!(matches!(ran.code, 0 | 2 | 3), "{} {}", ran.code, ran.err);
        assert_eq!(left("1000.7654"), Vec::<PathBuf>::new());
    }
}

#[test]
fn compilers_that_are_given_mutants_one_by_one_write_nowhere_else() {
    let Some(hostile) = Hostile::new("true") else { return };
    let tools = hostile.outside.path().join("tools");
    fs::create_dir(&tools).unwrap();
    let directories = std::env::var_os("PATH").unwrap();
    let real =
        std::env::split_paths(&directories).map(|path| path.join("cc")).find(|cc| cc.exists()).unwrap();
    // Only code that is compared is compiled to assembly.
    let script = format!(
        "#!/bin/sh\ncase \" $* \" in *' -S '*) echo x > '{0}/written';; esac\n\
         exec '{1}' \"$@\"\n",
        hostile.outside.path().display(),
        real.display()
    );
    fs::write(tools.join("cc"), script).unwrap();
    Command::new("chmod").arg("+x").arg(tools.join("cc")).status().unwrap();
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
    let run = |more: &[&str]| {
        let fixed = ["test", "--ops", "classic", "--quiet", "--json", "--max", "8"];
        let ran = hostile.project.run_with(&[&fixed, more].concat(), &[("PATH", &path)]);
        assert!(matches!(ran.code, 0 | 2 | 3), "{} {}", ran.code, ran.err);
        serde_json::from_str::<Value>(&ran.out).unwrap()
    };
    let result = run(&[]);
    if is_in_force(&result, "writing outside") {
        assert_eq!(hostile.seen("written"), None);
    }
    run(&["--sandbox", "off"]);
    assert_eq!(hostile.seen("written").as_deref(), Some("x\n"), "no code was compared");
}

#[test]
fn a_command_that_checks_mutants_writes_only_to_its_copy() {
    let Some(hostile) = Hostile::new("true") else { return };
    let check = format!("echo x > '{}/written'; echo x > inside", hostile.outside.path().display());
    let run = |more: &[&str]| {
        let fixed = ["mutate", "--ops", "classic", "src", "--max", "3", "--list", "--check", &check];
        let ran = hostile.project.run(&[&fixed, more].concat());
        assert!(ran.code == 0 && ran.err.contains("3 of 3 mutants compile"), "{} {}", ran.code, ran.err);
        ran.err
    };
    let said = run(&[]);
    if said.contains("no writing outside of the copy") {
        assert_eq!(hostile.seen("written"), None);
    }
    run(&["--sandbox", "off"]);
    assert_eq!(hostile.seen("written").as_deref(), Some("x\n"));
}

#[test]
fn an_audit_has_the_network_of_the_tests() {
    // Where there is a network card, the tests notice what they do not notice in a network of their own.
    let outer = fs::read_link("/proc/self/ns/net").map(|name| name.display().to_string());
    let Ok(outer) = outer else { return };
    let Some(hostile) = Hostile::new("true") else { return };
    let command = format!("make check || test $(readlink /proc/self/ns/net) != {outer}");
    hostile.project.edit("wildcaught.toml", "\"make check && sh hostile.sh\"", &format!("{command:?}"));
    let run = |more: &[&str]| {
        let fixed = ["test", "--ops", "classic", "--quiet", "--json", "--max", "6", "--audit", "6"];
        let ran = hostile.project.run(&[&fixed, more].concat());
        let result: Value =
            serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{} {}", ran.code, ran.err));
        assert_eq!(result["audit"]["agreed"], result["audit"]["tried"], "{result:#}");
        result["counts"]["killed"].as_u64().unwrap_or(0)
    };
    let (apart, open) = (run(&[]), run(&["--network"]));
    assert!(open > 0 && apart <= open, "{apart} {open}");
}

#[test]
fn a_tool_that_has_never_run_can_make_its_cache() {
    let Some(project) = Project::new("go") else { return };
    let home = tempfile::tempdir().unwrap();
    let path = home.path().display().to_string();
    let empty = [("HOME", &path[..]), ("GOCACHE", ""), ("GOPATH", ""), ("XDG_CACHE_HOME", "")];
    let ran = project.run_with(&["test", "--ops", "classic", "--max", "2"], &empty);
    assert!(matches!(ran.code, 0 | 2 | 3), "{} {}", ran.code, ran.err);
    assert!(home.path().join(".cache/go-build").is_dir());
}
