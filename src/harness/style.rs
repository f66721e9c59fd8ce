//! How tests are found, run and judged: `[tests]`, checked.

use super::preset::Preset;
use super::preset::preset;
use super::read::Format;

/// One of the ways to test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Style {
    /// One command; its exit code is the verdict.
    Command { command: String },
    /// Many inputs for one program.
    Cases(Cases),
    /// JUnit classes, compiled by `javac` and run without a build tool.
    Junit(Junit),
    /// The tests of a build in this directory, which its build system lists: CMake's, Meson's.
    Listed { preset: &'static Preset, directory: String },
    /// A command that writes XML files in JUnit's manner.
    JunitXml { command: String, report: String },
    /// A command that prints TAP.
    Tap { command: String },
    /// A framework with a preset of its own; its test command and report files can be replaced.
    Framework { preset: &'static Preset, command: Option<String>, report: Option<String> },
}

/// Many inputs for one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cases {
    pub list: CaseList,
    /// The command that runs one case; `{case}`, `{stem}`, `{dir}` and `{name}` stand for it, `{arguments}` for a call.
    pub run: String,
    pub oracle: Oracle,
    /// Globs of files that are put back before each case.
    pub restore: Vec<String>,
}

/// Which cases there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaseList {
    /// Files that match.
    Globs(Vec<String>),
    /// These, as they are.
    Names(Vec<String>),
    /// Calls of the program, a line for each in this file.
    Universe(String),
}

/// How to judge a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Oracle {
    /// Its exit code is 0.
    Exit,
    /// No signal ends it, and no sanitizer complains, whatever its exit code is.
    Crash,
    /// Exit code and output are those of the unchanged program.
    Original,
    /// Its output is that in this file.
    Golden(String),
    /// This command, given the output as `{output}`, exits with 0.
    Script(String),
}

/// JUnit classes in directories.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Junit {
    pub main: Vec<String>,
    pub test: Vec<String>,
    /// Test classes that are not compiled.
    pub exclude: Vec<String>,
    pub resources: Vec<String>,
    pub classpath: Vec<String>,
}

impl Style {
    /// The name, as `preset` takes it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Command { .. } => "command",
            Self::Cases(_) => "cases",
            Self::Junit(_) => "junit",
            Self::JunitXml { .. } => "junit-xml",
            Self::Tap { .. } => "tap",
            Self::Listed { preset, .. } | Self::Framework { preset, .. } => &preset.name,
        }
    }

    /// The command that runs all tests, if there is one such command.
    pub fn command(&self) -> Option<&str> {
        let own = match self {
            Self::Command { command } | Self::Tap { command } | Self::JunitXml { command, .. } => {
                Some(command)
            }
            Self::Framework { command, .. } => command.as_ref(),
            Self::Cases(_) | Self::Junit(_) | Self::Listed { .. } => None,
        };
        own.map(String::as_str).or_else(|| preset(self.name())?.test.as_deref())
    }

    /// The glob of the report files, if verdicts are in files.
    pub fn report(&self) -> Option<&str> {
        let own = match self {
            Self::JunitXml { report, .. } => Some(report),
            Self::Framework { report, .. } => report.as_ref(),
            _ => None,
        };
        own.map(String::as_str).or_else(|| preset(self.name())?.report.as_deref())
    }

    /// How verdicts are read.
    pub fn format(&self) -> Format {
        preset(self.name()).map_or(Format::Exit, |preset| preset.reads)
    }
}

/// What stands for a case in templates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case<'a>(pub &'a str);

impl Case<'_> {
    /// The template with the case in it, as a path.
    pub fn path(self, template: &str) -> String {
        self.fill(template, str::to_owned)
    }

    /// The template with the case in it, as a line for the shell.
    pub fn shell(self, template: &str) -> String {
        self.fill(template, quoted)
    }

    fn fill(self, template: &str, write: impl Fn(&str) -> String) -> String {
        let (dir, name) = self.0.rsplit_once('/').unwrap_or((".", self.0));
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem });
        let values = [("{case}", self.0), ("{stem}", stem), ("{dir}", dir), ("{name}", name)];
        let mut filled = String::new();
        let mut rest = template;
        while let Some(at) = rest.find('{') {
            filled.push_str(&rest[..at]);
            rest = &rest[at..];
            let known = values.iter().find(|(mark, _)| rest.starts_with(mark));
            let (taken, value) =
                known.map_or((1, "{".to_owned()), |(mark, value)| (mark.len(), write(value)));
            filled.push_str(&value);
            rest = &rest[taken..];
        }
        filled + rest
    }
}

/// A word as the shell takes it.
pub(super) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled() {
        let case = Case("tests/a/one.json");
        assert_eq!(case.path("{dir}/out/{stem}.txt"), "tests/a/out/one.txt");
        assert_eq!(
            case.shell("./prog -n {name} < {case} | awk '{print}'"),
            "./prog -n one.json < tests/a/one.json | awk '{print}'"
        );
        assert_eq!(Case("it's {name}").shell("p {case}"), r"p 'it'\''s {name}'");
        assert_eq!(Case(".hidden").path("{dir}/{stem}"), "./.hidden");
    }
}
