//! Puts a runtime in place.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;

use thiserror::Error;

use crate::insert::SourceFile;
use crate::lex::TokenKind;

use super::c;

/// Why a runtime cannot be used.
#[derive(Debug, Error)]
pub enum RuntimeError {
    #[error("no runtime is called {0:?}; see [switch] runtime in the language definition")]
    Unknown(String),
    #[error("cannot put the runtime into {}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("cannot compile the runtime with {tool}: {said}")]
    Compile { tool: &'static str, said: String },
}

/// A runtime in place.
#[derive(Clone, Debug)]
pub struct Runtime {
    name: String,
    units: u32,
    directory: PathBuf,
    /// Set while the target is built and run.
    pub env: Vec<(String, String)>,
}

const RUST: &str = include_str!("wildcaught_rt.rs.in");
const GO: &str = include_str!("wildcaught_rt.go");
const PYTHON: &str = include_str!("sitecustomize.py");
const JAVASCRIPT: &str = include_str!("wildcaught.js");
const JAVA: &str = include_str!("W.java");
const CSHARP: &str = include_str!("W.cs");

impl Runtime {
    /// Puts the runtime `name` for so many units into a directory; `tree` is the target's copy.
    /// `outer` is the environment that we were started in.
    pub fn install(
        name: &str,
        units: u32,
        directory: &Path,
        tree: &Path,
        outer: &BTreeMap<String, String>,
    ) -> Result<Self, RuntimeError> {
        let units = units.max(1).next_multiple_of(4096);
        let mut runtime =
            Self { name: name.to_owned(), units, directory: directory.to_owned(), env: Vec::new() };
        let io = |source| RuntimeError::Io { path: directory.to_owned(), source };
        fs::create_dir_all(directory).map_err(io)?;
        match name {
            "c" => runtime.env = c::install(units, directory, outer)?,
            "rust" => runtime.rust(tree, outer)?,
            "python" => {
                fs::write(directory.join("sitecustomize.py"), PYTHON).map_err(io)?;
                let path = join(&directory.display().to_string(), outer.get("PYTHONPATH"));
                runtime.env.push(("PYTHONPATH".into(), path));
                // Files that were compiled before the meta-program was written are no witnesses.
                runtime.env.push(("PYTHONDONTWRITEBYTECODE".into(), "1".into()));
            }
            "java" | "go" | "javascript" | "csharp" => {}
            _ => return Err(RuntimeError::Unknown(name.to_owned())),
        }
        Ok(runtime)
    }

    /// How many units there is room for.
    pub fn units(&self) -> u32 {
        self.units
    }

    /// Where compilers write down how they were called.
    pub fn compiles(&self) -> Option<&Path> {
        let named = self.env.iter().find(|(key, _)| key == "WILDCAUGHT_COMPILES");
        named.map(|(_, path)| Path::new(path))
    }

    /// A library that every crate is given; crates that do not ask for it do not notice.
    fn rust(&mut self, tree: &Path, outer: &BTreeMap<String, String>) -> Result<(), RuntimeError> {
        let source = self.directory.join("wildcaught_rt.rs");
        let library = self.directory.join("libwildcaught_rt.rlib");
        let io = |error| RuntimeError::Io { path: source.clone(), source: error };
        fs::write(&source, self.fill(RUST)).map_err(io)?;
        let mut command = Command::new("rustc");
        command.current_dir(tree).args(["--edition", "2021", "--crate-type", "rlib", "-O", "--crate-name"]);
        command.arg("wildcaught_rt").arg(&source).arg("-o").arg(&library);
        let out = command.output().map_err(io)?;
        if !out.status.success() {
            let said = String::from_utf8_lossy(&out.stderr).into_owned();
            return Err(RuntimeError::Compile { tool: "rustc", said });
        }
        let mut flags: Vec<String> = match outer.get("CARGO_ENCODED_RUSTFLAGS") {
            Some(flags) => flags.split('\u{1f}').map(str::to_owned).collect(),
            None => outer
                .get("RUSTFLAGS")
                .map_or("", |flags| flags)
                .split_whitespace()
                .map(str::to_owned)
                .collect(),
        };
        flags.retain(|flag| !flag.is_empty());
        flags.push("--cap-lints=allow".into());
        flags.push("--extern".into());
        flags.push(format!("wildcaught_rt={}", library.display()));
        flags.push(format!("-Ldependency={}", self.directory.display()));
        self.env.push(("CARGO_ENCODED_RUSTFLAGS".into(), flags.join("\u{1f}")));
        Ok(())
    }

    fn fill(&self, template: &str) -> String {
        template.replace("@UNITS@", &self.units.to_string())
    }

    /// Lines that stand before a file's own.
    pub fn lead(&self) -> u32 {
        u32::from(self.name == "c")
    }

    /// A file of the meta-program with what the runtime needs in it.
    pub fn dress(&self, file: &SourceFile, text: &[u8]) -> Vec<u8> {
        match self.name.as_str() {
            "c" => {
                let lead = format!("#include \"{}\"\n", self.directory.join("wildcaught.h").display());
                [lead.as_bytes(), text].concat()
            }
            "javascript" => {
                // Behind a first line for the system, and behind directives.
                let after = behind_directives(file);
                [&text[..after], JAVASCRIPT.as_bytes(), &text[after..]].concat()
            }
            _ => text.to_vec(),
        }
    }

    /// Files to add to the copy, for these files of the target (paths inside of the copy).
    pub fn companions(&self, files: &[(&Path, &SourceFile)]) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut out = BTreeMap::new();
        match self.name.as_str() {
            "java" => {
                let roots: BTreeSet<PathBuf> =
                    files.iter().map(|(path, file)| java_root(path, file)).collect();
                for root in roots {
                    out.insert(root.join("wildcaught/rt/W.java"), self.fill(JAVA).into_bytes());
                }
            }
            "csharp" => {
                if let Some((path, _)) = files.first() {
                    let beside = path.with_file_name("WildcaughtW.cs");
                    out.insert(beside, self.fill(CSHARP).into_bytes());
                }
            }
            "go" => {
                for (path, file) in files {
                    let package = word_behind(file, b"package").unwrap_or_default();
                    let text = self.fill(GO).replace("@PACKAGE@", &package);
                    out.insert(path.with_file_name("wildcaught_rt.go"), text.into_bytes());
                }
            }
            _ => {}
        }
        out
    }
}

/// A directory before those that are there.
pub(super) fn join(first: &str, rest: Option<&String>) -> String {
    match rest {
        Some(rest) if !rest.is_empty() => format!("{first}:{rest}"),
        _ => first.to_owned(),
    }
}

fn word_behind(file: &SourceFile, word: &[u8]) -> Option<String> {
    let at = (0..file.tokens.len()).find(|&at| file.token(at) == word)?;
    (at + 1 < file.tokens.len()).then(|| String::from_utf8_lossy(file.token(at + 1)).into_owned())
}

/// The directory in which a Java file's packages are.
fn java_root(path: &Path, file: &SourceFile) -> PathBuf {
    let mut root = path.parent().unwrap_or(Path::new("")).to_owned();
    let Some(start) = (0..file.tokens.len().min(200)).find(|&at| file.token(at) == b"package") else {
        return root;
    };
    let names = (start + 1..file.tokens.len())
        .take_while(|&at| file.token(at) != b";")
        .filter(|&at| file.tokens[at].kind == TokenKind::Identifier);
    for _ in names {
        root.pop();
    }
    root
}

fn behind_directives(file: &SourceFile) -> usize {
    let shebang = if file.text.starts_with(b"#!") {
        memchr::memchr(b'\n', &file.text).map_or(file.text.len(), |end| end + 1)
    } else {
        0
    };
    match file.tokens.first() {
        Some(first) if first.kind == TokenKind::String => {
            let end = first.span.end as usize;
            if file.text.get(end) == Some(&b';') { end + 1 } else { end }
        }
        _ => shebang,
    }
}
