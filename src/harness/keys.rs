//! The keys of `wildcaught.toml`: what each means, an example, and which presets take it.

use super::preset::Preset;
use super::preset::presets;

/// One key.
pub struct Key {
    /// The table it stands in; empty for the top.
    pub section: &'static str,
    pub name: &'static str,
    /// A value to show where none is set: the default, where there is one.
    pub example: &'static str,
    /// What it means, in one line.
    pub comment: &'static str,
}

/// All keys, in the order in which they are written.
pub const KEYS: &[Key] = &[
    key("", "format", "1", "Version of this file's format."),
    key("", "language", "\"c\"", "Language of the sources; detected from their names if left out."),
    key("", "sources", "[\".\"]", "Files and directories that are mutated."),
    key("", "exclude", "[\"**/gen/**\"]", "Globs of files that are not mutated."),
    key("", "exclude_lines", "['log\\(']", "Regular expressions; lines that match are not mutated."),
    key(
        "",
        "skip_calls",
        "[\"log.*\", \"printf\"]",
        "Calls that are not mutated, nor their arguments; the end of a longer name is enough.",
    ),
    key(
        "",
        "skip_ops",
        "[\"relational\"]",
        "Operators that are not used, by name or the beginning of an id.",
    ),
    key("", "ops", "[\"wild\"]", "Operator sets, by name or file."),
    key("", "skip", "[\"target\"]", "Names of directories and files that are not copied."),
    key(
        "",
        "link",
        "[\"node_modules\"]",
        "Names to which the copy has a symbolic link instead; `name=/path` leads out of the project.",
    ),
    key("build", "command", "\"make -k\"", "Builds program and tests; nothing is built if left out."),
    key("build", "timeout", "600.0", "Seconds that the build may take."),
    key("build", "env", "{ CFLAGS = \"-O1\" }", "Variables that the build is run with."),
    key("tests", "preset", "\"command\"", "How tests are found, run and judged."),
    key("tests", "command", "\"make check\"", "Runs all tests."),
    key("tests", "report", "\"out/TEST-*.xml\"", "Glob of the XML files that the command writes."),
    key("tests", "cases", "[\"tests/*.json\"]", "Globs of files, each of which is a test."),
    key("tests", "list", "[\"a\", \"b\"]", "Tests by name, where they are no files."),
    key(
        "tests",
        "universe",
        "\"universe.txt\"",
        "A file with a case per line: NAME: VARIABLE=value arguments < input; all but the arguments can be left out.",
    ),
    key(
        "tests",
        "run",
        "\"./prog {case}\"",
        "Runs one case: {case}, {stem}, {dir}, {name}; with universe {arguments}.",
    ),
    key(
        "tests",
        "restore",
        "[\"data/*.db\"]",
        "Globs of files that are put back before each case, if it was written to them.",
    ),
    key(
        "tests",
        "oracle",
        "\"exit\"",
        "Who judges: exit, crash (only a crash is a failure), original, golden or script; see `wildcaught help frameworks`.",
    ),
    key(
        "tests",
        "golden",
        "\"{case}.expected\"",
        "The file with the standard output that a case should have; standard error is not compared.",
    ),
    key(
        "tests",
        "script",
        "\"cmp {output} {case}.out\"",
        "Judges the {output} of a case, both streams in one file, by exit code.",
    ),
    key("tests", "main", "[\"src/main/java\"]", "Directories with the classes under test."),
    key("tests", "test", "[\"src/test/java\"]", "Directories with the test classes."),
    key("tests", "exclude", "[\"src/test/java/SlowTest.java\"]", "Test classes that are not compiled."),
    key("tests", "resources", "[\"src/test/resources\"]", "Directories with files that classes read."),
    key("tests", "classpath", "[\"lib/*.jar\"]", "Jars, or globs of them."),
    key("tests", "directory", "\"build\"", "The build directory in which ctest or meson runs."),
    key("tests", "doc", "false", "Whether documentation tests are run; true if left out."),
    key("tests", "known_failing", "[\"*::flaky\"]", "Tests that are known to fail; * stands for any text."),
    key("tests", "only", "[\"unit::*\"]", "Only these tests are run."),
    key("tests", "skip_tests", "[\"*::slow_*\"]", "These tests are not run."),
    key("tests", "env", "{ TZ = \"UTC\" }", "Variables that tests are run with."),
    key("limits", "factor", "5.0", "How many times as long as in the unchanged program a test may take,"),
    key(
        "limits",
        "floor",
        "1.0",
        "and seconds that it gets in addition; a quarter of them if all of it is processor time.",
    ),
    key("limits", "repeat", "2", "How often the unchanged program is tested, to find flaky tests."),
    key(
        "limits",
        "baseline",
        "600.0",
        "Seconds that a test, or a suite run by one command, may take in the unchanged program.",
    ),
    key("limits", "jobs", "2", "How many tests run at a time; as many as there are processors if left out."),
    key(
        "limits",
        "memory",
        "2048",
        "MiB that a run of tests may use; 2048 or 4 times as much as the unchanged program if left out.",
    ),
    key(
        "limits",
        "processes",
        "256",
        "Processes of a run at a time; 256 or 4 times as many as the unchanged program has if left out.",
    ),
    key("limits", "file_size", "4096", "MiB of the largest file that a run of tests may write."),
    key(
        "sandbox",
        "mode",
        "\"auto\"",
        "What mutants are kept from: off, auto (what the system offers) or require (all, or an error).",
    ),
    key("sandbox", "network", "false", "Whether tests may use the network; without, they have loopback."),
    key("sandbox", "write", "[\"/dev/shm\"]", "Directories outside of the copy that tests may write to."),
];

const fn key(section: &'static str, name: &'static str, example: &'static str, comment: &'static str) -> Key {
    Key { section, name, example, comment }
}

impl Key {
    /// The presets that take this key; empty if all do.
    pub fn presets(&self) -> Vec<&'static str> {
        let takes =
            |preset: &&Preset| self.section == "tests" && preset.takes.iter().any(|key| key == self.name);
        presets().iter().filter(takes).map(|preset| preset.name.as_str()).collect()
    }

    /// Whether the preset takes this key.
    pub(super) fn is_for(&self, preset: &str) -> bool {
        let presets = self.presets();
        presets.is_empty() || presets.contains(&preset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_that_a_preset_takes_is_known() {
        for preset in presets() {
            for name in &preset.takes {
                let known = KEYS.iter().any(|key| key.section == "tests" && key.name == name);
                assert!(known, "{}: {name}", preset.name);
            }
        }
    }
}
