//! The runtime of Python: a module that the interpreter imports when it starts.

use super::setup::Env;
use super::setup::LanguageRuntime;
use super::setup::Outer;
use super::setup::RuntimeError;
use super::setup::Setup;
use super::setup::before;

const SOURCE: &str = include_str!("python/sitecustomize.py");

/// Python.
pub struct Python;

impl LanguageRuntime for Python {
    fn install(&self, setup: &Setup, outer: &Outer) -> Result<Env, RuntimeError> {
        setup.write("sitecustomize.py", SOURCE)?;
        let path = before(&setup.directory.display().to_string(), outer.env.get("PYTHONPATH"));
        // Without the second, modules that were compiled before the meta-program was written would be used.
        Ok(vec![("PYTHONPATH".into(), path), ("PYTHONDONTWRITEBYTECODE".into(), "1".into())])
    }
}
