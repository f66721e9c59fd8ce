//! A runtime in place.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;
use std::path::PathBuf;

use crate::insert::SourceFile;
use crate::langdef::LangDef;

use super::setup::Env;
use super::setup::LanguageRuntime;
use super::setup::Outer;
use super::setup::RuntimeError;
use super::setup::Setup;
use super::table::runtime;

/// Room for units is made in steps, so that runs of about the same size have the same runtime.
const STEP: u32 = 4096;

/// A runtime in place.
#[derive(Clone)]
pub struct Runtime {
    runtime: &'static dyn LanguageRuntime,
    setup: Setup,
    /// Set while the target is built and run.
    pub env: Env,
}

impl fmt::Debug for Runtime {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Runtime").field("setup", &self.setup).field("env", &self.env).finish_non_exhaustive()
    }
}

impl Runtime {
    /// Installs the runtime of a language for this many units in a directory of ours below `scratch`, or below `kept`,
    /// which outlives a run. `tree` is the target's copy, `outer` the environment that we were started in. None if the
    /// language has no switches.
    pub fn install(
        def: &LangDef,
        units: u32,
        scratch: &Path,
        kept: &Path,
        tree: &Path,
        outer: &BTreeMap<String, String>,
    ) -> Result<Option<Self>, RuntimeError> {
        let switch = &def.file.switch;
        if !switch.is_given() {
            return Ok(None);
        }
        let (runtime, directory) = (runtime(&switch.runtime)?, scratch.join("runtime"));
        fs::create_dir_all(&directory)
            .map_err(|source| RuntimeError::Io { path: directory.clone(), source })?;
        let setup = Setup { units: units.max(1).next_multiple_of(STEP), directory, kept: kept.to_owned() };
        let env = runtime
            .install(&setup, &Outer { tree, env: outer, refused_warnings: &switch.refused_warnings })?;
        Ok(Some(Self { runtime, setup, env }))
    }

    /// How many units there is room for.
    pub fn units(&self) -> u32 {
        self.setup.units
    }

    /// Where compilers write down how they were called.
    pub fn compiles(&self) -> Option<&Path> {
        let named = self.env.iter().find(|(key, _)| key == "WILDCAUGHT_COMPILES");
        named.map(|(_, path)| Path::new(path))
    }

    /// The environment to build a mutant by itself in.
    pub fn plain_env(&self) -> Env {
        self.runtime.plain(&self.env)
    }

    /// A file of the meta-program with what the runtime needs in it.
    pub fn dress(&self, file: &SourceFile, text: &[u8]) -> Vec<u8> {
        self.runtime.dress(&self.setup, file, text)
    }

    /// Files to add to the copy, for these files of the target (paths inside of the copy).
    pub fn companions(&self, files: &[(&Path, &SourceFile)]) -> BTreeMap<PathBuf, Vec<u8>> {
        self.runtime.companions(&self.setup, files)
    }
}
