//! Tallies of whole repositories, each in a file of its own below a directory that the user names.
//!
//! A repository is read once: its history up to a commit never changes, so a tally depends on that commit and on how
//! it is read. A hash of both is in the name of the file; what stands before it in the name is for people.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;

use xxhash_rust::xxh3::xxh3_64;
use xxhash_rust::xxh3::xxh3_128;

use crate::files::replace;
use crate::langdef::LangDef;
use crate::operator::Granularity;

use super::raw::KeptMark;
use super::raw::RawError;
use super::raw::write_raw_marked;
use super::run::Tallied;
use super::tally::TallyOptions;

/// How the names of the files end.
const ENDING: &str = ".tally";
/// Hexadecimal digits of the hash in a name.
const DIGITS: usize = 16;

/// The tallies in a directory that were made in one way.
pub struct KeptTallies {
    directory: PathBuf,
    /// The language, and how histories are read.
    asked: String,
    /// All files by the hashes in their names.
    files: BTreeMap<String, PathBuf>,
}

/// A history that was read, or is to be.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    /// The id of its newest commit.
    pub head: &'a str,
    /// Where it is cut off in a shallow clone; empty if it is not.
    pub shallow: &'a str,
}

impl KeptTallies {
    /// The tallies in a directory, which is made if it is not there. `history` says which parts of histories are read.
    pub fn open(directory: &Path, def: &LangDef, history: &str, options: &TallyOptions) -> io::Result<Self> {
        fs::create_dir_all(directory)?;
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(directory)? {
            let path = entry?.path();
            let hash = path.file_name().and_then(|name| hash_in(name.to_str()?)).map(str::to_owned);
            files.extend(hash.map(|hash| (hash, path)));
        }
        Ok(Self { directory: directory.to_owned(), asked: asked(def, history, options), files })
    }

    /// Whether there is a file about a reading.
    pub fn has(&self, reading: Reading) -> bool {
        self.files.contains_key(&self.hash(reading))
    }

    /// The tally of a reading, none if it is not kept. An error says that the file is damaged.
    pub fn read(&self, reading: Reading) -> Result<Option<Tallied>, RawError> {
        let hash = self.hash(reading);
        let Some(path) = self.files.get(&hash) else { return Ok(None) };
        let origin = path.display().to_string();
        let text = fs::read_to_string(path)
            .map_err(|error| RawError { origin: origin.clone(), problem: error.to_string() })?;
        let (tally, mark) = super::raw::read_raw_marked(&text, &origin)?;
        match mark {
            Some(mark) if mark.depends == hash && tally.sources.len() == 1 && !tally.partial => {
                Ok(Some(Tallied { tally, warnings: mark.warnings }))
            }
            _ => {
                let problem = "its name does not match its content: the file is damaged".into();
                Err(RawError { origin, problem })
            }
        }
    }

    /// Keeps the whole tally of one repository; gives where. `name` is for people.
    pub fn keep(&mut self, reading: Reading, name: &str, tallied: &mut Tallied) -> io::Result<&Path> {
        let hash = self.hash(reading);
        let mark = KeptMark { depends: hash.clone(), sum: String::new(), warnings: tallied.warnings.clone() };
        let path = self.directory.join(format!("{}-{hash}{ENDING}", file_name(name)));
        replace(&path, write_raw_marked(&mut tallied.tally, mark).as_bytes())?;
        let known = self.files.entry(hash).or_default();
        // The name of the same repository may have been another, in a file that is damaged.
        if *known != path && known.is_file() {
            fs::remove_file(&known)?;
        }
        *known = path;
        Ok(known)
    }

    fn hash(&self, reading: Reading) -> String {
        let text = format!("{}\n{}\n{}", self.asked, reading.head, reading.shallow);
        format!("{:032x}", xxh3_128(text.as_bytes()))[..DIGITS].to_owned()
    }
}

/// What tallies depend on, but for the history.
fn asked(def: &LangDef, history: &str, options: &TallyOptions) -> String {
    let limits = &options.limits;
    let granularity = match options.granularity {
        Granularity::Line => "line".to_owned(),
        Granularity::Token { context } => format!("token {context}"),
        Granularity::Levels => "levels".to_owned(),
    };
    let language = xxh3_64(format!("{:?}", def.file).as_bytes());
    format!(
        "wildcaught {} {:?}\n{} {language:016x}\n{granularity} {} {} {}\n{history}",
        env!("CARGO_PKG_VERSION"),
        super::raw::FORMATS,
        def.name(),
        limits.max_tokens,
        limits.min_tokens,
        limits.ascii_art,
    )
}

/// The hash in a file's name.
fn hash_in(name: &str) -> Option<&str> {
    let (_, hash) = name.strip_suffix(ENDING)?.rsplit_once('-')?;
    (hash.len() == DIGITS && hash.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(hash)
}

/// A name as a part of that of a file.
fn file_name(name: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    let shown: String = name.chars().map(|letter| if plain(letter) { letter } else { '_' }).collect();
    shown.trim_start_matches('.').chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_readable_and_say_what_they_depend_on() {
        assert_eq!(file_name("owner/name"), "owner_name");
        assert_eq!(file_name("../a b"), "_a_b");
        assert_eq!(hash_in("owner_name-0123456789abcdef.tally"), Some("0123456789abcdef"));
        for other in ["owner_name-0123.tally", "0123456789abcdef.tally", "a-0123456789abcdef.json"] {
            assert_eq!(hash_in(other), None, "{other}");
        }
    }
}
