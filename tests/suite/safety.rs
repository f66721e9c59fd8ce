//! Nothing of the user's is touched, and nothing is lost.

use std::fs;
use std::process::Child;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use super::targets::Project;

/// A run that has begun: its temporary files are there; signals are caught before it makes them.
fn begun(project: &Project, more: &[&str]) -> Child {
    let mut command = project.command();
    command.args(["test", "--ops", "classic", "--matrix", "full", "--quiet", "--no-tce"]).args(more);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    while fs::read_dir(project.scratch()).unwrap().count() == 0 {
        assert_eq!(child.try_wait().unwrap(), None, "it ended before it began");
        sleep(Duration::from_millis(10));
    }
    child
}

fn signal(child: &Child, name: &str) {
    let number = child.id().to_string();
    let sent = std::process::Command::new("kill").args(["-s", name, &number]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn a_linked_directory_with_mutated_sources_is_refused_before_anything_is_written() {
    let project = Project::copy("c-command");
    let text = project.read("wildcaught.toml");
    project.write("wildcaught.toml", &format!("link = [\"src\"]\n{text}"));
    let ran = project.test(&["--max", "4"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    for part in ["link = [\"src\"]", "wildcaught.toml", "src/stack.c", "from link", "exclude"] {
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    }
    assert!(!project.root().join("wildcaught.out").exists());
}

#[test]
fn an_export_older_results_and_a_comment_in_the_settings_are_no_obstacle_to_resuming() {
    let Some(project) = Project::new("c-command") else { return };
    project.matrix("wildcaught.out", &["--max", "4"]);
    let json = project.test(&["--max", "4", "--json"]).out;
    project.write("result.json", &json);
    for name in ["matrix.json", "matrix.csv", "mutants.json", "mte.json"] {
        let exported = project.command().args(["export", name]).status().unwrap();
        assert!(exported.success());
    }
    fs::create_dir(project.root().join("older")).unwrap();
    fs::copy(project.root().join("wildcaught.out/store.sqlite"), project.root().join("older/store.sqlite"))
        .unwrap();
    let text = project.read("wildcaught.toml");
    project.write("wildcaught.toml", &format!("# as before\n{text}"));
    let ran = project.test(&["--max", "4", "--resume", "--jobs", "1"]);
    assert!(matches!(ran.code, 0 | 2 | 3), "{}", ran.err);
    project.edit("matrix.csv", ",", ";");
    let ran = project.test(&["--max", "4", "--resume"]);
    assert!(ran.code == 1 && ran.err.contains("without --resume"), "{}", ran.err);
}

#[test]
fn the_end_of_the_terminal_stops_a_run_as_ctrl_c_does() {
    let Some(project) = Project::new("c-command") else { return };
    // However long a busy machine takes to send a signal: the run does not end before.
    project.edit("wildcaught.toml", "\"make check\"", "\"make check && sleep 20\"");
    let child = begun(&project, &[]);
    for _ in 0..2 {
        signal(&child, "HUP");
        // Longer than two signals are taken for one.
        sleep(Duration::from_millis(400));
    }
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(130), "{said}");
    assert!(said.contains("--resume"), "{said}");
    assert_eq!(fs::read_dir(project.scratch()).unwrap().count(), 0);
}

#[test]
fn a_run_under_nohup_outlives_the_terminal() {
    let Some(project) = Project::new("c-command") else { return };
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_wildcaught")]);
    command.args(["test", "--ops", "classic", "--max", "4", "--quiet"]);
    command.current_dir(project.root()).env("TMPDIR", project.scratch());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while fs::read_dir(project.scratch()).unwrap().count() == 0 {
        sleep(Duration::from_millis(10));
    }
    signal(&child, "HUP");
    assert!(matches!(child.wait().unwrap().code(), Some(0 | 2 | 3)));
}

#[test]
fn what_a_killed_run_left_is_gone_after_the_next_start_of_any_command() {
    let Some(project) = Project::new("c-cases") else { return };
    let mut child = begun(&project, &[]);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(fs::read_dir(project.scratch()).unwrap().count() > 0);
    fs::write(project.scratch().join("wildcaught-notes.txt"), "mine").unwrap();
    let output = project.command().args(["mutate", "--ops", "classic", "prog.c"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("cleaned up"), "{said}");
    let left: Vec<_> =
        fs::read_dir(project.scratch()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["wildcaught-notes.txt"], "only what is ours is removed");
}

#[test]
fn a_second_run_is_refused_and_names_the_first() {
    let Some(project) = Project::new("c-cases") else { return };
    let mut child = begun(&project, &[]);
    let second = project.command().args(["test", "--ops", "classic", "--quiet"]).output().unwrap();
    let said = String::from_utf8_lossy(&second.stderr);
    assert!(said.contains(&format!("process {}", child.id())), "{said}");
    child.kill().unwrap();
    child.wait().unwrap();
    let third = project.test(&["--max", "2"]);
    assert!(matches!(third.code, 0 | 2 | 3), "a killed run is no obstacle: {}", third.err);
}
