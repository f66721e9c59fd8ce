//! `wildcaught test --watch`, used as a person does: save a function, save a test, Ctrl-C.

use std::io::BufRead;
use std::io::BufReader;
use std::process::Child;
use std::process::Stdio;
use std::sync::mpsc::Receiver;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use crate::targets::Project;

/// Nobody waits so long: a program that says nothing is stuck.
const STUCK: Duration = Duration::from_secs(240);

/// A program that watches, and what it says, line by line.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn new(project: &Project) -> Self {
        let mut command = project.command();
        command.args(["test", "--watch", "--ops", "classic", "--quiet", "tiny.py"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (sender, lines) = channel();
        let out = BufReader::new(child.stdout.take().unwrap());
        let err = BufReader::new(child.stderr.take().unwrap());
        let more = sender.clone();
        thread::spawn(move || out.lines().map_while(Result::ok).for_each(|line| drop(sender.send(line))));
        thread::spawn(move || err.lines().map_while(Result::ok).for_each(|line| drop(more.send(line))));
        Self { child, lines }
    }

    /// Waits for a line with this text.
    #[track_caller]
    fn wait_for(&self, wanted: &str) -> String {
        let mut said = Vec::new();
        loop {
            let Ok(line) = self.lines.recv_timeout(STUCK) else { panic!("no {wanted:?} in {said:#?}") };
            if line.contains(wanted) {
                return line;
            }
            said.push(line);
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_saved_function_is_tested_and_a_saved_test_tests_it_again() {
    let Some(project) = Project::new("python") else { return };
    project.write("tiny.py", "def one(x):\n    return x\n\n\ndef limit(x):\n    return x\n");
    project
        .write("tests/test_tiny.py", "import tiny\n\n\ndef test_limit():\n    assert tiny.limit(2) == 2\n");
    let mut watching = Watching::new(&project);
    watching.wait_for("watching");

    project.edit("tiny.py", "def limit(x):\n", "def limit(x):\n    if x > 3:\n        return 3\n");
    let line = watching.wait_for("limit in tiny.py:");
    assert!(line.contains("mutants") && !line.contains("one in"), "{line}");
    watching.wait_for("tiny.py:6:");

    let more = "\n\ndef test_more():\n    assert [tiny.limit(x) for x in (3, 4, 9)] == [3, 3, 3]\n";
    project.write("tests/test_tiny.py", &(project.read("tests/test_tiny.py") + more));
    let line = watching.wait_for("again");
    assert!(line.contains("limit again") && line.contains("killed"), "{line}");
    watching.wait_for("now killed: ");

    let process = rustix::process::Pid::from_raw(watching.child.id() as i32).unwrap();
    rustix::process::kill_process(process, rustix::process::Signal::INT).unwrap();
    let ended = watching.child.wait().unwrap();
    assert_eq!(ended.code(), Some(0));
}
