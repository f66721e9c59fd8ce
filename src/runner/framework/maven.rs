//! Java projects of Maven: it builds them once and says how; from then on `javac` compiles what changed, and the tests
//! of each module run in a resident Java machine.
//!
//! The log of that one build is kept in the tree, and goes with it into copies: paths in it are moved to where the copy
//! is.

use std::fs;
use std::path::Path;

use crate::harness::Config;
use crate::harness::Style;
use crate::harness::read::JavaModule;
use crate::harness::read::maven_log;

use super::super::request::RunError;
use super::super::request::Runner;
use super::super::resident::TestServer;
use super::java_machine::JAVAC;
use super::java_machine::JavaMachine;
use super::java_machine::KIND;
use super::junit::CLASSES;
use super::maven_jars::launcher_jars;
use super::report::ReportFramework;
use super::setup::TestSetup;
use super::several::Several;
use super::table::Framework;

/// Checks of other things than tests. They take time, and refuse mutants that compile.
pub(super) const SKIPPED: &str = "-Dcheckstyle.skip -Drat.skip -Denforcer.skip -Danimal.sniffer.skip \
    -Dspotless.check.skip -Dspotbugs.skip -Dpmd.skip -Dcpd.skip -Djacoco.skip -Djapicmp.skip -Dlicense.skip \
    -Dmaven.javadoc.skip -Dmdep.analyze.skip";

/// Maven.
pub struct Maven;

/// Whether Maven runs only once: the settings name neither a build nor a test command.
pub fn is_asked_once(config: &Config) -> bool {
    let style = &config.tests.style;
    let plain =
        matches!(style, Style::Framework { preset, command: None, report: None } if preset.name == "maven");
    plain && config.build.command.is_none()
}

/// The command that builds a tree: Maven the first time, then javac for the modules whose sources changed.
pub fn build_line(tree: &Path) -> Result<String, RunError> {
    let Some(modules) = modules(tree) else { return Ok(first_line()) };
    let mut line = "set -e".to_owned();
    for (number, module) in modules.iter().enumerate() {
        line.push_str(&compile(module, tree, number));
    }
    Ok(line)
}

/// The goals that compile a module, without what else the project binds to its build.
const GOALS: &str =
    "resources:resources compiler:compile resources:testResources compiler:testCompile surefire:test";
/// What Maven says in a log where tests would be run: their classes were compiled.
const COMPILED: &str = "Configuring mojo.*maven-surefire-plugin:[^:]*:test";

/// Maven without the network if that will do: only what is missing is a reason to ask again with it. A module that
/// does not build costs only those that need it. Where no tests are compiled, it is tried without what else the project binds
/// to its build.
fn first_line() -> String {
    let log = format!("{CLASSES}/maven.log");
    format!(
        "mkdir -p {CLASSES}; pwd -P > {CLASSES}/maven.tree; \
         maven() {{ if command -v mvn > /dev/null; then mvn \"$@\"; else sh ./mvnw \"$@\"; fi; }}; \
         call() {{ maven -B -X -fae -DskipTests {SKIPPED} \"$@\" > {log}.part 2>&1; }}; \
         build() {{ call -o \"$@\" || \
         {{ grep -q 'offline mode\\|has not been downloaded\\|Cannot access\\|resolve plugin' {log}.part && call \"$@\"; }}; }}; \
         said() {{ grep '^\\[ERROR\\]' \"$1\" | head -40 | grep . || tail -20 \"$1\"; }}; \
         if ! build test; then said {log}.part; if ! grep -q \"{COMPILED}\" {log}.part; then \
         cp {log}.part {log}.first; build {GOALS} || {{ said {log}.first; exit 1; }}; fi; fi; \
         mv {log}.part {log}"
    )
}

/// The modules, as Maven built them in this tree or in the one that it is a copy of; none if it did not yet.
fn modules(tree: &Path) -> Option<Vec<JavaModule>> {
    let log = fs::read(tree.join(CLASSES).join("maven.log")).ok()?;
    let built = fs::read_to_string(tree.join(CLASSES).join("maven.tree")).ok()?;
    let here = tree.canonicalize().ok()?;
    let log = String::from_utf8_lossy(&log).replace(built.trim(), &here.display().to_string());
    Some(maven_log(&log))
}

/// Compiles a module if a source is newer than what was compiled last.
fn compile(module: &JavaModule, tree: &Path, number: usize) -> String {
    let here = tree.canonicalize().unwrap_or_else(|_| tree.to_owned());
    let inside = |path: &String| {
        let path = Path::new(path);
        path.strip_prefix(&here)
            .ok()
            .filter(|_| path.is_dir())
            .map(|path| quoted(&path.display().to_string()))
    };
    let roots: Vec<String> = module.sources.iter().filter_map(inside).collect();
    if roots.is_empty() {
        return String::new();
    }
    let roots = roots.join(" ");
    let left_out: Vec<String> = module.left_out.iter().map(|pattern| left_out(pattern)).collect();
    let options: Vec<String> = module.options.iter().map(|option| quoted(option)).collect();
    let processors = match module.processors.is_empty() {
        true => "-proc:none".to_owned(),
        false => format!("-processorpath {}", quoted(&module.processors.join(":"))),
    };
    let stamp = format!("{CLASSES}/stamp-{number}");
    format!(
        "; [ -e {stamp} ] || touch -r {CLASSES}/maven.log {stamp}; \
         if [ -n \"$(find {roots} -name '*.java' -newer {stamp})\" ]; then touch {stamp}.new; \
         find {roots} -name '*.java' ! -name module-info.java{} > {CLASSES}/list-{number}; \
         {JAVAC} {processors} {} -d {} -cp {} @{CLASSES}/list-{number} 2>&1; mv {stamp}.new {stamp}; fi",
        left_out.concat(),
        options.join(" "),
        quoted(&module.classes),
        quoted(&module.class_path.join(":")),
    )
}

/// One of Maven's patterns, as `find` takes it: its stars go over slashes.
fn left_out(pattern: &str) -> String {
    let path = pattern.replace("**/", "*/").replace("**", "*");
    format!(" ! -path {}", quoted(&format!("*/{}", path.trim_start_matches("*/"))))
}

/// A word for the shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

impl Framework for Maven {
    fn runner(&self, setup: &TestSetup) -> Result<Box<dyn Runner>, RunError> {
        if !is_asked_once(setup.config) {
            return ReportFramework.runner(setup);
        }
        let modules =
            modules(setup.built).ok_or_else(|| RunError::Broken("Maven wrote no build log".into()))?;
        let with_tests: Vec<&JavaModule> =
            modules.iter().filter(|module| Path::new(&module.test_classes).is_dir()).collect();
        if with_tests.is_empty() {
            let why = "Maven compiled no test classes; run wildcaught in a module that has tests";
            return Err(RunError::Broken(why.into()));
        }
        let mut parts: Vec<(String, Box<dyn Runner>)> = Vec::new();
        let mut note = unbuilt(setup.built);
        for module in &with_tests {
            let prefix = if with_tests.len() == 1 { String::new() } else { prefix(module, setup.built) };
            let mut server = server(module, setup, &prefix)?;
            server.note(note.take());
            parts.push((prefix, Box::new(server)));
        }
        if parts.len() == 1 {
            return Ok(parts.remove(0).1);
        }
        Ok(Box::new(Several::new(parts)))
    }
}

/// What to say of modules that Maven could not build; their tests are not run.
fn unbuilt(built: &Path) -> Option<String> {
    let log = fs::read_to_string(built.join(CLASSES).join("maven.log")).unwrap_or_default();
    let failed: Vec<&str> = log.lines().filter_map(failed_module).collect();
    (!failed.is_empty()).then(|| {
        format!(
            "Maven does not build {}: tests in such a module are not run; run wildcaught in a module of its own, or fix its \
             build",
            failed.join(", ")
        )
    })
}

/// The module of a line in Maven's summary, if it failed or was left out: `[INFO] Name ..... FAILURE [  0.1 s]`.
fn failed_module(line: &str) -> Option<&str> {
    let (name, state) = line.strip_prefix("[INFO] ")?.split_once(" ..")?;
    let state = state.trim_start_matches('.').trim_start();
    (state.starts_with("FAILURE") || state.starts_with("SKIPPED")).then_some(name)
}

/// What stands before the names of a module's tests: its directory.
fn prefix(module: &JavaModule, built: &Path) -> String {
    let here = built.canonicalize().unwrap_or_else(|_| built.to_owned());
    let inside = Path::new(&module.directory).strip_prefix(&here).unwrap_or(Path::new(""));
    if inside.as_os_str().is_empty() { String::new() } else { format!("{}/", inside.display()) }
}

/// The machine of one module, with the tests that Maven would run.
fn server(module: &JavaModule, setup: &TestSetup, prefix: &str) -> Result<TestServer, RunError> {
    let (classes, mut jars): (Vec<String>, Vec<String>) =
        module.test_class_path.iter().cloned().partition(|entry| Path::new(entry).is_dir());
    jars.retain(|jar| Path::new(jar).is_file());
    jars.extend(launcher_jars(&jars, setup)?);
    let properties = module.properties.iter().map(|(key, value)| format!("-D{key}={value}"));
    // Maven runs tests with assertions on, and tells them where they are.
    let ours = ["-ea".to_owned(), format!("-Dbasedir={}", module.directory)];
    let options = ours.into_iter().chain(properties).chain(module.machine.iter().cloned()).collect();
    let command = JavaMachine { jars, classes, files: vec![], options }.start_line(setup)?;
    let (built, here) =
        [setup.built, setup.tree].map(|tree| tree.canonicalize().unwrap_or_else(|_| tree.to_owned())).into();
    let inside = Path::new(&module.working_directory).strip_prefix(&built).unwrap_or(Path::new(""));
    let env = setup.env().into_iter().chain(module.env.iter().cloned()).collect();
    let known = setup.known.unwrap_or_default().iter();
    let known = known
        .filter_map(|name| name.strip_prefix(prefix))
        .filter(|name| !prefix.is_empty() || !name.contains('/'));
    let mut server =
        TestServer::new(KIND, command, here.join(inside), env, known.map(str::to_owned).collect())
            .sandboxed(setup.sandbox);
    if setup.known.is_none() {
        server.list(setup.progress)?;
        let class = |name: &str| name.split('#').next().unwrap_or(name).to_owned();
        server.keep(|name| module.holds_tests(&class(name)) && setup.wants(&format!("{prefix}{name}")));
    }
    Ok(server)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_that_do_not_build_are_named() {
        let summary = "[INFO] Gson Parent ........................................ SUCCESS [  0.171 s]\n\
                       [INFO] Test: Java Platform Module System (JPMS) ........... FAILURE [  0.232 s]\n\
                       [INFO] Gson Protobuf Support .............................. SKIPPED\n\
                       [INFO] BUILD FAILURE\n";
        let failed: Vec<&str> = summary.lines().filter_map(failed_module).collect();
        assert_eq!(failed, ["Test: Java Platform Module System (JPMS)", "Gson Protobuf Support"]);
    }
}
