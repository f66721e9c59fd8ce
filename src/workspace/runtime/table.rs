//! All runtimes by name.

use super::c::C;
use super::csharp::Csharp;
use super::go::Go;
use super::java::Java;
use super::javascript::Javascript;
use super::python::Python;
use super::rust::Rust;
use super::setup::LanguageRuntime;
use super::setup::RuntimeError;

const RUNTIMES: &[(&str, &dyn LanguageRuntime)] = &[
    ("c", &C),
    ("csharp", &Csharp),
    ("go", &Go),
    ("java", &Java),
    ("javascript", &Javascript),
    ("python", &Python),
    ("rust", &Rust),
];

/// The runtime of a name, as `[switch] runtime` gives it.
pub fn runtime(name: &str) -> Result<&'static dyn LanguageRuntime, RuntimeError> {
    let found = RUNTIMES.iter().find(|(known, _)| *known == name);
    found.map(|(_, runtime)| *runtime).ok_or_else(|| RuntimeError::Unknown(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::langdef::builtin;
    use crate::langdef::builtin_names;

    #[test]
    fn every_language_that_switches_has_its_runtime() {
        for name in builtin_names() {
            let def = builtin(name).unwrap();
            let switch = &def.file.switch;
            assert!(!switch.is_given() || runtime(&switch.runtime).is_ok(), "{name}");
        }
        assert!(matches!(runtime("cobol"), Err(RuntimeError::Unknown(_))));
    }
}
