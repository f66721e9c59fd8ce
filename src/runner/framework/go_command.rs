//! `go test` with its flags: which belong to the build, which to the tests.

use super::super::request::RunError;
use super::super::words::words;

/// What becomes of a flag.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goes {
    /// To `go test -c`.
    Build,
    /// To `go list` as well: it decides which files belong to a package.
    Selection,
    /// To the test program, as `-test.…`.
    Run,
    /// Which tests are listed.
    Pattern,
    /// Nowhere: we decide it, or it changes no verdict.
    Nowhere,
}

/// Flags by name, whether each takes a value, and what becomes of it.
const FLAGS: &[(&str, bool, Goes)] = &[
    ("asan", false, Goes::Build),
    ("asmflags", true, Goes::Build),
    ("count", true, Goes::Nowhere),
    ("cover", false, Goes::Nowhere),
    ("covermode", true, Goes::Nowhere),
    ("coverpkg", true, Goes::Nowhere),
    ("coverprofile", true, Goes::Nowhere),
    ("cpu", true, Goes::Run),
    ("failfast", false, Goes::Nowhere),
    ("gcflags", true, Goes::Build),
    ("json", false, Goes::Nowhere),
    ("ldflags", true, Goes::Build),
    ("mod", true, Goes::Selection),
    ("modfile", true, Goes::Selection),
    ("msan", false, Goes::Build),
    ("p", true, Goes::Nowhere),
    ("parallel", true, Goes::Run),
    ("race", false, Goes::Build),
    ("run", true, Goes::Pattern),
    ("short", false, Goes::Run),
    ("tags", true, Goes::Selection),
    ("timeout", true, Goes::Run),
    ("trimpath", false, Goes::Build),
    ("v", false, Goes::Nowhere),
    ("vet", true, Goes::Nowhere),
];

/// A `go test` command, taken apart.
#[derive(Debug, PartialEq, Eq)]
pub struct GoCommand {
    /// The program `go`.
    pub go: String,
    /// Flags for `go list`.
    pub selection: Vec<String>,
    /// Flags for `go test -c`.
    pub build: Vec<String>,
    /// Flags for the test programs.
    pub run: Vec<String>,
    /// The tests that are listed, as a regular expression.
    pub pattern: String,
    /// The packages with tests.
    pub packages: Vec<String>,
}

impl GoCommand {
    /// Takes a command apart; refuses what could not be honoured.
    pub fn parse(line: &str) -> Result<Self, RunError> {
        let refused = |why: &str| {
            RunError::Broken(format!(
                "tests.command = {line:?}: {why}; write `go test` with flags and packages, choose tests with \
                 tests.only and tests.skip_tests, set variables in tests.env, or use preset = \"command\""
            ))
        };
        let words = words(line).ok_or_else(|| refused("it needs a shell"))?;
        let [go, test, rest @ ..] = &words[..] else { return Err(refused("it does not call go test")) };
        if !go.rsplit('/').next().is_some_and(|name| name.starts_with("go")) || test != "test" {
            return Err(refused("it does not call go test"));
        }
        let mut command = Self {
            go: go.clone(),
            selection: vec![],
            build: vec![],
            run: vec![],
            pattern: ".*".into(),
            packages: vec![],
        };
        let mut rest = rest.iter();
        while let Some(word) = rest.next() {
            match word.strip_prefix('-') {
                None => command.packages.push(word.clone()),
                Some(flag) => {
                    let known = command.take(flag.trim_start_matches('-'), &mut rest);
                    known.ok_or_else(|| refused(&format!("{word} cannot be passed on")))?;
                }
            }
        }
        if command.packages.is_empty() {
            command.packages.push("./...".into());
        }
        Ok(command)
    }

    /// Takes one flag, with its value from the words behind it if need be; nothing if it is not known.
    fn take<'w>(&mut self, flag: &str, rest: &mut impl Iterator<Item = &'w String>) -> Option<()> {
        let (name, value) = flag.split_once('=').map_or((flag, None), |(name, value)| (name, Some(value)));
        let (_, takes, goes) = FLAGS.iter().find(|(known, ..)| *known == name)?;
        let value = match value {
            Some(value) => Some(value.to_owned()),
            None if *takes => Some(rest.next()?.clone()),
            None => None,
        };
        let written = |prefix: &str| match &value {
            Some(value) => format!("-{prefix}{name}={value}"),
            None => format!("-{prefix}{name}"),
        };
        match goes {
            Goes::Build => self.build.push(written("")),
            Goes::Selection => {
                self.build.push(written(""));
                self.selection.push(written(""));
            }
            Goes::Run => self.run.push(written("test.")),
            // Parts of tests cannot be listed.
            Goes::Pattern => self.pattern = value.filter(|value| !value.contains('/'))?,
            Goes::Nowhere => {}
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_go_where_they_belong() {
        let line =
            "go test -race -tags=a,b -short -timeout 5s -count=1 -json -run 'TestA|TestB' ./pkg/... ./other";
        let command = GoCommand::parse(line).unwrap();
        assert_eq!(command.build, ["-race", "-tags=a,b"]);
        assert_eq!(command.selection, ["-tags=a,b"]);
        assert_eq!(command.run, ["-test.short", "-test.timeout=5s"]);
        assert_eq!((command.pattern.as_str(), command.packages.len()), ("TestA|TestB", 2));
    }

    #[test]
    fn the_usual_command_has_no_flags_for_us() {
        let usual = crate::harness::preset("go").and_then(|preset| preset.test.as_deref()).unwrap();
        let command = GoCommand::parse(usual).unwrap();
        assert!(command.build.is_empty() && command.run.is_empty() && command.selection.is_empty());
        assert_eq!(command.packages, ["./..."]);
    }

    #[test]
    fn a_command_that_cannot_be_honoured_is_refused() {
        let lines = [
            "go vet",
            "make test",
            "go test -exec qemu",
            "go test | tee x",
            "A=1 go test",
            "go test -run A/b",
        ];
        for line in lines {
            let error = GoCommand::parse(line).unwrap_err().to_string();
            assert!(error.starts_with("tests.command = "), "{error}");
        }
    }
}
