//! The resident Java machine: the program that runs tests in it is compiled here, and started by this command.

use std::fs;
use std::hash::DefaultHasher;
use std::hash::Hash;
use std::hash::Hasher;
use std::io;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use walkdir::WalkDir;

use crate::exec::Sandbox;
use crate::exec::Spec;

use super::super::request::RunError;
use super::super::resident::ServerKind;
use super::setup::TestSetup;

/// The runner's sources; the adapters are compiled only if their framework is there.
const SOURCES: [(&str, &str); 9] = [
    ("Main.java", include_str!("java/Main.java")),
    ("Adapter.java", include_str!("java/Adapter.java")),
    ("Events.java", include_str!("java/Events.java")),
    ("Fresh.java", include_str!("java/Fresh.java")),
    ("Kept.java", include_str!("java/Kept.java")),
    ("Leftovers.java", include_str!("java/Leftovers.java")),
    ("Statics.java", include_str!("java/Statics.java")),
    ("Tables.java", include_str!("java/Tables.java")),
    ("Watch.java", include_str!("java/Watch.java")),
];
/// For JUnit 4, JUnit 5 and TestNG: beginnings of the names of their jars.
const ADAPTERS: [(&[&str], &str, &str); 3] = [
    (&["junit4", "junit.jar", "junit-4"], "Runner4.java", include_str!("java/Runner4.java")),
    (&["junit-platform-launcher"], "Runner5.java", include_str!("java/Runner5.java")),
    (&["testng"], "RunnerNG.java", include_str!("java/RunnerNG.java")),
];
/// What makes JUnit 5 ask the runner whether to go on.
const EXTENSION: (&str, &str) =
    ("META-INF/services/org.junit.jupiter.api.extension.Extension", "wildcaught.rt.Runner5$Stop\n");

/// It is gone again before the thorough compiler of the Java machine would pay off.
pub(super) const JAVAC: &str = "javac -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC -J-Xss16m -nowarn -g -encoding UTF-8 -Xmaxerrs 100000 -XDshould-stop.ifError=FLOW";

/// Classes are loaded anew for every request, so no test finds what another left.
pub(super) const KIND: ServerKind = ServerKind {
    title: "the Java test runner",
    remedy: "check classpath in [tests]",
    patience: Duration::from_secs(20),
    shares: false,
};

/// How long it may take to compile the runner.
const COMPILING: Duration = Duration::from_secs(300);

/// What a machine needs to run the tests of some classes.
pub(super) struct JavaMachine {
    /// Libraries.
    pub jars: Vec<String>,
    /// Directories with classes that are loaded anew for each request.
    pub classes: Vec<String>,
    /// Directories with files that the machine's own loader finds.
    pub files: Vec<String>,
    /// Options that the project asks for.
    pub options: Vec<String>,
}

impl JavaMachine {
    /// Compiles the runner, unless it was compiled before, and gives the command that starts it.
    pub(super) fn start_line(&self, setup: &TestSetup) -> Result<Vec<String>, RunError> {
        let classpath = self.jars.join(":");
        let classes = kept_runner(setup, &classpath)?;
        let (reloaded, shared): (Vec<&str>, Vec<&str>) =
            self.jars.iter().map(String::as_str).partition(|jar| is_reloaded(jar));
        let files: Vec<String> = self.files.iter().map(|directory| format!(":{directory}")).collect();
        let ours = format!("{}:{}{}", classes.display(), shared.join(":"), files.concat());
        let project = reloaded.iter().fold(self.classes.join(":"), |all, jar| format!("{all}:+{jar}"));
        // Tests are short: the quick compiler is done when the thorough one would begin.
        let machine = ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Xss4m"];
        let rest = ["-cp", &ours, "wildcaught.rt.Main", &project];
        let words = machine.into_iter().map(str::to_owned).chain(self.options.iter().cloned());
        Ok(words.chain(contained(setup.sandbox)).chain(rest.map(str::to_owned)).collect())
    }
}

/// What a machine must be told so that it stays inside a sandbox: it does not read TMPDIR, and takes a quarter of the
/// memory for its heap.
fn contained(sandbox: &Sandbox) -> Vec<String> {
    let Some(temporary) = sandbox.temporary() else { return vec![] };
    let mut words = vec!["-XX:-UsePerfData".to_owned(), format!("-Djava.io.tmpdir={}", temporary.display())];
    // The machine needs memory besides its heap.
    let heap = sandbox.memory().filter(|most| *most < u64::MAX).map(|most| (most / 4 * 3) >> 20);
    words.extend(heap.map(|heap| format!("-Xmx{heap}m")));
    words
}

/// Whether a library makes subclasses of the project's classes, and so must be loaded with them.
fn is_reloaded(jar: &str) -> bool {
    const MAKERS: [&str; 7] =
        ["mockito", "byte-buddy", "objenesis", "easymock", "powermock", "cglib", "javassist"];
    let name = jar.rsplit('/').next().unwrap_or(jar);
    MAKERS.iter().any(|maker| name.starts_with(maker))
}

/// The runner for some libraries. Runs with the same libraries and the same compiler share it.
fn kept_runner(setup: &TestSetup, classpath: &str) -> Result<PathBuf, RunError> {
    let mut hasher = DefaultHasher::new();
    (classpath, SOURCES, ADAPTERS).hash(&mut hasher);
    ["PATH", "JAVA_HOME"].map(|name| setup.outer.get(name)).hash(&mut hasher);
    let name = format!("java-runner-{:016x}", hasher.finish());
    let kept = setup.cache.join(&name);
    if !kept.exists() {
        let compiled = setup.scratch.join(&name);
        compile_runner(setup, classpath, &compiled)?;
        // Whole or not at all: another run may look for it.
        let aside = setup.cache.join(format!("{name}.{}", std::process::id()));
        let put = copy_files(&compiled, &aside).and_then(|()| fs::rename(&aside, &kept));
        if put.is_err() && !kept.exists() {
            return Ok(compiled);
        }
    }
    Ok(kept)
}

fn copy_files(from: &Path, to: &Path) -> io::Result<()> {
    for entry in WalkDir::new(from).into_iter().flatten() {
        let target = to.join(entry.path().strip_prefix(from).unwrap_or(entry.path()));
        match entry.file_type().is_dir() {
            true => fs::create_dir_all(&target)?,
            false => drop(fs::copy(entry.path(), &target)?),
        }
    }
    Ok(())
}

fn compile_runner(setup: &TestSetup, classpath: &str, classes: &Path) -> Result<(), RunError> {
    let scratch = setup.scratch;
    let put = |path: &Path, text: &str| {
        let parent = path.parent().unwrap_or(scratch);
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(path, text))
            .map_err(RunError::io("the Java runner"))
    };
    let mut sources: Vec<(&str, &str)> = SOURCES.to_vec();
    let file_name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let there = |jar: &&str| classpath.split(':').any(|path| file_name(path).starts_with(*jar));
    for (jars, name, text) in ADAPTERS {
        if jars.iter().any(&there) {
            sources.push((name, text));
        }
    }
    put(&classes.join(EXTENSION.0), EXTENSION.1)?;
    // Processors of annotations that lie on the class path have no business here.
    let javac = Spec::program("javac", scratch).args(["-nowarn", "-proc:none", "-encoding", "UTF-8", "-d"]);
    let mut javac = javac.arg(classes).arg("-cp").arg(classpath);
    for (name, text) in sources {
        let path = scratch.join("sources").join(name);
        put(&path, text)?;
        javac = javac.arg(path);
    }
    let seen = setup.observe(javac.time(COMPILING))?;
    if seen.is_success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&seen.stdout);
    Err(RunError::Broken(format!("cannot compile the Java runner; check classpath in [tests]: {said}")))
}
