//! The command with which people run all tests of a project, without wildcaught.

use std::path::Path;

use crate::harness::Config;
use crate::harness::Junit;
use crate::harness::Style;

use super::super::request::RunError;
use super::cargo_flags::build_flags;
use super::junit::CLASSES;
use super::junit::classpath;
use super::maven::SKIPPED;

/// A Java machine does not look at TMPDIR by itself, and may write nowhere else.
const JAVA: &str = r#"java -Djava.io.tmpdir="${TMPDIR:-/tmp}""#;

/// Jars that JUnit's console needs beside its launcher.
const CONSOLE: [&str; 3] = ["junit-platform-console.jar", "junit-platform-reporting.jar", "picocli.jar"];
/// What a class path with JUnit 5 has.
const LAUNCHER: &str = "junit-platform-launcher";

/// The line for the shell that runs all tests of a project that was built in `tree`; none where only our own runners
/// know how. `tests` are their names, as a runner lists them.
pub fn plain_line(config: &Config, tree: &Path, tests: &[String]) -> Result<Option<String>, RunError> {
    let style = &config.tests.style;
    Ok(match style {
        Style::Cases(_) => None,
        Style::Junit(junit) => junit_line(junit, tree, tests)?,
        Style::Listed { preset, directory } => {
            let all = preset.test.as_deref().unwrap_or_default();
            Some(format!("cd '{directory}' && {all}"))
        }
        Style::Framework { preset, command: None, .. } if preset.name == "cargo" => {
            let flags = config.build.command.as_deref().map(build_flags).unwrap_or_default();
            let flags: Vec<String> = flags.iter().map(|flag| format!(" '{flag}'")).collect();
            Some(format!("cargo test --no-fail-fast{}", flags.concat()))
        }
        Style::Framework { preset, command: None, .. } if preset.name == "maven" => Some(maven_line("-o ")),
        _ => style.command().map(str::to_owned),
    })
}

/// The line for the shell that fetches what [`plain_line`] needs and a build does not: Maven looks for what runs tests
/// only when it runs them. None where a build fetches all.
pub fn fetching_line(config: &Config) -> Option<String> {
    match &config.tests.style {
        Style::Framework { preset, command: None, .. } if preset.name == "maven" => Some(maven_line("")),
        _ => None,
    }
}

fn maven_line(offline: &str) -> String {
    format!("mvn -q -B {offline}{SKIPPED} -Dmaven.test.failure.ignore=true test")
}

/// JUnit's own launcher on all test classes: that of version 5 if the class path has it, else that of version 4.
/// None if there are both, since no launcher runs both without more jars, or if the console is not there.
fn junit_line(junit: &Junit, tree: &Path, tests: &[String]) -> Result<Option<String>, RunError> {
    let classpath = classpath(junit, tree)?;
    let jars: Vec<&Path> = classpath.split(':').map(Path::new).collect();
    let named = |jar: &Path, prefix: &str| {
        jar.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix))
    };
    let launcher = jars.iter().find(|jar| named(jar, LAUNCHER));
    let has_4 = jars.iter().any(|jar| named(jar, "junit4") || named(jar, "junit.") || named(jar, "junit-4"));
    let mut classes: Vec<&str> = tests.iter().filter_map(|test| Some(test.split_once('#')?.0)).collect();
    classes.sort_unstable();
    classes.dedup();
    let all = format!("{CLASSES}/main:{CLASSES}/test:{classpath}");
    Ok(match launcher {
        None => Some(format!("{JAVA} -cp '{all}' org.junit.runner.JUnitCore {}", quoted("", &classes))),
        Some(_) if has_4 => None,
        Some(launcher) => console(launcher).map(|console| {
            let class = "org.junit.platform.console.ConsoleLauncher";
            format!("{JAVA} -cp '{all}:{console}' {class} --details=tree {}", quoted("-c ", &classes))
        }),
    })
}

/// The jars of the console, if they lie beside the launcher.
fn console(launcher: &Path) -> Option<String> {
    let beside = launcher.parent()?;
    let jars: Vec<_> = CONSOLE.iter().map(|jar| beside.join(jar)).collect();
    let there = jars.iter().all(|jar| jar.exists());
    there.then(|| jars.iter().map(|jar| jar.display().to_string()).collect::<Vec<_>>().join(":"))
}

/// Words for the shell, each behind a flag.
fn quoted(flag: &str, words: &[&str]) -> String {
    words.iter().map(|word| format!("{flag}'{word}'")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(toml: &str, tests: &[&str]) -> Option<String> {
        let config = Config::parse(&format!("format = 1\n{toml}"), "wildcaught.toml").unwrap();
        let tests: Vec<String> = tests.iter().map(|test| (*test).to_owned()).collect();
        plain_line(&config, Path::new("/nowhere"), &tests).unwrap()
    }

    #[test]
    fn every_way_to_test_has_a_command_that_people_would_type() {
        let plain = |toml: &str| line(toml, &[]).unwrap();
        assert_eq!(plain("[tests]\npreset = \"command\"\ncommand = \"make check\""), "make check");
        let build = "[build]\ncommand = \"cargo test --offline --no-run --message-format=json\"\n";
        let cargo = plain(&format!("{build}[tests]\npreset = \"cargo\""));
        assert_eq!(cargo, "cargo test --no-fail-fast '--offline'");
        assert!(plain("[tests]\npreset = \"go\"").starts_with("go test"));
        assert!(plain("[tests]\npreset = \"maven\"").ends_with(" test"));
        let own = "[tests]\npreset = \"maven\"\ncommand = \"mvn verify\"";
        assert_eq!(plain(own), "mvn verify", "what the settings say goes first");
        let ctest = plain("[tests]\npreset = \"ctest\"\ndirectory = \"build\"");
        assert_eq!(ctest, "cd 'build' && ctest --output-on-failure");
        let cases = "[tests]\npreset = \"cases\"\nlist = [\"a\"]\nrun = \"./prog {case}\"";
        assert_eq!(line(cases, &[]), None, "cases are listed by the settings alone");
    }

    #[test]
    fn what_maven_needs_to_run_tests_is_fetched_by_the_same_command_with_the_network() {
        let fetching = |toml: &str| {
            fetching_line(&Config::parse(&format!("format = 1\n{toml}"), "wildcaught.toml").unwrap())
        };
        let maven = "[tests]\npreset = \"maven\"";
        let offline = line(maven, &[]).unwrap();
        assert_eq!(fetching(maven), Some(offline.replace(" -o ", " ")));
        assert_ne!(fetching(maven), Some(offline));
        assert_eq!(fetching("[tests]\npreset = \"go\""), None);
    }

    #[test]
    fn classes_are_run_by_the_launcher_of_their_junit() {
        let junit =
            |jars: &str| format!("[tests]\npreset = \"junit\"\nmain = [\"m\"]\ntest = [\"t\"]\n{jars}");
        let tests = ["b.Test#two", "a.Test$In#one", "b.Test#three"];
        let four = line(&junit("classpath = [\"/x/junit4.jar\"]"), &tests).unwrap();
        assert!(four.ends_with("JUnitCore 'a.Test$In' 'b.Test'"), "{four}");
        let both = junit("classpath = [\"/x/junit4.jar\", \"/x/junit-platform-launcher.jar\"]");
        assert_eq!(line(&both, &tests), None);
    }
}
