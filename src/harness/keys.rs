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
    key("", "format", "1", "Version of this file format."),
    key("", "language", "\"c\"", "Language of the sources. Default: detected from file names."),
    key("", "sources", "[\".\"]", "Files and directories to mutate."),
    key("", "exclude", "[\"**/gen/**\"]", "Globs of files to skip."),
    key("", "exclude_lines", "['log\\(']", "Regular expressions of lines to skip."),
    key(
        "",
        "skip_calls",
        "[\"log.*\", \"printf\"]",
        "Calls to skip, with their arguments; the end of a longer name is enough.",
    ),
    key("", "skip_ops", "[\"relational\"]", "Operators to skip, by name or beginning of an id."),
    key("", "ops", "[\"wild\"]", "Operator sets to use, by name or file."),
    key("", "skip", "[\"target\"]", "Names of directories and files that are not copied."),
    key(
        "",
        "link",
        "[\"node_modules\"]",
        "Names that are linked instead of copied; `name=/path` links to a path outside of the project.",
    ),
    key("build", "command", "\"make -k\"", "Builds program and tests. Default: nothing is built."),
    key("build", "timeout", "600.0", "Time limit of the build in seconds."),
    key("build", "env", "{ CFLAGS = \"-O1\" }", "Environment variables of the build."),
    key("tests", "preset", "\"command\"", "How to find, run and judge the tests."),
    key("tests", "command", "\"make check\"", "Runs all tests."),
    key("tests", "report", "\"out/TEST-*.xml\"", "Glob of the XML reports that the command writes."),
    key("tests", "cases", "[\"tests/*.json\"]", "Globs of files; each file is a test case."),
    key("tests", "list", "[\"a\", \"b\"]", "Names of test cases that are not files."),
    key(
        "tests",
        "universe",
        "\"universe.txt\"",
        "A file with one case per line: NAME: VARIABLE=value arguments < input; all but the arguments are \
         optional.",
    ),
    key(
        "tests",
        "run",
        "\"./prog {case}\"",
        "Runs one case; placeholders: {case}, {stem}, {dir}, {name}; with universe also {arguments}.",
    ),
    key(
        "tests",
        "restore",
        "[\"data/*.db\"]",
        "Globs of files that are restored before each case if a case wrote to them.",
    ),
    key(
        "tests",
        "oracle",
        "\"exit\"",
        "How to judge a case: exit (exit code 0 counts as success), crash (only a crash fails), original, \
         golden or script; see `wildcaught help frameworks`.",
    ),
    key(
        "tests",
        "golden",
        "\"{case}.expected\"",
        "The file with the expected standard output of a case; standard error is not compared.",
    ),
    key(
        "tests",
        "script",
        "\"cmp {output} {case}.out\"",
        "Judges the {output} of a case (both streams in one file); exit code 0 counts as success.",
    ),
    key("tests", "main", "[\"src/main/java\"]", "Directories with the classes under test."),
    key("tests", "test", "[\"src/test/java\"]", "Directories with the test classes."),
    key("tests", "exclude", "[\"src/test/java/SlowTest.java\"]", "Test classes to leave out."),
    key("tests", "resources", "[\"src/test/resources\"]", "Directories with resources that classes read."),
    key("tests", "classpath", "[\"lib/*.jar\"]", "Jars, or globs of jars."),
    key("tests", "directory", "\"build\"", "The build directory to run ctest or meson in."),
    key("tests", "doc", "false", "Whether to run documentation tests. Default: true."),
    key(
        "tests",
        "known_failing",
        "[\"*::flaky\"]",
        "Tests that are known to fail and are ignored; * matches any text.",
    ),
    key("tests", "only", "[\"unit::*\"]", "Run only these tests."),
    key("tests", "skip_tests", "[\"*::slow_*\"]", "Do not run these tests."),
    key("tests", "env", "{ TZ = \"UTC\" }", "Environment variables of the tests."),
    key(
        "limits",
        "factor",
        "5.0",
        "A test times out after this many times its time in the unchanged program,",
    ),
    key(
        "limits",
        "floor",
        "1.0",
        "plus this many seconds; a quarter of them if it spends all its time computing.",
    ),
    key("limits", "repeat", "2", "How often to test the unchanged program, to find flaky tests."),
    key(
        "limits",
        "baseline",
        "600.0",
        "Time limit in seconds of a test, or of a suite run by one command, in the unchanged program.",
    ),
    key("limits", "jobs", "2", "How many tests run at a time. Default: all cores."),
    key(
        "limits",
        "memory",
        "2048",
        "Memory limit of a test run in MiB. Default: 2048, or 4 times what the unchanged program uses.",
    ),
    key(
        "limits",
        "processes",
        "256",
        "Limit of processes of a test run at a time. Default: 256, or 4 times those of the unchanged program.",
    ),
    key("limits", "file_size", "4096", "Limit of the size of a file that tests write, in MiB."),
    key(
        "sandbox",
        "mode",
        "\"auto\"",
        "Sandbox for mutants: off, auto (what the system offers) or require (all of it, or an error).",
    ),
    key("sandbox", "network", "false", "Whether tests may use the network. Default: only loopback."),
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
