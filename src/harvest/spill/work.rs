//! From files of words, rows and shifts to a set.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use crate::harvest::finish::FinishOptions;
use crate::harvest::finish::Funnels;
use crate::harvest::finish::Harvest;
use crate::harvest::finish::Lens;
use crate::harvest::finish::compose;
use crate::harvest::finish::early_funnels;
use crate::harvest::finish::first_seen;
use crate::harvest::found::Operators;
use crate::harvest::found::Shifts;
use crate::harvest::idioms::IdiomRule;
use crate::harvest::samples::Samples;
use crate::harvest::tally::Tally;
use crate::langdef::LangDef;
use crate::lex::TokenKind;
use crate::operator::Direction;
use crate::operator::Filter;
use crate::operator::Granularity;
use crate::operator::Operator;
use crate::operator::Shift;

use super::PARTS;
use super::codec::Record;
use super::leveled::Leveled;
use super::parts::PartWriter;
use super::parts::Parts;
use super::slice::Slice;

/// An identifier or literal.
type Word = (TokenKind, Vec<u8>);

/// What is made of the files, and where further ones are put.
pub struct Work<'a> {
    pub frame: &'a Tally,
    /// The number of each source's repository.
    pub repos: &'a [u32],
    pub def: &'a LangDef,
    pub options: &'a FinishOptions,
    pub directory: &'a Path,
}

impl Work<'_> {
    pub fn run(
        &self,
        words: &Parts,
        rows: &Parts,
        shifts: &Parts,
        mut samples: Samples,
    ) -> io::Result<Harvest> {
        let idioms = self.idioms(words)?;
        let mut funnels = early_funnels(self.frame, self.options);
        let operators = if self.frame.options.granularity == Granularity::Levels {
            Leveled { work: self, idioms: &idioms }.operators(rows, &mut funnels)?
        } else {
            let found = self.generalize(rows, &idioms, &mut funnels, &mut samples)?;
            self.operators(&found, &mut funnels)?
        };
        let (shifted, shifts_seen) = self.first_shifts(shifts)?;
        let shifts = self.shifts(&shifted)?;
        let set = compose(self.frame, self.options, idioms, funnels, (operators, shifts));
        Ok(Harvest { set, samples, shifts_seen })
    }

    pub fn slice(&self) -> Slice<'_> {
        Slice::new(self.frame, self.repos)
    }

    pub fn writer(&self, name: &str) -> io::Result<PartWriter> {
        PartWriter::new(self.directory, name)
    }

    /// The idioms, chosen part by part: what is chosen of all words is chosen of some of them, too.
    fn idioms(&self, words: &Parts) -> io::Result<Vec<Vec<u8>>> {
        let rule = &self.options.idioms;
        if let IdiomRule::Given(list) = rule {
            return Ok(list.clone());
        }
        let mut total = 0;
        let mut best: BTreeMap<Word, u64> = BTreeMap::new();
        for part in 0..PARTS {
            for (word, count) in self.words(words, part)? {
                total += count;
                best.insert(word, count);
            }
            let chosen = rule.choose_of(total, &best);
            best = chosen.into_iter().map(|word| best.remove_entry(&word).expect("it was chosen")).collect();
        }
        Ok(rule.choose_of(total, &best).into_iter().map(|(_, word)| word).collect())
    }

    /// The words of a part that may be idioms, as [`tally_words`](crate::harvest::idioms::tally_words) has them.
    fn words(&self, words: &Parts, part: usize) -> io::Result<Vec<(Word, u64)>> {
        // How often, and in which repository first; none if in several.
        let mut counts: BTreeMap<Word, (u64, Option<u32>)> = BTreeMap::new();
        words.each(part, |mut fields| {
            let word = (fields.kind()?, fields.bytes()?.to_vec());
            let repo = self.repos[fields.number()? as usize];
            let (count, only) = counts.entry(word).or_insert((0, Some(repo)));
            *count += fields.number()?;
            *only = only.filter(|known| *known == repo);
            Ok(())
        })?;
        words.remove(part)?;
        let several = self.frame.repositories() > 1;
        let wide = |only: Option<u32>| !several || only.is_none();
        Ok(counts
            .into_iter()
            .filter(|(_, (_, only))| wide(*only))
            .map(|(word, (count, _))| (word, count))
            .collect())
    }

    /// Rows to operators, at line and token granularity: one record for each.
    fn generalize(
        &self,
        rows: &Parts,
        idioms: &[Vec<u8>],
        funnels: &mut Funnels,
        samples: &mut Samples,
    ) -> io::Result<Parts> {
        let mut writer = self.writer("found")?;
        let (mut record, mut operator) = (Record::default(), Record::default());
        for part in 0..PARTS {
            let slice = self.rows_of(rows, part)?;
            let tally = &slice.tally;
            let first = first_seen(tally, &tally.rows, |row| (row.key, row.commit));
            let again = (tally.rows.len() - first.len()) as u64;
            let lens = Lens::new(tally, self.def, idioms);
            let late = lens.late(&self.options.limits);
            for (&direction, funnel) in &mut *funnels {
                funnel.reject(Filter::SeenAgain, again);
                let mut result = Ok(());
                late.generalize(&first, direction, funnel, samples, |row, coded, binds| {
                    operator.clear();
                    operator.coded(&tally.symbols, &coded);
                    let commit = &tally.commits[row.commit as usize];
                    record.clear();
                    record.bytes(&operator.0);
                    record.byte(u8::from(direction == Direction::Forward));
                    record.commit(commit.repo, commit);
                    record.kinds(binds);
                    record.around(&tally.symbols, row);
                    if result.is_ok() {
                        result = writer.write(xxh3_64(&operator.0), &record.0);
                    }
                });
                result?;
            }
        }
        writer.finish()
    }

    /// The rows of a part.
    pub fn rows_of(&self, rows: &Parts, part: usize) -> io::Result<Slice<'_>> {
        let mut slice = self.slice();
        rows.each(part, |fields| slice.add_row(fields))?;
        rows.remove(part)?;
        Ok(slice)
    }

    /// Adds up what was found of each operator.
    fn operators(&self, found: &Parts, funnels: &mut Funnels) -> io::Result<Vec<Operator>> {
        let mut all = Vec::new();
        for part in 0..PARTS {
            let mut slice = self.slice();
            let mut operators = Operators::default();
            found.each(part, |mut fields| {
                let mut operator = super::codec::Fields(fields.bytes()?);
                let coded = operator.coded(&mut slice.tally.symbols)?;
                let direction = direction(fields.byte()?);
                let commit = fields.commit()?;
                let fix = commit.fix;
                let commit = slice.commit(&commit)?;
                let kinds = fields.kinds()?;
                let row = fields.around(&mut slice.tally.symbols, 0, commit)?;
                let known = operators.see(coded, &row, fix, &kinds, direction);
                let funnel = funnels.entry(direction).or_default();
                funnel.reject(Filter::Duplicate, u64::from(known));
                Ok(())
            })?;
            found.remove(part)?;
            let lens = Lens::new(&slice.tally, self.def, &[]);
            let limits = &self.options.limits;
            all.extend(operators.into_list(&slice.tally, &lens.late(limits).general, limits));
        }
        Ok(all)
    }

    /// The shifts without repetitions of the same change, and how many those are.
    fn first_shifts(&self, shifts: &Parts) -> io::Result<(Parts, u64)> {
        let mut writer = self.writer("shifted")?;
        let (mut record, mut names) = (Record::default(), Record::default());
        let mut seen = 0;
        for part in 0..PARTS {
            let mut slice = self.slice();
            let mut rows = Vec::new();
            shifts.each(part, |fields| {
                rows.push(slice.read_shift(fields)?);
                Ok(())
            })?;
            shifts.remove(part)?;
            let tally = &slice.tally;
            let first = first_seen(tally, &rows, |row| (row.key, row.commit));
            seen += first.len() as u64;
            for row in first {
                names.clear();
                names.symbol(&tally.symbols, row.before);
                names.symbol(&tally.symbols, row.after);
                record.clear();
                record.shift(tally, tally.commits[row.commit as usize].repo, row);
                writer.write(xxh3_64(&names.0), &record.0)?;
            }
        }
        Ok((writer.finish()?, seen))
    }

    /// Adds up what was found of each shift.
    fn shifts(&self, shifted: &Parts) -> io::Result<Vec<Shift>> {
        let mut all = Vec::new();
        for part in 0..PARTS {
            let mut slice = self.slice();
            let mut shifts = Shifts::default();
            shifted.each(part, |fields| {
                let row = slice.read_shift(fields)?;
                shifts.see(&slice.tally, &row);
                Ok(())
            })?;
            shifted.remove(part)?;
            all.extend(shifts.into_list(&slice.tally, &self.options.limits));
        }
        Ok(all)
    }
}

/// A direction as records have it.
pub fn direction(forward: u8) -> Direction {
    if forward == 0 { Direction::Backward } else { Direction::Forward }
}
