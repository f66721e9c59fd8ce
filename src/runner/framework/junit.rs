//! JUnit classes without a build tool: how they are compiled, and how their resident runner is started.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::exec::Sandbox;
use crate::exec::Spec;
use crate::harness::Junit;
use crate::harness::Style;

use super::super::request::RunError;
use super::super::request::Runner;
use super::super::resident::ServerKind;
use super::super::resident::TestServer;
use super::files::files;
use super::setup::TestSetup;
use super::table::Framework;

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
/// For JUnit 4, and for JUnit 5.
const ADAPTERS: [(&str, &str, &str); 2] = [
    ("junit4", "Runner4.java", include_str!("java/Runner4.java")),
    ("junit-platform-launcher", "Runner5.java", include_str!("java/Runner5.java")),
];
/// What makes JUnit 5 ask the runner whether to go on.
const EXTENSION: (&str, &str) =
    ("META-INF/services/org.junit.jupiter.api.extension.Extension", "wildcaught.rt.Runner5$Stop\n");

/// Where classes are put, inside of the tree.
pub(super) const CLASSES: &str = "wildcaught.classes";

/// Classes are loaded anew for every request, so no test finds what another left.
const KIND: ServerKind = ServerKind {
    title: "the Java test runner",
    remedy: "see [tests] classpath",
    patience: Duration::from_secs(20),
    shares: false,
};

/// JUnit 4 and 5.
pub struct JunitClasses;

impl Framework for JunitClasses {
    fn runner(&self, setup: &TestSetup) -> Result<Box<dyn Runner>, RunError> {
        let command = start_line(setup)?;
        let known = setup.known.unwrap_or_default().to_vec();
        let mut server = TestServer::new(KIND, command, setup.tree.to_owned(), setup.env(), known)
            .sandboxed(setup.sandbox);
        if setup.known.is_none() {
            server.list(setup.progress)?;
            server.keep(|name| setup.wants(name));
        }
        Ok(Box::new(server))
    }
}

/// The command that compiles the classes under test, and the tests where that was not done yet.
pub fn build_line(junit: &Junit, tree: &Path) -> Result<String, RunError> {
    let classpath = classpath(junit, tree)?;
    let quoted = |all: &[String]| {
        all.iter().map(|word| format!("'{}'", word.replace('\'', r"'\''"))).collect::<Vec<_>>().join(" ")
    };
    // It is gone again before the thorough compiler of the Java machine would pay off.
    let javac = "javac -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC -J-Xss16m -nowarn -proc:none -g -encoding UTF-8 -Xmaxerrs 100000 -XDshould-stop.ifError=FLOW";
    let left_out: Vec<String> =
        junit.exclude.iter().map(|path| format!(" ! -path {}", quoted(std::slice::from_ref(path)))).collect();
    let left_out = left_out.concat();
    let mut line = format!(
        "set -e; mkdir -p {CLASSES}/main {CLASSES}/test; find {} -name '*.java' ! -name module-info.java > {CLASSES}/main.list; \
         {javac} -d {CLASSES}/main -cp '{classpath}' @{CLASSES}/main.list 2>&1; \
         if [ ! -e {CLASSES}/test.done ]; then find {} -name '*.java' ! -name module-info.java{left_out} > {CLASSES}/test.list; \
         {javac} -d {CLASSES}/test -cp '{CLASSES}/main:{classpath}' @{CLASSES}/test.list 2>&1; touch {CLASSES}/test.done; fi",
        quoted(&junit.main),
        quoted(&junit.test),
    );
    for directory in &junit.resources {
        line.push_str(&format!("; cp -R {}/. {CLASSES}/test/", quoted(std::slice::from_ref(directory))));
    }
    Ok(line)
}

/// The jars, with colons between them.
pub(super) fn classpath(junit: &Junit, tree: &Path) -> Result<String, RunError> {
    let mut jars = Vec::new();
    for entry in &junit.classpath {
        if Path::new(entry).is_absolute() && !entry.contains('*') {
            jars.push(entry.clone());
        } else if Path::new(entry).is_absolute() {
            let (root, glob) = entry.split_at(
                entry.find('*').and_then(|star| entry[..star].rfind('/')).map_or(0, |slash| slash + 1),
            );
            jars.extend(
                files(Path::new(root), &[glob.to_owned()])?.into_iter().map(|jar| format!("{root}{jar}")),
            );
        } else {
            jars.extend(
                files(tree, std::slice::from_ref(entry))?
                    .into_iter()
                    .map(|jar| tree.join(jar).display().to_string()),
            );
        }
    }
    Ok(jars.join(":"))
}

/// Compiles the runner into `scratch` and gives the command that starts it.
fn start_line(setup: &TestSetup) -> Result<Vec<String>, RunError> {
    let (built, scratch) = (setup.built, setup.scratch);
    let Style::Junit(junit) = &setup.config.tests.style else {
        return Err(RunError::Broken("tests are not run by JUnit".into()));
    };
    let classpath = classpath(junit, built)?;
    let classes = scratch.join("runner");
    if !classes.exists() {
        compile_runner(&classpath, scratch, &classes)?;
    }
    let (reloaded, shared): (Vec<&str>, Vec<&str>) = classpath.split(':').partition(|jar| is_reloaded(jar));
    // Some tests ask the machine's own loader for their files; it must not know their classes.
    let files: Vec<String> =
        junit.resources.iter().map(|directory| format!(":{}", built.join(directory).display())).collect();
    let ours = format!("{}:{}{}", classes.display(), shared.join(":"), files.concat());
    let project = [CLASSES.to_owned() + "/main", CLASSES.to_owned() + "/test"]
        .map(|inside| built.join(inside).display().to_string())
        .join(":");
    let project = reloaded.iter().fold(project, |all, jar| format!("{all}:+{jar}"));
    // Tests are short: the quick compiler is done when the thorough one would begin.
    let machine = ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Xss4m"];
    let rest = ["-cp", &ours, "wildcaught.rt.Main", &project];
    let ours = machine.into_iter().map(str::to_owned).chain(contained(setup.sandbox));
    Ok(ours.chain(rest.map(str::to_owned)).collect())
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

fn compile_runner(classpath: &str, scratch: &Path, classes: &Path) -> Result<(), RunError> {
    let put = |path: &Path, text: &str| {
        let parent = path.parent().unwrap_or(scratch);
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(path, text))
            .map_err(RunError::io("the Java runner"))
    };
    let mut sources: Vec<(&str, &str)> = SOURCES.to_vec();
    let there = |jar: &str| classpath.split(':').any(|path| path.contains(jar));
    for (jar, name, text) in ADAPTERS {
        // junit4.jar is called junit.jar or junit-4.13.jar elsewhere.
        if there(jar) || (jar == "junit4" && (there("junit.jar") || there("junit-4"))) {
            sources.push((name, text));
        }
    }
    put(&classes.join(EXTENSION.0), EXTENSION.1)?;
    let javac = Spec::program("javac", scratch).args(["-nowarn", "-encoding", "UTF-8", "-d"]);
    let mut javac = javac.arg(classes).arg("-cp").arg(classpath);
    for (name, text) in sources {
        let path = scratch.join("sources").join(name);
        put(&path, text)?;
        javac = javac.arg(path);
    }
    let seen = javac.run().map_err(RunError::io("javac"))?;
    if seen.is_success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&seen.stdout);
    Err(RunError::Broken(format!("cannot compile the Java runner; see [tests] classpath: {said}")))
}
