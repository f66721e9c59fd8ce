//! Test runners of JavaScript: a row each.

/// A test runner.
#[derive(Debug)]
pub(super) struct TestRunner {
    /// The name of its program and of its package.
    pub name: &'static str,
    /// The preset by which it is run.
    pub preset: &'static str,
    /// The command behind `npx --no-install`, before what the project says.
    pub command: &'static str,
    /// Globs of files that show it.
    pub files: &'static [&'static str],
}

/// All of them; where several are found by files or dependencies, the first counts.
pub(super) const RUNNERS: [TestRunner; 9] = [
    row("vitest", "vitest", "vitest run", &["vitest.config.*", "vitest.workspace.*"]),
    row("jest", "jest", "jest", &["jest.config.*"]),
    row("mocha", "mocha", "mocha", &[".mocharc", ".mocharc.*", "test/mocha.opts"]),
    row("ava", "tap", "ava --tap", &["ava.config.*"]),
    row("tap", "tap", "tap --reporter=tap", &[".taprc"]),
    row("tape", "tap", "tape", &[]),
    row("jasmine", "command", "jasmine", &["spec/support/jasmine.*"]),
    row("uvu", "command", "uvu", &[]),
    row("qunit", "tap", "qunit", &[]),
];

const fn row(
    name: &'static str,
    preset: &'static str,
    command: &'static str,
    files: &'static [&'static str],
) -> TestRunner {
    TestRunner { name, preset, command, files }
}

/// The runner of this name.
pub(super) fn runner(name: &str) -> Option<&'static TestRunner> {
    let name = name.trim_start_matches('_');
    RUNNERS.iter().find(|runner| runner.name == name)
}

/// Flags that only change what is printed, how fast it goes, or what else is done: not which tests there are.
const NOISE: [&str; 40] = [
    "--bail",
    "-b",
    "--check-coverage",
    "--ci",
    "--collectCoverage",
    "--color",
    "--colors",
    "-c8",
    "--coverage",
    "--cov",
    "--detectOpenHandles",
    "--exit",
    "--fail-zero",
    "--forbid-only",
    "--forceExit",
    "--full-trace",
    "--json",
    "--logHeapUsage",
    "--no-cache",
    "--no-color",
    "--no-coverage",
    "--no-watch",
    "--notify",
    "-i",
    "--parallel",
    "--passWithNoTests",
    "--runInBand",
    "--silent",
    "--tap",
    "--typecheck",
    "--u",
    "-u",
    "--update",
    "--verbose",
    "-v",
    "--watch",
    "--watch=false",
    "--watchAll",
    "--watchAll=false",
    "--run",
];
/// The same with a value behind them.
const NOISE_WITH_VALUE: [&str; 14] = [
    "--reporter",
    "-R",
    "--reporters",
    "--reporter-option",
    "--reporter-options",
    "-O",
    "--maxWorkers",
    "-j",
    "--jobs",
    "--coverageReporters",
    "--coverageDirectory",
    "--collectCoverageFrom",
    "--outputFile",
    "--max-workers",
];

/// The arguments that say which tests there are and how they are loaded.
pub(super) fn without_noise(arguments: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let (name, inline) = word.split_once('=').map_or((word.as_str(), false), |(name, _)| (name, true));
        if NOISE_WITH_VALUE.contains(&name) {
            if !inline {
                words.next();
            }
        } else if !NOISE.contains(&word.as_str())
            && !NOISE.contains(&name)
            && !name.starts_with("--coverage.")
        {
            kept.push(word.clone());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_chooses_tests_is_kept() {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let kept =
            without_noise(&words("--require @babel/register --reporter dot --recursive --coverage -R=x"));
        assert_eq!(kept, ["--require", "@babel/register", "--recursive"]);
    }
}
