//! What `mvn -X test` says of a project: how each of its modules is compiled and tested.
//!
//! In: the log. Out: the modules in the order in which they are built. Maven prints the settings of every plugin that
//! it calls, also if the plugin then has nothing to do, so that no plugin beyond those of the project is needed to
//! learn class paths.

use std::collections::BTreeMap;

/// One module of a project in Java. Paths are absolute, as in the log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JavaModule {
    pub directory: String,
    /// Directories with the classes under test, generated ones among them.
    pub sources: Vec<String>,
    /// Patterns of sources that are not compiled, as Maven writes them.
    pub left_out: Vec<String>,
    /// Where compiled classes are put.
    pub classes: String,
    /// What the classes under test are compiled with.
    pub class_path: Vec<String>,
    /// Options of the compiler that decide what is code.
    pub options: Vec<String>,
    /// Jars with annotation processors that change classes while they are compiled.
    pub processors: Vec<String>,
    pub test_classes: String,
    /// What tests are run with, without the module's own classes.
    pub test_class_path: Vec<String>,
    /// Options of the Java machine in which tests are run.
    pub machine: Vec<String>,
    pub properties: Vec<(String, String)>,
    pub env: Vec<(String, String)>,
    /// Where tests are run.
    pub working_directory: String,
    /// Which classes hold tests, as Maven writes them; Maven's own rule if empty.
    pub includes: Vec<String>,
    pub excludes: Vec<String>,
}

/// Options of javac that take another word, and are kept.
const KEPT_PAIRS: [&str; 6] =
    ["--release", "-source", "-target", "--add-exports", "--add-modules", "--add-reads"];
/// Options of javac that are kept as they are.
const KEPT: [&str; 2] = ["-parameters", "--enable-preview"];
/// Names of processors without which sources are no code.
const CHANGING: [&str; 1] = ["lombok"];

/// Settings of one call of a plugin.
type Settings<'l> = BTreeMap<&'l str, &'l str>;

/// The modules that a log mentions.
pub fn maven_log(log: &str) -> Vec<JavaModule> {
    let mut modules: Vec<JavaModule> = Vec::new();
    let mut lines = log.lines().map(|line| line.strip_prefix("[DEBUG] ").unwrap_or(line));
    while let Some(line) = lines.next() {
        if let Some(goal) = called(line) {
            let settings = settings(&mut lines);
            if let Some(directory) = settings.get("basedir") {
                note(module(&mut modules, directory), goal, &settings);
            }
        } else if line == "Command line options:"
            && let Some(words) = lines.next()
        {
            note_options(&mut modules, words);
        }
    }
    modules.retain(|module| !module.classes.is_empty());
    modules
}

/// The plugin and its goal, if a line begins the settings of a call.
fn called(line: &str) -> Option<(&str, &str)> {
    let name = line.strip_prefix("Configuring mojo ")?.trim_start_matches("execution ");
    let name = name.strip_prefix('\'')?.split('\'').next()?;
    let mut parts = name.split(':').skip(1);
    Some((parts.next()?, parts.nth(1)?))
}

/// Reads `(f) key = value` up to the end of the settings.
fn settings<'l>(lines: &mut impl Iterator<Item = &'l str>) -> Settings<'l> {
    let mut found = Settings::new();
    for line in lines {
        if line.starts_with("-- end configuration --") {
            break;
        }
        let entry = line.trim_start().strip_prefix("(f) ").or_else(|| line.trim_start().strip_prefix("(s) "));
        found.extend(entry.and_then(|entry| entry.split_once(" = ")));
    }
    found
}

fn module<'m>(modules: &'m mut Vec<JavaModule>, directory: &str) -> &'m mut JavaModule {
    let place = modules.iter().position(|module| module.directory == directory).unwrap_or_else(|| {
        modules.push(JavaModule { directory: directory.to_owned(), ..JavaModule::default() });
        modules.len() - 1
    });
    &mut modules[place]
}

fn note(module: &mut JavaModule, (plugin, goal): (&str, &str), settings: &Settings) {
    let listed = |key: &str| settings.get(key).map_or(vec![], |value| list(value));
    let text = |key: &str| settings.get(key).map_or(String::new(), |value| (*value).to_owned());
    let either =
        |one: &str, other: &str| if settings.contains_key(one) { listed(one) } else { listed(other) };
    match (plugin, goal) {
        ("maven-compiler-plugin", "compile") => {
            // Classes for newer machines are put below those that all machines take.
            let (classes, before) = (text("outputDirectory"), module.classes.clone());
            let newer = text("multiReleaseOutput") == "true" || classes.contains("/META-INF/versions/");
            if newer || (!before.is_empty() && before != classes) {
                return;
            }
            module.classes = classes;
            for root in listed("compileSourceRoots") {
                if !module.sources.contains(&root) {
                    module.sources.push(root);
                }
            }
            module.left_out = listed("excludes");
            module.class_path = either("compilePath", "classpathElements");
            let changing = |jar: &String| CHANGING.iter().any(|name| file_name(jar).starts_with(name));
            module.processors = module.class_path.iter().filter(|jar| changing(jar)).cloned().collect();
        }
        ("maven-compiler-plugin", "testCompile") => {
            module.test_classes = text("outputDirectory");
            module.test_class_path = either("testPath", "classpathElements");
        }
        ("maven-surefire-plugin", "test") => note_tests(module, settings),
        _ => {}
    }
}

fn note_tests(module: &mut JavaModule, settings: &Settings) {
    let listed = |key: &str| settings.get(key).map_or(vec![], |value| list(value));
    let words = settings.get("argLine").map_or(vec![], |line| words(line));
    // What another plugin would have put there is missing.
    module.machine = words.into_iter().filter(|word| !word.contains("@{") && !word.contains("${")).collect();
    for key in ["systemProperties", "systemPropertyVariables"] {
        module.properties.extend(settings.get(key).map_or(vec![], |value| map(value)));
    }
    module.env = settings.get("environmentVariables").map_or(vec![], |value| map(value));
    module.test_class_path.extend(listed("additionalClasspathElements"));
    (module.includes, module.excludes) = (listed("includes"), listed("excludes"));
    let directory = settings.get("workingDirectory").or(settings.get("basedir"));
    module.working_directory = directory.map_or(String::new(), |directory| (*directory).to_owned());
}

/// Keeps those options of a call of javac that decide what is code.
fn note_options(modules: &mut [JavaModule], line: &str) {
    let words = words(line);
    let after = |flag: &str| words.iter().skip_while(|word| *word != flag).nth(1);
    let Some(target) = after("-d") else { return };
    let Some(module) = modules.iter_mut().find(|module| module.classes == *target) else { return };
    let mut kept = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if KEPT_PAIRS.contains(&word.as_str()) {
            kept.push(word.clone());
            kept.extend(words.get(at + 1).cloned());
        } else if KEPT.contains(&word.as_str()) {
            kept.push(word.clone());
        }
    }
    module.options = kept;
}

/// `[a, b]`
fn list(value: &str) -> Vec<String> {
    let inside = value.trim().trim_start_matches('[').trim_end_matches(']');
    inside.split(", ").filter(|one| !one.is_empty() && *one != "null").map(str::to_owned).collect()
}

/// `{a=b, c=d}`
fn map(value: &str) -> Vec<(String, String)> {
    let inside = value.trim().trim_start_matches('{').trim_end_matches('}');
    let pairs = inside.split(", ").filter_map(|pair| pair.split_once('='));
    pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

/// Words as a shell parts them; quotes only hold words together.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for c in line.chars() {
        match (c, quote) {
            ('"' | '\'', None) => quote = Some(c),
            (c, Some(open)) if c == open => quote = None,
            (c, None) if c.is_whitespace() => words.push(std::mem::take(&mut word)),
            (c, _) => word.push(c),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

impl JavaModule {
    /// Whether Maven would look for tests in a class of this name: `a.b.CTest`.
    pub fn holds_tests(&self, class: &str) -> bool {
        const USUAL: [&str; 4] = ["**/Test*.java", "**/*Test.java", "**/*Tests.java", "**/*TestCase.java"];
        let path = format!("{}.java", class.split('$').next().unwrap_or(class).replace('.', "/"));
        let any = |patterns: &[String]| patterns.iter().any(|pattern| fits(pattern, &path));
        let included = match self.includes.is_empty() {
            true => USUAL.iter().any(|pattern| fits(pattern, &path)),
            false => any(&self.includes),
        };
        included && !any(&self.excludes)
    }
}

/// Whether one of Maven's patterns fits the path of a class: a path, a name of a class, or `%regex[…]`.
fn fits(pattern: &str, path: &str) -> bool {
    if let Some(inside) = pattern.strip_prefix("%regex[").and_then(|rest| rest.strip_suffix(']')) {
        let class = path.replace(".java", ".class");
        return regex::Regex::new(&format!("^(?:{inside})$")).is_ok_and(|regex| regex.is_match(&class));
    }
    let mut glob = pattern.trim_start_matches('/').replace(".class", ".java");
    if !glob.ends_with(".java") && !glob.ends_with('*') && !glob.ends_with('/') {
        glob = format!("{}.java", glob.replace('.', "/"));
    }
    if glob.ends_with('/') {
        glob.push_str("**");
    }
    let anywhere = if glob.contains('/') { glob } else { format!("**/{glob}") };
    globset::GlobBuilder::new(&anywhere)
        .literal_separator(true)
        .build()
        .is_ok_and(|glob| glob.compile_matcher().is_match(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = include_str!("samples/maven-x.log");

    #[test]
    fn modules_are_read_with_their_class_paths_and_options() {
        let modules = maven_log(LOG);
        let names: Vec<&str> = modules.iter().map(|module| module.directory.as_str()).collect();
        assert_eq!(names, ["/p/core", "/p/app"], "the parent compiles nothing");
        let [core, app] = &modules[..] else { panic!("{modules:?}") };
        assert_eq!(core.sources, ["/p/core/src/main/java", "/p/core/target/generated-sources/annotations"]);
        assert_eq!(core.classes, "/p/core/target/classes", "classes for Java 11 are another thing");
        assert_eq!(core.options, ["--release", "8", "-parameters"]);
        assert_eq!(core.left_out, ["**/Old*.java"]);
        assert_eq!(core.machine, ["-Xss640k", "-Da=b c"]);
        assert_eq!(
            core.properties,
            [("mode".to_owned(), "fast".to_owned()), ("x".to_owned(), "1".to_owned())]
        );
        assert_eq!(core.working_directory, "/p/core");
        assert!(app.class_path.contains(&"/p/core/target/classes".to_owned()));
        assert_eq!(app.test_class_path.last().map(String::as_str), Some("/r/junit-4.13.2.jar"));
        assert_eq!(app.processors, ["/r/lombok-1.18.jar"]);
    }

    #[test]
    fn tests_are_in_the_classes_that_maven_would_run() {
        let [core, app] = &maven_log(LOG)[..] else { panic!() };
        assert!(core.holds_tests("a.b.StackTest") && core.holds_tests("TestStack$Inner"));
        assert!(!core.holds_tests("a.StackIT") && !core.holds_tests("a.b.SlowTest"));
        assert!(app.holds_tests("a.StackIT") && !app.holds_tests("a.StackTest"));
        assert!(fits("a.b.C", "a/b/C.java") && fits("%regex[.*Spec.*]", "a/XSpec.java"));
        assert!(fits("**/*Spec", "a/XSpec.java") || fits("**/*Spec.class", "a/XSpec.java"));
    }
}
