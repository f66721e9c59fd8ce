//! `meson-info/intro-tests.json` of a build directory: the tests of a Meson build and how each is run.

use std::collections::BTreeMap;

use serde::Deserialize;

/// One test of a Meson build.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct MesonTest {
    pub name: String,
    /// The program and its arguments.
    #[serde(default, rename = "cmd")]
    pub command: Vec<String>,
    /// Variables it is run with, beyond those that are there.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    #[serde(default, rename = "workdir")]
    pub directory: Option<String>,
    #[serde(default)]
    pub suite: Vec<String>,
    /// How it says what it found: `exitcode`, `gtest`, `rust`, or `tap`, which the exit code does not tell.
    #[serde(default)]
    pub protocol: String,
}

impl MesonTest {
    /// Whether its exit code is the verdict.
    pub fn by_exit_code(&self) -> bool {
        self.protocol != "tap" && !self.command.is_empty()
    }
}

/// Reads the list; what cannot be read is no list.
pub fn meson_tests(bytes: &[u8]) -> Vec<MesonTest> {
    serde_json::from_slice(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read() {
        let tests = meson_tests(include_bytes!("samples/meson-tests.json"));
        let names: Vec<&str> = tests.iter().map(|test| test.name.as_str()).collect();
        assert_eq!(names, ["plain", "told", "lines"]);
        assert_eq!(tests[0].command, ["/home/me/m/build/plain"]);
        assert_eq!((&tests[0].directory, tests[0].by_exit_code()), (&None, true));
        assert_eq!(tests[1].command, ["/home/me/m/check.sh", "/home/me/m/build/told", "a b"]);
        assert_eq!(tests[1].directory.as_deref(), Some("/home/me/m/data"));
        assert_eq!(tests[1].env["MODE"], "quick");
        assert!(!tests[2].by_exit_code());
    }

    #[test]
    fn what_is_no_list_has_no_tests() {
        assert_eq!(meson_tests(b"{}"), []);
        assert_eq!(meson_tests(b""), []);
        assert_eq!(meson_tests(b"[{\"cmd\": []}]"), []);
    }
}
