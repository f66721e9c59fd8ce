//! JUnit classes without a build tool: how they are compiled, and how their resident runner is started.

use std::path::Path;

use crate::harness::Junit;
use crate::harness::Style;

use super::super::request::RunError;
use super::super::request::Runner;
use super::files::files;
use super::java_machine::JAVAC;
use super::java_machine::JavaMachine;
use super::java_machine::KIND;
use super::setup::TestSetup;
use super::table::Framework;

/// Where classes are put, inside of the tree.
pub(super) const CLASSES: &str = "wildcaught.classes";

/// JUnit 4 and 5.
pub struct JunitClasses;

impl Framework for JunitClasses {
    fn runner(&self, setup: &TestSetup) -> Result<Box<dyn Runner>, RunError> {
        let command = machine(setup)?.start_line(setup)?;
        setup.server(KIND, command, setup.env())
    }
}

/// The command that compiles the classes under test, and the tests where that was not done yet.
pub fn build_line(junit: &Junit, tree: &Path) -> Result<String, RunError> {
    let classpath = classpath(junit, tree)?;
    let quoted = |all: &[String]| {
        all.iter().map(|word| format!("'{}'", word.replace('\'', r"'\''"))).collect::<Vec<_>>().join(" ")
    };
    let javac = format!("{JAVAC} -proc:none");
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

/// The machine in which tests are run.
fn machine(setup: &TestSetup) -> Result<JavaMachine, RunError> {
    let built = setup.built;
    let Style::Junit(junit) = &setup.config.tests.style else {
        return Err(RunError::Broken("the tests do not use JUnit".into()));
    };
    let inside = |path: String| built.join(path).display().to_string();
    Ok(JavaMachine {
        jars: classpath(junit, built)?.split(':').map(str::to_owned).collect(),
        classes: ["main", "test"].map(|kind| inside(format!("{CLASSES}/{kind}"))).to_vec(),
        // Some tests ask the machine's own loader for their files; it must not know their classes.
        files: junit.resources.iter().cloned().map(inside).collect(),
        options: vec![],
    })
}
