//! JUnit projects that `javac` can compile without a build tool: where classes are, and which jars they need.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::path::PathBuf;

use regex::Regex;

use super::preset::presets_file;
use super::style::Junit;
use super::tree::Tree;

/// Pairs of directories that are looked for: classes under test, tests.
const LAYOUTS: [(&str, &str); 4] =
    [("src/main/java", "src/test/java"), ("src", "test"), ("src", "tests"), ("src/java", "src/test")];

/// What was found.
pub(super) struct JavaProject {
    pub junit: Junit,
    /// What to add to the reason.
    pub note: String,
}

/// The classes and jars of a project in a plain layout, if all its imports can be resolved.
pub(super) fn junit(tree: &Tree, sign: &str, directories: &[PathBuf]) -> Option<JavaProject> {
    let builds_itself = sign.ends_with(".java");
    if !builds_itself && !is_plain(&tree.text(sign)) {
        return None;
    }
    let (main, test) =
        LAYOUTS.into_iter().find(|(main, test)| tree.speaks(main, "java") && tree.speaks(test, "java"))?;
    let code = Code::read(tree, &[main, test]);
    let in_tree = jars_in(tree);
    let (jars, unresolved) = code.jars(test, directories, &in_tree)?;
    let exclude = with_users(tree, test, unresolved)?;
    let mut note = format!(", {} imports found in {} jars", code.imports.len(), jars.len());
    if !exclude.is_empty() {
        note.push_str(&format!("; {} test classes are left out, since they need other jars", exclude.len()));
    }
    let exclude = exclude.into_iter().collect();
    Some(JavaProject { junit: Junit { exclude, ..classes(tree, main, test, jars) }, note })
}

fn classes(tree: &Tree, main: &str, test: &str, classpath: Vec<String>) -> Junit {
    let resources = ["src/main/resources", "src/test/resources", "resources"];
    let there = |directory: &&&str| tree.under(directory).next().is_some();
    Junit {
        main: vec![main.to_owned()],
        test: vec![test.to_owned()],
        exclude: vec![],
        resources: resources.iter().filter(there).map(|directory| (*directory).to_owned()).collect(),
        classpath,
    }
}

/// Whether a build file is of one module that generates nothing.
fn is_plain(build: &str) -> bool {
    let generates = presets_file().java.generators.iter().any(|word| build.contains(word));
    !generates && !build.contains("<modules>") && !build.contains("<packaging>pom")
}

/// Jars that the project brings along, with what is in them.
fn jars_in(tree: &Tree) -> Vec<(String, Vec<u8>)> {
    let globs = ["lib/**/*.jar", "libs/**/*.jar", "*.jar"];
    let files = globs.iter().flat_map(|glob| tree.matching(glob));
    files.map(|file| (file.to_owned(), fs::read(tree.root.join(file)).unwrap_or_default())).collect()
}

/// What the classes import, and which packages they are in.
struct Code {
    /// Each with the files that have it.
    imports: BTreeMap<String, BTreeSet<String>>,
    packages: BTreeSet<String>,
}

impl Code {
    fn read(tree: &Tree, directories: &[&str]) -> Self {
        let import = Regex::new(r"(?m)^\s*import\s+(?:static\s+)?([\w.]+)").expect("it is correct");
        let package = Regex::new(r"(?m)^\s*package\s+([\w.]+)\s*;").expect("it is correct");
        let mut code = Self { imports: BTreeMap::new(), packages: BTreeSet::new() };
        let files = directories.iter().flat_map(|directory| tree.under(directory));
        for file in files.filter(|file| file.ends_with(".java")) {
            let text = tree.text(file);
            for found in import.captures_iter(&text) {
                code.imports.entry(found[1].to_owned()).or_default().insert(file.to_owned());
            }
            code.packages.extend(package.captures(&text).map(|found| format!("{}.", &found[1])));
        }
        code
    }

    /// The jars that the imports need, and the test classes that need others, as benchmarks do; none if
    /// classes under test do.
    fn jars(
        &self,
        test: &str,
        directories: &[PathBuf],
        in_tree: &[(String, Vec<u8>)],
    ) -> Option<(Vec<String>, BTreeSet<String>)> {
        let (mut jars, mut without) = (Vec::new(), BTreeSet::new());
        let is_test = |file: &&String| file.starts_with(&format!("{test}/"));
        for (import, files) in &self.imports {
            match self.jars_of(import, directories, in_tree) {
                Some(found) => {
                    let new: Vec<String> = found.into_iter().filter(|jar| !jars.contains(jar)).collect();
                    jars.extend(new);
                }
                None if files.iter().all(|file| is_test(&file)) => without.extend(files.iter().cloned()),
                None => return None,
            }
        }
        Some((jars, without))
    }

    /// The jars that one import needs.
    fn jars_of(
        &self,
        import: &str,
        directories: &[PathBuf],
        in_tree: &[(String, Vec<u8>)],
    ) -> Option<Vec<String>> {
        let dotted = format!("{import}.");
        if self.packages.iter().any(|package| dotted.starts_with(package)) {
            return Some(Vec::new());
        }
        let own = in_tree.iter().filter(|(_, bytes)| holds(bytes, import));
        let own: Vec<String> = own.map(|(file, _)| file.clone()).collect();
        if !own.is_empty() {
            // Jars that come along may need each other, and nobody says which.
            return Some(in_tree.iter().map(|(file, _)| file.clone()).collect());
        }
        known(&dotted, directories)
    }
}

/// Classes that cannot be compiled, and the test classes that name one of them; none if that is most of the tests.
fn with_users(tree: &Tree, test: &str, mut without: BTreeSet<String>) -> Option<BTreeSet<String>> {
    let word = Regex::new(r"\w+").expect("it is correct");
    let is_java = |file: &&str| file.ends_with(".java");
    let mut tests: Vec<(&str, String)> =
        tree.under(test).filter(is_java).map(|file| (file, tree.text(file))).collect();
    let most = tests.len() / 2;
    loop {
        let stem = |file: &String| Some(Path::new(file).file_stem()?.to_str()?.to_owned());
        let names: BTreeSet<String> = without.iter().filter_map(stem).collect();
        let before = without.len();
        tests.retain(|(file, text)| {
            let uses = word.find_iter(text).any(|word| names.contains(word.as_str()));
            if uses {
                without.insert((*file).to_owned());
            }
            !uses
        });
        if without.len() == before {
            return (without.len() <= most).then_some(without);
        }
    }
}

/// The jars in the row with the longest prefix; no jar if the longest is one of the JDK's.
fn known(dotted: &str, directories: &[PathBuf]) -> Option<Vec<String>> {
    let java = &presets_file().java;
    let rows =
        java.jars.iter().flat_map(|row| row.imports.iter().map(|prefix| (prefix, row.jars.as_slice())));
    let jdk = java.jdk.iter().map(|prefix| (prefix, [].as_slice()));
    let fitting = rows.chain(jdk).filter(|(prefix, _)| dotted.starts_with(prefix.as_str()));
    let (_, jars) = fitting.max_by_key(|(prefix, _)| prefix.len())?;
    jars.iter().map(|names| find(names, directories)).collect()
}

/// The first of the names that is there.
fn find(names: &str, directories: &[PathBuf]) -> Option<String> {
    let paths =
        names.split('|').flat_map(|name| directories.iter().map(move |dir| dir.join(format!("{name}.jar"))));
    paths.filter(|path| path.exists()).map(|path| path.display().to_string()).next()
}

/// Whether a jar has classes of the package that an import names: file names in an archive are not
/// compressed.
fn holds(jar: &[u8], import: &str) -> bool {
    let parts: Vec<&str> =
        import.split('.').take_while(|part| !part.starts_with(char::is_uppercase)).collect();
    let name = format!("{}/", parts.join("/").trim_end_matches('/'));
    parts.len() > 1 && memchr::memmem::find(jar, name.as_bytes()).is_some()
}
