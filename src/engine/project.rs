//! A project that can be copied, built and tested.

use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::control::Events;
use crate::control::Progress;
use crate::exec::Ended;
use crate::exec::Spec;
use crate::harness::Config;
use crate::harness::Style;
use crate::langdef::LangDef;
use crate::runner::RunError;
use crate::runner::Runner;
use crate::runner::StrayImport;
use crate::runner::TestSetup;
use crate::runner::junit_build_line;
use crate::workspace::Copying;
use crate::workspace::Workspace;

use super::built::Built;
use super::plain::plain_target;
use super::screen::Complaints;

/// How much of what a build says is read.
const MOST_SAID: u64 = 512 << 20;

/// A project.
pub struct Project<'a> {
    pub root: &'a Path,
    pub config: &'a Config,
    /// A directory of ours that outlives a run: what can be built once is kept there.
    pub cache: PathBuf,
    /// Where results are kept, if that is inside of the project: it is no part of it.
    pub out: Option<PathBuf>,
    /// The environment that we were started in.
    pub outer: BTreeMap<String, String>,
    /// Packages that tests would import from elsewhere; found out when it is first needed.
    pub strays: OnceLock<Vec<StrayImport>>,
    pub progress: &'a Progress,
}

/// A directory for what is gone when the work is done.
pub fn scratch() -> Result<TempDir, RunError> {
    let made = tempfile::Builder::new().prefix("wildcaught-").tempdir();
    made.map_err(RunError::io("a directory for temporary files"))
}

/// Writes a file of a copy.
pub fn put(workspace: &Workspace, path: &Path, text: &[u8]) -> Result<(), RunError> {
    workspace.write(path, text).map_err(RunError::io(path.display().to_string()))
}

/// What reads a compiler's messages.
pub fn complaints(def: &LangDef) -> Result<Complaints, RunError> {
    Complaints::new(&def.file.switch)
        .map_err(|error| RunError::Broken(format!("[switch] of the language definition: {error}")))
}

impl Project<'_> {
    /// A copy of the project.
    pub fn copy(&self) -> Result<Workspace, RunError> {
        let copying = Copying {
            skip: self.config.skip.clone(),
            link: self.config.link.clone(),
            except: self.out.clone(),
        };
        Workspace::copy(self.root, &copying)
            .map_err(RunError::io(format!("a copy of {}", self.root.display())))
    }

    /// A copy of a copy, with everything that was built in it.
    pub fn copy_of(tree: &Path) -> Result<Workspace, RunError> {
        Workspace::copy(tree, &Copying::default())
            .map_err(RunError::io(format!("a copy of {}", tree.display())))
    }

    /// The environment of builds and tests; `worker` keeps apart what must not be shared.
    pub fn env(&self, runtime: &[(String, String)], worker: usize) -> Vec<(String, String)> {
        let mut env: Vec<(String, String)> = runtime.to_vec();
        if !self.outer.contains_key("CARGO_TARGET_DIR") || worker > 0 {
            let target = self.cache.join(format!("target-{worker}"));
            env.push(("CARGO_TARGET_DIR".into(), target.display().to_string()));
        }
        // What only a debugger reads takes a third of the time to build and to link.
        for profile in ["CARGO_PROFILE_DEV_DEBUG", "CARGO_PROFILE_TEST_DEBUG"] {
            if !self.outer.contains_key(profile) {
                env.push((profile.into(), "0".into()));
            }
        }
        env.extend(self.config.build.env.iter().map(|(key, value)| (key.clone(), value.clone())));
        env
    }

    /// The environment in which the plain project is built and tested: what the settings say, and nothing of ours
    /// but where cargo puts what it builds.
    pub fn plain_env(&self, tree: &Path, worker: usize) -> Result<Vec<(String, String)>, RunError> {
        let target = plain_target(&self.cache, worker).display().to_string();
        let mut env = vec![("CARGO_TARGET_DIR".to_owned(), target)];
        for variables in [&self.config.build.env, &self.config.tests.env] {
            env.extend(variables.iter().map(|(key, value)| (key.clone(), value.clone())));
        }
        let strays = self.strays(tree, &env)?;
        StrayImport::put_first(strays, tree, &mut env, self.outer.get("PYTHONPATH"));
        Ok(env)
    }

    /// Packages that tests in a copy would import from elsewhere.
    pub fn strays(&self, tree: &Path, env: &[(String, String)]) -> Result<&[StrayImport], RunError> {
        if let Some(known) = self.strays.get() {
            return Ok(known);
        }
        let own = self.config.tests.env.iter().map(|(key, value)| (key.clone(), value.clone()));
        let env: Vec<(String, String)> = env.iter().cloned().chain(own).collect();
        let found = StrayImport::find(self.config, tree, &env)?;
        Ok(self.strays.get_or_init(|| found))
    }

    /// Builds the project in a tree.
    pub fn build(&self, tree: &Path, env: &[(String, String)]) -> Result<Built, RunError> {
        let line = match (&self.config.build.command, &self.config.tests.style) {
            (Some(line), _) => line.clone(),
            (None, Style::Junit(junit)) => junit_build_line(junit, tree)?,
            (None, _) => return Ok(Built { fine: true, said: vec![] }),
        };
        let limit = self.config.build.timeout;
        let outcome = self.spec(&line, tree, env).run().map_err(RunError::io(&line))?;
        match outcome.ended {
            Ended::Stopped => Err(RunError::Stopped),
            Ended::TimedOut => Err(RunError::Broken(format!(
                "the build takes more than {} seconds; see timeout in [build]: {line}",
                limit.as_secs()
            ))),
            ended => Ok(Built { fine: ended == Ended::Code(0), said: outcome.stdout }),
        }
    }

    fn spec(&self, line: &str, tree: &Path, env: &[(String, String)]) -> Spec<'_> {
        let spec = Spec::shell(line, tree).envs(env).time(self.config.build.timeout);
        spec.keep(MOST_SAID).stopped_by(self.progress)
    }

    /// Whether anything is built at all.
    fn builds(&self) -> bool {
        self.config.build.command.is_some() || matches!(self.config.tests.style, Style::Junit(_))
    }

    /// Builds the project in a tree; where nothing is built, asks a command about each of these files whether it
    /// is code.
    pub fn build_or_check(
        &self,
        tree: &Path,
        files: &[&Path],
        check: Option<&str>,
        env: &[(String, String)],
    ) -> Result<Built, RunError> {
        let Some(line) = check.filter(|_| !self.builds()) else { return self.build(tree, env) };
        let line = line.replace("{file}", "\"$1\"");
        let mut all = Built { fine: true, said: vec![] };
        for file in files {
            let outcome = self.spec(&line, tree, env).arg(*file).run().map_err(RunError::io(&line))?;
            if outcome.ended == Ended::Stopped {
                return Err(RunError::Stopped);
            }
            all.fine &= outcome.ended == Ended::Code(0);
            all.said.extend(outcome.stdout);
        }
        Ok(all)
    }

    /// Says which packages tests would have imported from elsewhere.
    pub fn tell_strays(&self, events: &Events) {
        for StrayImport { name, from, root } in self.strays.get().into_iter().flatten() {
            let (from, root) = (from.display(), Path::new("the copy").join(root));
            let root = root.display();
            events
                .inform(format!("Python would import {name} from {from}; {root} is put first on PYTHONPATH"));
        }
    }

    /// A runner for tests in a tree, which are listed unless they are known.
    pub fn runner(
        &self,
        tree: &Path,
        built: &Path,
        said: &[u8],
        env: &[(String, String)],
        units: u32,
        known: Option<&[String]>,
    ) -> Result<Box<dyn Runner>, RunError> {
        let scratch = tree.join("wildcaught.scratch");
        let (config, outer, progress) = (self.config, &self.outer, self.progress);
        let (scratch, strays) = (&scratch, self.strays(tree, env)?);
        TestSetup { config, tree, built, said, env, outer, scratch, units, known, strays, progress }.runner()
    }
}
