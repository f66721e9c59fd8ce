//! How often the patterns of a set stand in code as it is: what operators are held against that were seen in fixes.
//!
//! In: a set and the repositories it was mined from. Out: per operator, its matches; and how many tokens were looked at.

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::control::Progress;
use crate::history::CommitSelection;
use crate::history::FileAt;
use crate::history::HistoryError;
use crate::history::Snapshots;
use crate::history::test_files;
use crate::insert::Index;
use crate::insert::Skips;
use crate::insert::Target;
use crate::langdef::LangDef;
use crate::operator::Operator;
use crate::operator::OperatorSet;

use super::coupling::Subject;

/// Bytes of a repository that are looked at, in files chosen by their path.
const MOST_BYTES: usize = 1_500_000;
/// Larger files are tables or were written by programs.
const LARGEST_FILE: usize = 300_000;

/// Counts matches.
pub struct ExposureRequest<'a> {
    pub def: &'a LangDef,
    pub selection: &'a CommitSelection,
    pub subjects: &'a [Subject],
}

/// What was counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exposure {
    /// Per operator of the set, in order.
    pub matches: Vec<u64>,
    pub tokens: u64,
    /// Repositories that could not be read, and why.
    pub left_out: Vec<String>,
}

impl Exposure {
    /// Writes the counts into the set they are of.
    pub fn note(&self, set: &mut OperatorSet) {
        set.header.exposed = self.tokens;
        for (operator, matches) in set.operators.iter_mut().zip(&self.matches) {
            operator.evidence.matches = *matches;
        }
    }

    fn absorb(mut self, other: Self) -> Self {
        if self.matches.is_empty() {
            return Self { tokens: self.tokens + other.tokens, ..other };
        }
        self.tokens += other.tokens;
        self.matches.iter_mut().zip(&other.matches).for_each(|(mine, theirs)| *mine += theirs);
        self
    }
}

impl ExposureRequest<'_> {
    /// Counts how often the patterns of some operators stand in the newest revisions. The progress counts repositories.
    pub fn run(&self, operators: &[Operator], progress: &Progress) -> Exposure {
        progress.expect(self.subjects.len() as u64);
        let index = Index::new(operators.iter());
        let mut all = Exposure { matches: vec![0; operators.len()], ..Exposure::default() };
        for subject in self.subjects {
            if progress.stopped() {
                break;
            }
            let files = match self.files(subject) {
                Ok(files) => files,
                Err(error) => {
                    all.left_out.push(error.to_string());
                    continue;
                }
            };
            let one = |file: FileAt| self.count(&index, operators.len(), file);
            let found = files.into_par_iter().map(one).reduce(Exposure::default, Exposure::absorb);
            all = all.absorb(found);
            progress.advance(1024);
        }
        all
    }

    /// Some source files of a repository, without tests.
    fn files(&self, subject: &Subject) -> Result<Vec<FileAt>, HistoryError> {
        let tests = test_files(self.def)?;
        let snapshots = Snapshots::open(&subject.path)?;
        let mut files = snapshots.files(&snapshots.head()?, |path| {
            self.selection.judge_path(self.def, path).is_none()
                && !tests.is_match(String::from_utf8_lossy(path).as_ref())
        })?;
        files.retain(|(_, text)| text.len() <= LARGEST_FILE && self.selection.judge_text(text).is_none());
        files.sort_by_cached_key(|(path, _)| xxh3_64(path));
        let mut bytes = 0;
        let few = files.into_iter().take_while(|(_, text)| {
            bytes += text.len();
            bytes <= MOST_BYTES
        });
        Ok(few.collect())
    }

    fn count(&self, index: &Index, operators: usize, (path, text): FileAt) -> Exposure {
        let path = String::from_utf8_lossy(&path).into_owned().into();
        let target = Target::unlearned(self.def, vec![(path, text)]);
        let view = target.view(0);
        let allowed = Skips::new(self.def, vec![], false).apply(view).0;
        let mut matches = vec![0; operators];
        index.matches(view, |at| allowed[at], |operator, _, _, _| matches[operator as usize] += 1);
        Exposure { matches, tokens: view.file.tokens.len() as u64, left_out: Vec::new() }
    }
}
