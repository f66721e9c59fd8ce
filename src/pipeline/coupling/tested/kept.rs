//! What is known of fixes from earlier runs: a file for each, below a directory that the user names.
//!
//! Two things are kept apart. What the tests say of the fault does not depend on operators: whether it can be measured,
//! and which tests detect it. The outcome of mutants does. So a fix that cannot be measured is not built again for
//! other operators, and one that can be needs two builds less.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::control::Shard;
use crate::files::replace;
use crate::harness::Config;
use crate::pipeline::coupling::request::CouplingRequest;

use super::outcome::TestedFix;
use super::outcome::TestedOutcome;
use super::outcome::Unmeasurable;

/// The version of a file.
const FORMAT: u32 = 1;

/// Results of earlier runs.
pub struct KeptFixes {
    directory: PathBuf,
    /// What the answers about a fault depend on, and those about mutants.
    setting: String,
    question: String,
    /// The part of the work that is done here.
    part: Option<Shard>,
}

/// A file.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct KeptFix {
    format: u32,
    setting: String,
    question: String,
    fix: TestedFix,
}

/// What an earlier run says of a fix.
pub(super) enum Earlier {
    /// Everything that was requested.
    Answered(Box<TestedFix>),
    /// Only which tests detect its fault.
    Detected(BTreeSet<String>),
    Nothing,
}

impl KeptFixes {
    /// The results in a directory, which need not be there yet, that are about these settings and sets.
    pub fn new(directory: &Path, asked: &CouplingRequest, config: Option<&Config>, most: usize) -> Self {
        let setting = format!("{} {} {config:?}", env!("CARGO_PKG_VERSION"), asked.def.name());
        let sets: Vec<u64> = asked.columns.iter().map(|column| column.fingerprint).collect();
        let (fit, around) = (asked.fit, asked.limits.around);
        let question = format!("{setting} {sets:?} {fit:?} {most} {around}");
        let (setting, question) = (number(&setting), number(&question));
        Self { directory: directory.to_owned(), setting, question, part: None }
    }

    /// The same for a part of the work. Parts share results, and build in places of their own: they may run at one
    /// time.
    pub fn for_part(self, part: Option<Shard>) -> Self {
        Self { part, ..self }
    }

    /// Where they are.
    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Where what can be built once for a repository is kept.
    pub(super) fn cache(&self, repository: &str) -> io::Result<PathBuf> {
        let mut path = self.directory.join("cache").join(file_name(repository));
        if let Some(part) = self.part {
            path.push(format!("part-{}-of-{}", part.part(), part.parts()));
        }
        fs::create_dir_all(&path)?;
        Ok(path)
    }

    /// What is known of a fix that may take so long.
    pub(super) fn earlier(&self, repository: &str, commit: &str, each: Duration) -> Earlier {
        let Some(kept) = self.read(repository, commit) else { return Earlier::Nothing };
        if kept.setting != self.setting {
            return Earlier::Nothing;
        }
        let longer = each.as_secs_f64() > kept.fix.seconds + 1.0;
        match &kept.fix.outcome {
            TestedOutcome::Unmeasurable(Unmeasurable::TooLong) if longer => Earlier::Nothing,
            TestedOutcome::Unmeasurable(Unmeasurable::TooLong | Unmeasurable::Failed(_))
                if kept.question != self.question =>
            {
                Earlier::Nothing
            }
            TestedOutcome::Unmeasurable(_) => Earlier::Answered(Box::new(kept.fix)),
            TestedOutcome::Measured { .. } if kept.question == self.question => {
                Earlier::Answered(Box::new(kept.fix))
            }
            TestedOutcome::Measured { detecting, .. } => {
                Earlier::Detected(detecting.iter().cloned().collect())
            }
        }
    }

    /// A file that is damaged or of another version says nothing: the fix is measured again.
    fn read(&self, repository: &str, commit: &str) -> Option<KeptFix> {
        let text = fs::read(self.path(repository, commit)).ok()?;
        serde_json::from_slice(&text).ok().filter(|kept: &KeptFix| kept.format == FORMAT)
    }

    /// Keeps what is known of a fix.
    pub(super) fn keep(&self, fix: &TestedFix) -> io::Result<()> {
        let path = self.path(&fix.repository, &fix.commit);
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory)?;
        }
        let (setting, question) = (self.setting.clone(), self.question.clone());
        let kept = KeptFix { format: FORMAT, setting, question, fix: fix.clone() };
        replace(&path, &serde_json::to_vec_pretty(&kept)?)
    }

    fn path(&self, repository: &str, commit: &str) -> PathBuf {
        self.directory.join("fixes").join(file_name(repository)).join(format!("{commit}.json"))
    }
}

fn number(text: &str) -> String {
    format!("{:016x}", xxh3_64(text.as_bytes()))
}

/// A repository's name as that of one directory.
fn file_name(repository: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
    let shown: String = repository.chars().map(|letter| if plain(letter) { letter } else { '_' }).collect();
    if shown == repository { shown } else { format!("{shown}-{:08x}", xxh3_64(repository.as_bytes()) as u32) }
}
