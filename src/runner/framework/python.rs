//! Python: pytest and unittest in a resident process that forks for every request.

use std::fs;
use std::time::Duration;

use super::super::request::RunError;
use super::super::request::Runner;
use super::super::resident::ServerKind;
use super::setup::TestSetup;
use super::table::Framework;

/// The server: reads requests, forks, replies. Its name has no ending, so that nothing takes it for a test.
const SERVER: (&str, &str) = ("wildcaught-python", include_str!("python/server.py"));

/// Flags that change how much is printed, and say nothing about which tests there are.
const TALK: [&str; 5] = ["-v", "-q", "-r", "--tb", "--color"];

/// A request's tests run in one fork, one after another.
const KIND: ServerKind = ServerKind {
    title: "the Python test runner",
    remedy: "check command in [tests]: it must name a Python, or a pytest next to one",
    patience: Duration::from_secs(90),
    shares: true,
};

/// pytest and unittest, by the name that the server knows them by.
pub struct Python(pub &'static str);

impl Framework for Python {
    fn runner(&self, setup: &TestSetup) -> Result<Box<dyn Runner>, RunError> {
        let script = setup.scratch.join(SERVER.0);
        fs::write(&script, SERVER.1).map_err(RunError::io(script.display().to_string()))?;
        let line = setup.config.tests.style.command().unwrap_or_default();
        let Call { python, arguments } = call(line, self.0)?;
        let ours = [script.display().to_string(), self.0.to_owned()];
        let command = python.into_iter().chain(ours).chain(arguments).collect();
        setup.server(KIND, command, setup.env())
    }
}

/// A command, as far as our server needs it.
#[derive(Debug, PartialEq, Eq)]
struct Call {
    /// The words that start Python, such as `uv run python`.
    python: Vec<String>,
    arguments: Vec<String>,
}

/// Takes a command apart: `python3 -m pytest tests`, `.venv/bin/pytest`, `uv run pytest -x`.
fn call(line: &str, framework: &str) -> Result<Call, RunError> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let module = words.windows(2).position(|pair| pair == ["-m", framework]);
    let program = words.iter().position(|word| word.rsplit('/').next() == Some(framework));
    let (python, rest): (Vec<String>, &[&str]) = match (module, program) {
        (Some(module), _) if module > 0 => (owned(&words[..module]), &words[module + 2..]),
        (_, Some(program)) if words.iter().take(program).all(|word| !word.starts_with('-')) => {
            // Beside a pytest with a path lies its Python.
            let directory = words[program].strip_suffix(framework).unwrap_or_default();
            let python = format!("{directory}{}", if directory.is_empty() { "python3" } else { "python" });
            (owned(&words[..program]).into_iter().chain([python]).collect(), &words[program + 1..])
        }
        _ => {
            let remedy = format!("write \"python3 -m {framework}\", or leave it out");
            return Err(RunError::Broken(format!(
                "tests.command = {line:?} does not call {framework}; {remedy}"
            )));
        }
    };
    let talk = |word: &&&str| !TALK.iter().any(|flag| word.starts_with(flag));
    Ok(Call { python, arguments: rest.iter().filter(talk).map(|word| (*word).to_owned()).collect() })
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_taken_apart() {
        for (line, python, arguments) in [
            ("python3 -m pytest -v --tb=line x", "python3", "x"),
            (".venv/bin/pytest -x", ".venv/bin/python", "-x"),
            ("pytest tests", "python3", "tests"),
            ("uv run pytest", "uv run python3", ""),
            ("poetry run python -m pytest -k a", "poetry run python", "-k a"),
        ] {
            let call = call(line, "pytest").unwrap();
            assert_eq!((call.python.join(" "), call.arguments.join(" ")), (python.into(), arguments.into()));
        }
    }

    #[test]
    fn a_command_that_calls_something_else_is_refused() {
        for line in ["", "  ", "-q", "make test", "-m pytest"] {
            assert!(call(line, "pytest").unwrap_err().to_string().starts_with("tests.command"), "{line}");
        }
    }
}
