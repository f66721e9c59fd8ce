//! Scripts beside a build that run the tests: `scripts/run-tests.py`, `test/run_tests.sh`.

use regex::Regex;

use super::tree::Tree;

/// The command that runs the script of a project, from a directory one below its root if it is built there.
pub(super) fn script_command(tree: &Tree, directory: Option<&str>) -> Option<String> {
    let name = Regex::new(r"^((?:scripts?|tests?|ci|tools)/)?(run[-_]?(?:all[-_]?)?tests?(?:uite)?|unit[-_]?tests?|tests?|check)\.(sh|py)$")
        .expect("it is correct");
    let fitting = |file: &&String| name.is_match(file);
    // `run-tests` says more than `test`, and the root is the place for what people call.
    let rank = |file: &&String| (!file.contains("run"), file.matches('/').count(), (*file).clone());
    let file = tree.files.iter().filter(fitting).min_by_key(rank)?;
    let program = if file.ends_with(".py") { "python3" } else { "sh" };
    // A script says itself by which shell it wants to be read.
    let program = if tree.text(file).starts_with("#!") && !file.ends_with(".py") { "" } else { program };
    Some(match directory {
        Some(directory) => format!("cd {directory} && {}", call(program, &format!("../{file}"))),
        None => call(program, &if program.is_empty() { format!("./{file}") } else { file.clone() }),
    })
}

fn call(program: &str, file: &str) -> String {
    if program.is_empty() { file.to_owned() } else { format!("{program} {file}") }
}
