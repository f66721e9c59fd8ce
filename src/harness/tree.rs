//! A project's files, as far as they tell how it is tested.

use std::cell::OnceCell;
use std::fs;
use std::path::Path;
use std::path::PathBuf;

use globset::GlobBuilder;
use walkdir::WalkDir;

use crate::langdef::LangDef;
use crate::langdef::builtin;
use crate::langdef::builtin_names;

/// How deep and how far is looked.
const DEPTH: usize = 16;
const FILES: usize = 100_000;
/// How much of a file is read.
const LARGEST: u64 = 4 << 20;
/// Directories that hold no sources.
const CLOSED: [&str; 8] =
    ["target", "node_modules", "build", "venv", "__pycache__", "wildcaught.out", "vendor", "third_party"];

/// The paths of a project's files, with `/`, seen from its root, in order.
pub(super) struct Tree {
    pub root: PathBuf,
    pub files: Vec<String>,
    counts: OnceCell<Vec<(String, usize)>>,
}

impl Tree {
    pub(super) fn read(root: &Path) -> Self {
        let open = |entry: &walkdir::DirEntry| {
            let name = entry.file_name().to_string_lossy();
            let closed = name.starts_with('.') && name != ".config" || CLOSED.contains(&&*name);
            entry.depth() == 0 || !(entry.file_type().is_dir() && closed)
        };
        let walk = WalkDir::new(root).max_depth(DEPTH).sort_by_file_name().into_iter().filter_entry(open);
        let files = walk.filter_map(Result::ok).filter(|entry| entry.file_type().is_file());
        let shown = |entry: walkdir::DirEntry| {
            let path = entry.path().strip_prefix(root).ok()?;
            let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
            Some(parts.join("/"))
        };
        let files = files.take(FILES).filter_map(shown).collect();
        Self { root: root.to_owned(), files, counts: OnceCell::new() }
    }

    /// The files that a glob names; `*` does not go over `/`.
    pub(super) fn matching(&self, glob: &str) -> Vec<&str> {
        let Ok(glob) = GlobBuilder::new(glob).literal_separator(true).build() else { return Vec::new() };
        let matcher = glob.compile_matcher();
        self.files.iter().map(String::as_str).filter(|file| matcher.is_match(file)).collect()
    }

    /// The files under a directory.
    pub(super) fn under(&self, directory: &str) -> impl Iterator<Item = &str> {
        let prefix = if directory == "." { String::new() } else { format!("{directory}/") };
        self.files.iter().map(String::as_str).filter(move |file| file.starts_with(&prefix))
    }

    /// The text of a file; empty if it cannot be read or is huge.
    pub(super) fn text(&self, file: &str) -> String {
        let path = self.root.join(file);
        let fits = fs::metadata(&path).is_ok_and(|meta| meta.len() <= LARGEST);
        let bytes = if fits { fs::read(path).unwrap_or_default() } else { Vec::new() };
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The language of most files among those named, or among all if none is.
    pub(super) fn main_language(&self, among: &[String]) -> Option<String> {
        let wanted = |name: &String| among.is_empty() || among.contains(name);
        let counts = self.counts().iter().filter(|(name, count)| *count > 0 && wanted(name));
        counts.rev().max_by_key(|(_, count)| *count).map(|(name, _)| name.clone())
    }

    /// Whether a file of this language is under the directory, or is what is named.
    pub(super) fn speaks(&self, directory: &str, language: &str) -> bool {
        let Some(def) = builtin(language) else { return false };
        let is_file = self.files.iter().any(|file| file == directory) && def.owns(directory.as_bytes());
        is_file || self.under(directory).any(|file| def.owns(file.as_bytes()))
    }

    /// Whether a file is of this language.
    pub(super) fn is_of(&self, file: &str, language: &str) -> bool {
        builtin(language).is_some_and(|def| def.owns(file.as_bytes()))
    }

    fn counts(&self) -> &[(String, usize)] {
        self.counts.get_or_init(|| {
            let languages: Vec<LangDef> = builtin_names().filter_map(builtin).collect();
            let mut counts: Vec<(String, usize)> =
                languages.iter().map(|def| (def.name().to_owned(), 0)).collect();
            // Pages of documentation bring scripts along that are not the project's.
            let documents = |file: &&String| file.starts_with("docs/") || file.starts_with("doc/");
            for file in self.files.iter().filter(|file| !documents(file)) {
                let owners: Vec<usize> =
                    (0..languages.len()).filter(|index| languages[*index].owns(file.as_bytes())).collect();
                // An ending that several languages share says less.
                owners.iter().for_each(|owner| counts[*owner].1 += if owners.len() == 1 { 2 } else { 1 });
            }
            counts
        })
    }
}
