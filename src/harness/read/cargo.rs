//! `cargo test --no-run --message-format=json`: which test programs were built.

use std::path::Path;
use std::path::PathBuf;

use serde::Deserialize;

/// A program that runs tests.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TestBinary {
    pub path: PathBuf,
    /// The package's directory, in which its tests are run.
    pub package_dir: PathBuf,
    /// The name of the target: the crate, the binary, or the file under `tests/`.
    pub target: String,
    /// `lib`, `bin`, `test`, `example`, `bench` or `proc-macro`.
    pub kind: String,
}

#[derive(Deserialize)]
struct Message {
    reason: String,
    #[serde(default)]
    manifest_path: PathBuf,
    target: Option<Target>,
    profile: Option<Profile>,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    #[serde(default)]
    kind: Vec<String>,
    #[serde(default)]
    name: String,
}

#[derive(Deserialize)]
struct Profile {
    #[serde(default)]
    test: bool,
}

/// Reads the messages: the programs that were built as tests, in order, each once.
pub fn executables(bytes: &[u8]) -> Vec<TestBinary> {
    let mut binaries: Vec<TestBinary> = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"{")) {
        let message = serde_json::from_slice::<Message>(line).ok();
        let Some(binary) = message.and_then(binary) else { continue };
        if !binaries.iter().any(|known| known.path == binary.path) {
            binaries.push(binary);
        }
    }
    binaries
}

fn binary(message: Message) -> Option<TestBinary> {
    if message.reason != "compiler-artifact" || !message.profile?.test {
        return None;
    }
    let target = message.target?;
    Some(TestBinary {
        path: message.executable?,
        package_dir: message.manifest_path.parent().unwrap_or(Path::new("")).to_owned(),
        target: target.name,
        kind: target.kind.into_iter().next().unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = r#"   Compiling t v0.1.0
{"reason":"compiler-message","package_id":"path+file:///t#0.1.0","manifest_path":"/t/Cargo.toml","target":{"kind":["lib"],"crate_types":["lib"],"name":"t","src_path":"/t/src/lib.rs","edition":"2024","doc":true,"doctest":true,"test":true},"message":{"rendered":"warning"}}
{"reason":"compiler-artifact","package_id":"path+file:///t#0.1.0","manifest_path":"/t/Cargo.toml","target":{"kind":["lib"],"crate_types":["lib"],"name":"t","src_path":"/t/src/lib.rs","edition":"2024","doc":true,"doctest":true,"test":true},"profile":{"opt_level":"0","debuginfo":2,"debug_assertions":true,"overflow_checks":true,"test":false},"features":[],"filenames":["/t/target/debug/deps/libt-99b0.rlib"],"executable":null,"fresh":false}
{"reason":"compiler-artifact","package_id":"path+file:///t#0.1.0","manifest_path":"/t/Cargo.toml","target":{"kind":["lib"],"crate_types":["lib"],"name":"t","src_path":"/t/src/lib.rs","edition":"2024","doc":true,"doctest":true,"test":true},"profile":{"opt_level":"0","debuginfo":2,"debug_assertions":true,"overflow_checks":true,"test":true},"features":[],"filenames":["/t/target/debug/deps/t-c70e"],"executable":"/t/target/debug/deps/t-c70e","fresh":false}
{"reason":"compiler-artifact","package_id":"path+file:///t#0.1.0","manifest_path":"/t/Cargo.toml","target":{"kind":["bin"],"crate_types":["bin"],"name":"tool","src_path":"/t/src/bin/tool.rs","edition":"2024","doc":true,"doctest":false,"test":true},"profile":{"opt_level":"0","debuginfo":2,"debug_assertions":true,"overflow_checks":true,"test":false},"features":[],"filenames":["/t/target/debug/tool"],"executable":"/t/target/debug/tool","fresh":false}
{"reason":"compiler-artifact","package_id":"path+file:///t#0.1.0","manifest_path":"/t/Cargo.toml","target":{"kind":["test"],"crate_types":["bin"],"name":"it","src_path":"/t/tests/it.rs","edition":"2024","doc":false,"doctest":false,"test":true},"profile":{"opt_level":"0","debuginfo":2,"debug_assertions":true,"overflow_checks":true,"test":true},"features":[],"filenames":["/t/target/debug/deps/it-67e6"],"executable":"/t/target/debug/deps/it-67e6","fresh":false}
{"reason":"build-finished","success":true}
"#;

    #[test]
    fn test_programs_are_found() {
        let binary = |path: &str, target: &str, kind: &str| TestBinary {
            path: path.into(),
            package_dir: "/t".into(),
            target: target.into(),
            kind: kind.into(),
        };
        assert_eq!(
            executables(LINES.as_bytes()),
            [
                binary("/t/target/debug/deps/t-c70e", "t", "lib"),
                binary("/t/target/debug/deps/it-67e6", "it", "test")
            ]
        );
    }
}
