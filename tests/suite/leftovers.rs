//! What a mutant leaves behind does not touch the next: threads in a resident Java machine.

use std::fs;

use wildcaught::matrix::Fate;
use wildcaught::matrix::KillMatrix;
use wildcaught::matrix::Store;

use super::cli::command;
use super::tools;

const LOOP: &str = r#"package tiny;

public class Loop {
    private volatile boolean over;
    public Thread worker;

    public void begin() {
        worker = new Thread(this::run);
        worker.setDaemon(true);
        worker.start();
    }

    private void run() {
        try {
            do {
                System.setProperty("tiny.loop", "runs");
                Thread.sleep(1);
            } while (!over);
        } catch (InterruptedException e) {
            return;
        }
    }

    public void end() {
        over = true;
    }

    public static int size(int a, int b) {
        return a + b + 1 + a + b + 1;
    }
}
"#;

/// One test does not notice that the thread goes on; the other notices that somebody's does.
const TESTS: [(&str, &str); 2] = [
    (
        "BeginTest",
        "Loop loop = new Loop(); loop.begin(); loop.end(); loop.worker.join(300); System.clearProperty(\"tiny.loop\");",
    ),
    (
        "SizeTest",
        "Loop.size(1, 2); Thread.sleep(40); org.junit.Assert.assertNull(System.getProperty(\"tiny.loop\"));",
    ),
];

const SETTINGS: &str = r#"format = 1
language = "java"
sources = ["main"]
[tests]
preset = "junit"
main = ["main"]
test = ["test"]
classpath = ["/usr/share/java/junit4.jar", "/usr/share/java/hamcrest-core.jar"]
[limits]
jobs = 1
floor = 100.0
"#;

const SET: &str = "format = 1\nlanguage = 'java'\nidioms = ['1']\n[[operator]]\nfind = ':true'\nput = ':false'\n\
                   [[operator]]\nfind = '.+'\nput = '.-'\n";

#[test]
fn a_thread_that_a_mutant_left_behind_kills_no_other() {
    if !tools::are_here(&["javac", "junit4", "hamcrest"]) {
        return;
    }
    let project = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = project.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("main/tiny/Loop.java", LOOP);
    write("wildcaught.toml", SETTINGS);
    write("ops.toml", SET);
    for (name, body) in TESTS {
        let text = format!(
            "package tiny;\npublic class {name} {{\n  @org.junit.Test public void it() throws Exception {{ {body} }}\n}}\n"
        );
        write(&format!("test/tiny/{name}.java"), &text);
    }
    let arguments = ["test", "--all", "--ops", "ops.toml", "--quiet"];
    let output = command(project.path()).args(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 2 | 3)), "{said}");
    let store = Store::open(&project.path().join("wildcaught.out/store.sqlite")).unwrap();
    let matrix = KillMatrix::load(&store).unwrap();
    let fates: Vec<(String, Fate)> = matrix
        .mutants
        .iter()
        .enumerate()
        .map(|(at, row)| (format!("{} {}", row.line, row.after), matrix.fate(at)))
        .collect();
    assert!(fates.len() >= 6 && fates.iter().all(|(_, fate)| *fate == Fate::Survived), "{fates:?} {said}");
}
