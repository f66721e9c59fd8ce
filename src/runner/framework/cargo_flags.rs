//! Which flags of a command decide what cargo builds.

use super::super::request::RunError;
use super::super::words::words;

/// Flags that decide what is built, and whether each takes a value.
const BUILD: &[(&str, bool)] = &[
    ("--all", false),
    ("--all-features", false),
    ("--all-targets", false),
    ("--benches", false),
    ("--bin", true),
    ("--bins", false),
    ("--config", true),
    ("--example", true),
    ("--examples", false),
    ("--exclude", true),
    ("--features", true),
    ("--frozen", false),
    ("--lib", false),
    ("--locked", false),
    ("--manifest-path", true),
    ("--no-default-features", false),
    ("--offline", false),
    ("--package", true),
    ("--profile", true),
    ("--release", false),
    ("--target", true),
    ("--test", true),
    ("--tests", false),
    ("--workspace", false),
    ("-F", true),
    ("-Z", true),
    ("-p", true),
    ("-r", false),
];
/// Flags of nextest that change neither which tests run nor what they say, or that we decide.
const HARMLESS: &[(&str, bool)] = &[
    ("--cargo-quiet", false),
    ("--color", true),
    ("--fail-fast", false),
    ("--failure-output", true),
    ("--ff", false),
    ("--final-status-level", true),
    ("--hide-progress-bar", false),
    ("--jobs", true),
    ("--no-capture", false),
    ("--no-fail-fast", false),
    ("--nocapture", false),
    ("--show-progress", true),
    ("--status-level", true),
    ("--success-output", true),
    ("--test-threads", true),
    ("-j", true),
    ("-q", false),
    ("-v", false),
    ("--verbose", false),
];

/// Flags that choose targets; without one, documentation tests are run, too.
const TARGETS: &[&str] = &[
    "--all-targets",
    "--benches",
    "--bin",
    "--bins",
    "--example",
    "--examples",
    "--lib",
    "--test",
    "--tests",
];

/// The flags with which documentation tests are built; none if targets are chosen that have none.
pub fn without_targets(flags: &[String]) -> Option<Vec<String>> {
    let chosen = flags.iter().any(|flag| TARGETS.contains(&flag.as_str()));
    (!chosen).then(|| flags.to_vec())
}

/// The flags of a build command, whatever else it does: those of its first call of cargo.
pub fn build_flags(line: &str) -> Vec<String> {
    let call = line.split([';', '&', '|']).find_map(|part| {
        let words = words(part).unwrap_or_else(|| part.split_whitespace().map(str::to_owned).collect());
        let at = words.iter().position(|word| word.rsplit('/').next() == Some("cargo"))?;
        Some(words[at + 1..].to_vec())
    });
    let call = call.unwrap_or_default();
    sort_out(&call, call.iter().any(|word| word == "nextest")).0
}

/// The flags of a test command: `cargo nextest run …`.
pub fn test_flags(line: &str) -> Result<Vec<String>, RunError> {
    let refused = |why: &str| {
        RunError::Broken(format!(
            "tests.command = {line:?}: {why}; write `cargo nextest run` with build flags, choose tests with \
             tests.only and tests.skip_tests, or use preset = \"command\""
        ))
    };
    let words = words(line).ok_or_else(|| refused("it needs a shell"))?;
    let [cargo, nextest, run, flags @ ..] = &words[..] else {
        return Err(refused("it does not call nextest"));
    };
    if cargo.rsplit('/').next() != Some("cargo") || nextest != "nextest" || run != "run" {
        return Err(refused("it does not call nextest"));
    }
    match sort_out(flags, true) {
        (flags, None) => Ok(flags),
        (_, Some(unknown)) => Err(refused(&format!("{unknown} cannot be passed on"))),
    }
}

/// The flags of the build as `cargo test` takes them, and the first that is not known.
fn sort_out(words: &[String], nextest: bool) -> (Vec<String>, Option<String>) {
    let (mut kept, mut unknown) = (Vec::new(), None);
    let mut words = words.iter().take_while(|word| *word != "--").peekable();
    while let Some(word) = words.next() {
        let (flag, value) =
            word.split_once('=').map_or((word.as_str(), None), |(flag, value)| (flag, Some(value)));
        // Nextest calls profiles of its own --profile.
        let named = match flag {
            "--cargo-profile" if nextest => "--profile",
            "--profile" if nextest => "",
            flag => flag,
        };
        let in_table =
            |table: &[(&str, bool)]| table.iter().find(|(name, _)| *name == named).map(|(_, takes)| *takes);
        let build = in_table(BUILD);
        match build.or_else(|| in_table(HARMLESS)) {
            Some(takes) => {
                let value = value.map(str::to_owned).or_else(|| words.next_if(|_| takes).cloned());
                if build.is_some() {
                    kept.push(named.to_owned());
                    kept.extend(value);
                }
            }
            None => unknown = unknown.or_else(|| Some(word.clone())),
        }
    }
    (kept, unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flags_of_a_build_are_found_in_its_command() {
        let flags = |line: &str| build_flags(line).join(" ");
        assert_eq!(flags("cargo test --no-run --message-format=json"), "");
        assert_eq!(
            flags("cd x && cargo test --features 'a b' -p one --no-run -- --nocapture"),
            "--features a b -p one"
        );
        assert_eq!(
            flags("A=1 ~/bin/cargo test --no-default-features --features=a,b | cat"),
            "--no-default-features --features a,b"
        );
        assert_eq!(flags("cargo nextest run --no-run --cargo-profile fast --profile ci"), "--profile fast");
        assert_eq!(flags("make tests"), "");
    }

    #[test]
    fn the_flags_of_a_test_command_are_passed_on_or_refused() {
        let flags =
            |line: &str| test_flags(line).map(|flags| flags.join(" ")).map_err(|error| error.to_string());
        assert_eq!(flags("cargo nextest run --no-fail-fast --color=never").as_deref(), Ok(""));
        assert_eq!(
            flags("cargo nextest run -j 4 --all-features --workspace").as_deref(),
            Ok("--all-features --workspace")
        );
        let refused = flags("cargo nextest run -E 'test(a)'").unwrap_err();
        assert!(refused.contains("tests.command") && refused.contains("-E cannot be passed on"), "{refused}");
        assert!(flags("cargo test").unwrap_err().contains("does not call nextest"));
        assert!(flags("cargo nextest run | cat").unwrap_err().contains("needs a shell"));
    }
}
