//! Programs and files that some tests need. Where one is missing, the test is skipped and counted; where
//! `CI=true`, it fails.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::process::Stdio;

use crate::skips;

/// Something that a test needs.
struct Tool {
    name: &'static str,
    check: Check,
    /// The Debian package that has it.
    package: &'static str,
}

/// How to see whether it is here.
enum Check {
    /// This command succeeds.
    Runs(&'static [&'static str]),
    /// This file exists.
    Exists(&'static str),
}

/// Builds a program with the sanitizer of undefined behaviour.
const SANITIZE: &str =
    "p=$(mktemp) && echo 'int main(void) { return 0; }' | cc -fsanitize=undefined -x c -o $p - && rm $p";

const TOOLS: [Tool; 16] = [
    Tool { name: "git", check: Check::Runs(&["git", "--version"]), package: "git" },
    Tool { name: "cc", check: Check::Runs(&["cc", "--version"]), package: "gcc" },
    Tool { name: "ubsan", check: Check::Runs(&["sh", "-c", SANITIZE]), package: "gcc" },
    Tool { name: "ar", check: Check::Runs(&["ar", "--version"]), package: "binutils" },
    Tool { name: "make", check: Check::Runs(&["make", "--version"]), package: "make" },
    Tool { name: "cmake", check: Check::Runs(&["cmake", "--version"]), package: "cmake" },
    Tool { name: "cargo", check: Check::Runs(&["cargo", "--version"]), package: "cargo" },
    Tool { name: "javac", check: Check::Runs(&["javac", "-version"]), package: "default-jdk-headless" },
    Tool { name: "junit4", check: Check::Exists("/usr/share/java/junit4.jar"), package: "junit4" },
    Tool {
        name: "hamcrest",
        check: Check::Exists("/usr/share/java/hamcrest-core.jar"),
        package: "libhamcrest-java",
    },
    Tool { name: "junit5", check: Check::Exists("/usr/share/java/junit-jupiter-api.jar"), package: "junit5" },
    Tool {
        name: "pytest",
        check: Check::Runs(&["python3", "-m", "pytest", "--version"]),
        package: "python3-pytest",
    },
    Tool { name: "go", check: Check::Runs(&["go", "version"]), package: "golang-go" },
    Tool {
        name: "node",
        check: Check::Runs(&["node", "--check", "--test-reporter=tap", "/dev/null"]),
        package: "nodejs",
    },
    Tool {
        name: "minitest",
        check: Check::Runs(&["ruby", "-e", "require 'minitest'"]),
        package: "ruby-minitest",
    },
    Tool { name: "rspec", check: Check::Runs(&["rspec", "--version"]), package: "ruby-rspec" },
];

/// Whether all tools that a test needs are here. If not, the test is counted as skipped and has to end.
///
/// # Panics
/// Where `CI=true`: there, everything has to be tested.
#[track_caller]
pub fn are_here(names: &[&str]) -> bool {
    let missing = names.iter().map(|name| tool(name)).find(|tool| !tool.is_here());
    let Some(tool) = missing else { return true };
    let problem = format!("{} is missing; on Debian: apt-get install {}", tool.name, tool.package);
    assert!(std::env::var_os("CI").is_none_or(|value| value != "true"), "{problem}");
    println!("skipped: {problem}");
    note(tool.name);
    false
}

fn tool(name: &str) -> &'static Tool {
    TOOLS
        .iter()
        .find(|tool| tool.name == name)
        .unwrap_or_else(|| panic!("{name} is not in the list of tools"))
}

impl Tool {
    fn is_here(&self) -> bool {
        match self.check {
            Check::Exists(file) => Path::new(file).exists(),
            Check::Runs(line) => {
                let mut command = Command::new(line[0]);
                command.args(&line[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
                command.status().is_ok_and(|status| status.success())
            }
        }
    }
}

fn note(name: &str) {
    let mut file = File::options().create(true).append(true).open(skips::file()).unwrap();
    // One write, so that lines of tests that run at once do not mix.
    file.write_all(format!("{name}\n").as_bytes()).unwrap();
}

#[test]
fn continuous_integration_installs_every_tool() {
    let script = include_str!("../../.ci/run");
    for tool in TOOLS.iter().filter(|tool| tool.name != "cargo") {
        let named = script.split([' ', '\n', ':']).any(|word| word == tool.package);
        assert!(named, ".ci/run does not install {}", tool.package);
    }
}
