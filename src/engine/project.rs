//! A project that can be copied, built and tested.

use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use crate::control::Events;
use crate::control::Progress;
use crate::exec::Containment;
use crate::exec::Ended;
use crate::exec::Sandbox;
use crate::exec::Spec;
use crate::files::TemporaryDirectory;
use crate::harness::Config;
use crate::harness::Limits;
use crate::langdef::LangDef;
use crate::runner::RunError;
use crate::runner::Runner;
use crate::runner::SPLIT_VARIABLE;
use crate::runner::StrayImport;
use crate::runner::TestSetup;
use crate::runner::VALUES_VARIABLE;
use crate::runner::own_build_line;
use crate::workspace::Copying;
use crate::workspace::SCRATCH;
use crate::workspace::Workspace;

use super::built::Built;
use super::caches::caches;
use super::plain::plain_target;
use super::screen::Complaints;
use super::targets::target;
use super::tce::Desk;

/// Variables by which users choose compilers and their options.
const TOOL_VARIABLES: [&str; 16] = [
    "CC",
    "CXX",
    "CFLAGS",
    "CXXFLAGS",
    "CPPFLAGS",
    "LDFLAGS",
    "RUSTFLAGS",
    "RUSTUP_TOOLCHAIN",
    "CARGO_BUILD_TARGET",
    "JAVA_HOME",
    "JAVA_TOOL_OPTIONS",
    "GOFLAGS",
    "GOTOOLCHAIN",
    "PYTHONPATH",
    "VIRTUAL_ENV",
    "NODE_OPTIONS",
];

/// How long a compiler may take to say its version.
const VERSION_TIME: Duration = Duration::from_secs(20);

/// How many times as long as the unchanged project a mutant may take to be built, and what it gets in addition.
const SLOWER: f64 = 10.0;
const SPARE: Duration = Duration::from_secs(30);

/// How much of what a build says is read.
const MOST_SAID: u64 = 512 << 20;

/// Presets whose tests are run by a command of the project, which may well build something.
const CALL_BUILD_TOOLS: [&str; 6] = ["command", "tap", "junit-xml", "maven", "gradle", "node"];

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
    /// How long the first build took, which is that of the unchanged project.
    pub usual_build: OnceLock<Duration>,
    /// What builds and tests may do.
    pub containment: Containment,
    pub progress: &'a Progress,
}

/// A directory for what is gone when the work is done.
pub fn scratch() -> Result<TemporaryDirectory, RunError> {
    TemporaryDirectory::new("scratch").map_err(RunError::io("a directory for temporary files"))
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
    /// What of the settings, the environment and the compiler can change a verdict.
    pub fn verdict_settings(&self, def: &LangDef) -> String {
        let Config { skip, link, build, tests, limits, .. } = self.config;
        let limits = Limits { jobs: None, ..limits.clone() };
        let tools: Vec<_> = TOOL_VARIABLES.iter().map(|name| self.outer.get(*name)).collect();
        let compiler = self.compiler(def);
        format!("{skip:?} {link:?} {build:?} {tests:?} {limits:?} {tools:?} {compiler}")
    }

    /// What the compiler says of itself in the project, where a toolchain may be chosen; nothing if there is none.
    fn compiler(&self, def: &LangDef) -> String {
        let Some(line) = &def.file.switch.version else { return String::new() };
        let said = Spec::shell(line, self.root).time(VERSION_TIME).run();
        said.map_or_else(|_| String::new(), |said| String::from_utf8_lossy(&said.stdout).into_owned())
    }

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
            let target = target(&self.cache, worker);
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

    /// The environment in which the original project is built and tested: what the settings say, and nothing of ours
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

    /// Removes what workers built of the original project and share.
    pub fn remove_plain_targets(&self, workers: usize) {
        for worker in 0..workers.max(1) {
            // It is only a cache: what cannot be removed is used again or overwritten.
            let _ = std::fs::remove_dir_all(plain_target(&self.cache, worker));
        }
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
        self.build_in(tree, env, self.config.build.timeout)
    }

    fn build_in(&self, tree: &Path, env: &[(String, String)], limit: Duration) -> Result<Built, RunError> {
        let Some(line) = own_build_line(self.config, tree)? else {
            return Ok(Built { fine: true, said: vec![] });
        };
        let sandbox = self.build_sandbox(&[tree], env)?;
        let spec = self.spec(&line, tree, env).time(limit).sandboxed(&sandbox);
        let outcome = spec.run().map_err(RunError::io(&line))?;
        if outcome.ended == Ended::Code(0) {
            self.usual_build.get_or_init(|| outcome.took);
        }
        match outcome.ended {
            Ended::Stopped => Err(RunError::Stopped),
            Ended::TimedOut => Err(RunError::Late(format!(
                "the build takes more than {} seconds; raise timeout in [build]: {line}",
                limit.as_secs()
            ))),
            ended => Ok(Built { fine: ended == Ended::Code(0), said: outcome.stdout }),
        }
    }

    fn spec(&self, line: &str, tree: &Path, env: &[(String, String)]) -> Spec<'_> {
        let spec = Spec::shell(line, tree).envs(env).time(self.config.build.timeout);
        spec.keep(MOST_SAID).stopped_by(self.progress)
    }

    /// What a build in a tree may do: write there and where build tools keep things, and use the network.
    pub fn build_sandbox(&self, trees: &[&Path], env: &[(String, String)]) -> Result<Sandbox, RunError> {
        let mut writable = self.caches(env);
        writable.extend(trees.iter().map(|tree| tree.to_path_buf()));
        self.containment.builds(&writable).map_err(RunError::io("a sandbox"))
    }

    /// Where compilers work that are given mutants one by one; they write nowhere else but to their caches.
    pub fn desk(&self, env: &[(String, String)]) -> Result<Desk, RunError> {
        let directory = scratch()?;
        let sandbox = self.build_sandbox(&[directory.path()], env)?;
        Ok(Desk::new(directory, sandbox))
    }

    /// What the project's own test command may do: what builds may, with the network of tests.
    pub fn plain_sandbox(&self, tree: &Path, env: &[(String, String)]) -> Result<Sandbox, RunError> {
        let mut writable = self.caches(env);
        writable.push(tree.to_owned());
        self.containment.builds_and_tests(&writable).map_err(RunError::io("a sandbox"))
    }

    /// What tests in a tree may do: write there. What was built in another tree may have paths of that one in it.
    fn test_sandbox(&self, tree: &Path, built: &Path, env: &[(String, String)]) -> Result<Sandbox, RunError> {
        let named =
            |name: &str| env.iter().rev().find(|(key, _)| key == name).map(|(_, path)| Path::new(path));
        let mut writable = vec![tree.to_owned(), built.to_owned()];
        writable.extend([SPLIT_VARIABLE, VALUES_VARIABLE].into_iter().filter_map(named).map(Path::to_owned));
        writable.extend(named("CARGO_TARGET_DIR").map(|target| target.join("tmp")));
        if CALL_BUILD_TOOLS.contains(&self.config.tests.style.name()) {
            writable.extend(self.caches(env));
        }
        self.containment.tests(&writable).map_err(RunError::io("a sandbox"))
    }

    /// Directories outside of a tree that builds write to. Those of ours are made first: a rule needs them.
    fn caches(&self, env: &[(String, String)]) -> Vec<PathBuf> {
        let ours = env.iter().filter(|(key, _)| key == "CARGO_TARGET_DIR" || key == "WILDCAUGHT_SHIM_DIR");
        for (_, path) in ours {
            // If that fails, the build says so.
            let _ = std::fs::create_dir_all(path);
        }
        let style = &self.config.tests.style;
        let commands = [self.config.build.command.as_deref(), style.command(), Some(style.name())];
        let commands: Vec<&str> = commands.into_iter().flatten().collect();
        let mut all = caches(&self.outer, env, &commands.join(" "));
        // Compilers of ours note there how they were called.
        let notes = env.iter().find(|(key, _)| key == "WILDCAUGHT_COMPILES");
        all.extend(notes.and_then(|(_, path)| Path::new(path).parent()).map(Path::to_owned));
        // Programs with points open it even to list their tests.
        let shared = |key: &str| [SPLIT_VARIABLE, VALUES_VARIABLE].contains(&key);
        all.extend(env.iter().filter(|(key, _)| shared(key)).map(|(_, path)| PathBuf::from(path)));
        all
    }

    /// Whether anything is built at all.
    fn builds(&self, tree: &Path) -> Result<bool, RunError> {
        own_build_line(self.config, tree).map(|line| line.is_some())
    }

    /// How long a build with a mutant in it may take. A build may run tests, and a mutant may hang in them.
    pub fn mutant_build_limit(&self) -> Duration {
        let most = self.config.build.timeout;
        self.usual_build.get().map_or(most, |usual| (usual.mul_f64(SLOWER) + SPARE).min(most))
    }

    /// Builds the project in a tree. A command that says whether a file is code is asked about each of these files
    /// first: it names the line, and spares a build.
    pub fn build_or_check(
        &self,
        tree: &Path,
        files: &[&Path],
        check: Option<&str>,
        env: &[(String, String)],
        limit: Duration,
    ) -> Result<Built, RunError> {
        let Some(line) = check else { return self.build_in(tree, env, limit) };
        let line = line.replace("{file}", "\"$1\"");
        let mut all = Built { fine: true, said: vec![] };
        let sandbox = self.build_sandbox(&[tree], env)?;
        for file in files {
            let spec = self.spec(&line, tree, env).arg(*file).sandboxed(&sandbox);
            let outcome = spec.run().map_err(RunError::io(&line))?;
            if outcome.ended == Ended::Stopped {
                return Err(RunError::Stopped);
            }
            all.fine &= outcome.ended == Ended::Code(0);
            all.said.extend(outcome.stdout);
        }
        if all.fine && self.builds(tree)? { self.build_in(tree, env, limit) } else { Ok(all) }
    }

    /// Says which packages tests would have imported from elsewhere.
    pub fn warn_of_strays(&self, events: &Events) {
        for StrayImport { name, from, root } in self.strays.get().into_iter().flatten() {
            let root = Path::new("the copy").join(root);
            let root = root.display();
            let found = match from {
                Some(from) => format!("would import {name} from {}", from.display()),
                None => format!("does not find {name}"),
            };
            events.inform(format!("Python {found}, so {root} is put first on PYTHONPATH"));
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
        let scratch = tree.join(SCRATCH);
        let sandbox = &self.test_sandbox(tree, built, env)?;
        let build_sandbox = &self.build_sandbox(&[tree, built], env)?;
        let (config, outer, progress) = (self.config, &self.outer, self.progress);
        let (scratch, strays) = (&scratch, self.strays(tree, env)?);
        TestSetup {
            config,
            tree,
            built,
            said,
            env,
            outer,
            scratch,
            cache: &self.cache,
            units,
            known,
            strays,
            sandbox,
            build_sandbox,
            progress,
        }
        .runner()
    }
}
