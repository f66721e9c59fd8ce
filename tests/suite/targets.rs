//! The projects in `tests/targets`, copied before use, and wildcaught run on them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;
use walkdir::WalkDir;

use wildcaught::matrix::Fate;
use wildcaught::matrix::KillMatrix;
use wildcaught::matrix::from_json;

use super::cli::command;
use super::tools;

/// A copy of a target, in a directory with a blank in its name.
pub struct Project {
    home: TempDir,
}

/// How a run ended and what it said.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// What became of a mutant: its fate, and the names of the tests that noticed.
pub type Told = (Fate, Vec<String>);

impl Project {
    /// A copy of a target; none if a tool that it needs is missing.
    #[track_caller]
    pub fn new(name: &str) -> Option<Self> {
        tools::are_here(needs(name)).then(|| Self::copy(name))
    }

    /// A copy of a target, for what runs none of its tools.
    pub fn copy(name: &str) -> Self {
        Self::copy_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/targets").join(name))
    }

    /// A copy of any directory.
    pub fn copy_of(from: &Path) -> Self {
        let project = Self { home: tempfile::tempdir().unwrap() };
        for entry in WalkDir::new(from).into_iter().map(Result::unwrap) {
            let to = project.root().join(entry.path().strip_prefix(from).unwrap());
            if entry.file_type().is_dir() {
                fs::create_dir_all(to).unwrap();
            } else {
                fs::copy(entry.path(), to).unwrap();
            }
        }
        fs::create_dir(project.scratch()).unwrap();
        project
    }

    pub fn root(&self) -> PathBuf {
        self.home.path().join("a project")
    }

    /// Where wildcaught and what it starts may put temporary files.
    pub fn scratch(&self) -> PathBuf {
        self.home.path().join("tmp")
    }

    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.root().join(file)).unwrap()
    }

    pub fn write(&self, file: &str, text: &str) {
        fs::write(self.root().join(file), text).unwrap();
    }

    /// Replaces text that must be there.
    #[track_caller]
    pub fn edit(&self, file: &str, before: &str, after: &str) {
        let text = self.read(file);
        assert!(text.contains(before), "{text}");
        self.write(file, &text.replace(before, after));
    }

    /// Wildcaught in the project, with the temporary files of this project.
    pub fn command(&self) -> Command {
        let mut command = command(&self.root());
        command.env("TMPDIR", self.scratch()).env_remove("CARGO_TARGET_DIR");
        command
    }

    /// Runs wildcaught in the project. Whatever it does, it leaves nothing behind but its results.
    #[track_caller]
    pub fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, &[])
    }

    /// The same with more variables.
    #[track_caller]
    pub fn run_with(&self, arguments: &[&str], env: &[(&str, &str)]) -> Ran {
        let before = self.files();
        let output = self.command().args(arguments).envs(env.iter().copied()).output().unwrap();
        assert_eq!(before, self.files(), "{arguments:?} touches the project");
        let left: Vec<PathBuf> = WalkDir::new(self.scratch())
            .min_depth(1)
            .max_depth(1)
            .into_iter()
            .map(|entry| entry.unwrap().into_path())
            .filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("wildcaught"))
            .collect();
        assert!(left.is_empty(), "{arguments:?} leaves {left:?}");
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// `wildcaught init`, which writes the settings and nothing else.
    #[track_caller]
    pub fn run_init(&self, more: &[&str]) -> Ran {
        let output =
            command(&self.root()).arg("init").args(more).env("TMPDIR", self.scratch()).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// `wildcaught test` with classic operators and a full matrix; every mutant is run.
    #[track_caller]
    pub fn test(&self, more: &[&str]) -> Ran {
        let fixed = ["test", "--ops", "classic", "--matrix", "full", "--quiet", "--no-tce"];
        self.run(&[&fixed, more].concat())
    }

    /// The matrix of a run that must have gone well.
    #[track_caller]
    pub fn matrix(&self, out: &str, more: &[&str]) -> KillMatrix {
        let ran = self.test(&[&["--out", out], more].concat());
        assert!(matches!(ran.code, 0 | 2 | 3 | 5), "{} {}", ran.code, ran.err);
        self.export(out)
    }

    /// What `export` gives.
    #[track_caller]
    pub fn export(&self, out: &str) -> KillMatrix {
        let ran = self.run(&["export", "matrix.json", "--print", "--out", out]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        from_json(&ran.out, "matrix.json").unwrap()
    }

    /// All files but results.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let ours = |path: &Path| {
            let inside = path.strip_prefix(self.root()).unwrap();
            inside.iter().next().is_some_and(|first| first.to_string_lossy().starts_with("wildcaught.out"))
        };
        WalkDir::new(self.root())
            .into_iter()
            .filter_entry(|entry| !ours(entry.path()))
            .map(Result::unwrap)
            .filter(|entry| entry.file_type().is_file())
            .map(|entry| (entry.path().to_owned(), fs::read(entry.path()).unwrap()))
            .collect()
    }
}

/// Per mutant that was tested, what became of it. Whether tests run over a survivor is not asked.
pub fn told(matrix: &KillMatrix) -> BTreeMap<String, Told> {
    let tested = (0..matrix.mutants.len()).filter(|mutant| matrix.fate(*mutant) != Fate::Untested);
    tested
        .map(|mutant| {
            let fate = match matrix.fate(mutant) {
                Fate::NotCovered => Fate::Survived,
                fate => fate,
            };
            let kills = matrix.kills(mutant).into_iter();
            let names = kills.map(|test| matrix.tests[test as usize].name.clone()).collect();
            (matrix.mutants[mutant].id.clone(), (fate, names))
        })
        .collect()
}

/// The tools that a target needs.
fn needs(target: &str) -> &'static [&'static str] {
    match target {
        "c-cases" | "triangle-c" => &["cc", "ar"],
        "c-command" => &["cc", "ar", "make"],
        "rust-lib" | "triangle-rust" => &["cargo"],
        "java-junit" | "triangle-java" => &["javac", "junit4", "hamcrest"],
        "python" => &["pytest"],
        "go" => &["go"],
        "js" => &["node"],
        _ => panic!("no target is called {target}"),
    }
}
