//! From files of rows to operators, where one change is read at several levels.

use std::collections::BTreeMap;
use std::io;

use rustc_hash::FxHashMap;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use xxhash_rust::xxh3::xxh3_64;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::harvest::finish::Funnels;
use crate::harvest::finish::Lens;
use crate::harvest::finish::first_seen;
use crate::harvest::found::Harvested;
use crate::harvest::generalize::Coded;
use crate::harvest::levels::Gatherer;
use crate::harvest::tally::TallyRow;
use crate::operator::Direction;
use crate::operator::Filter;
use crate::operator::Funnel;
use crate::operator::Operator;

use super::PARTS;
use super::codec::Fields;
use super::codec::Record;
use super::parts::PartWriter;
use super::parts::Parts;
use super::slice::Slice;
use super::work::Work;
use super::work::direction;

/// An operator in a direction: those of the two directions are counted apart.
type Level = (Direction, u64);

/// How widely an operator is seen.
#[derive(Default)]
struct Seen {
    count: u64,
    fixes: u64,
    /// Different repositories, no more than are asked for.
    repos: SmallVec<[u32; 4]>,
    /// Repository and key of the first row that shows it.
    first: Option<(u32, u64)>,
}

/// The work at all levels.
pub struct Leveled<'a> {
    pub work: &'a Work<'a>,
    pub idioms: &'a [Vec<u8>],
}

impl Leveled<'_> {
    pub fn operators(&self, rows: &Parts, funnels: &mut Funnels) -> io::Result<Vec<Operator>> {
        let by_commit = self.by_commit(rows, funnels)?;
        let mut shown: BTreeMap<Direction, u64> = BTreeMap::new();
        let found = self.levels(&by_commit, funnels, &mut shown)?;
        let mut firsts = self.work.writer("firsts")?;
        let mut all = Vec::new();
        for part in 0..PARTS {
            all.extend(self.found(&found, part, &mut firsts)?);
            found.remove(part)?;
        }
        let firsts = firsts.finish()?;
        for (direction, rows) in shown {
            let new = self.distinct(&firsts, direction)?;
            funnels.entry(direction).or_default().reject(Filter::Duplicate, rows - new);
        }
        Ok(all)
    }

    /// Rows without repetitions of the same change, those of a commit together.
    fn by_commit(&self, rows: &Parts, funnels: &mut Funnels) -> io::Result<Parts> {
        let mut writer = self.work.writer("commits")?;
        let mut record = Record::default();
        for part in 0..PARTS {
            let slice = self.work.rows_of(rows, part)?;
            let tally = &slice.tally;
            let first = first_seen(tally, &tally.rows, |row| (row.key, row.commit));
            let again = (tally.rows.len() - first.len()) as u64;
            funnels.values_mut().for_each(|funnel| funnel.reject(Filter::SeenAgain, again));
            for row in first {
                let commit = &tally.commits[row.commit as usize];
                record.clear();
                record.row(tally, commit.repo, row);
                writer.write(xxh3_64_with_seed(commit.id.as_bytes(), u64::from(commit.repo)), &record.0)?;
            }
        }
        writer.finish()
    }

    /// Rows to operators: one record for each level of each. Counts the rows that have some.
    fn levels(
        &self,
        rows: &Parts,
        funnels: &mut Funnels,
        shown: &mut BTreeMap<Direction, u64>,
    ) -> io::Result<Parts> {
        let mut writer = self.work.writer("found")?;
        for part in 0..PARTS {
            let slice = self.work.rows_of(rows, part)?;
            for (&direction, funnel) in &mut *funnels {
                *shown.entry(direction).or_default() +=
                    self.levels_of(&slice, direction, funnel, &mut writer)?;
            }
        }
        writer.finish()
    }

    fn levels_of(
        &self,
        slice: &Slice,
        direction: Direction,
        funnel: &mut Funnel,
        writer: &mut PartWriter,
    ) -> io::Result<u64> {
        let tally = &slice.tally;
        let lens = Lens::new(tally, self.work.def, self.idioms);
        let rows: Vec<&TallyRow> = tally.rows.iter().collect();
        let mut gatherer = Gatherer::new(tally, lens.ladder(&self.work.options.limits), direction);
        gatherer.see_commits(&rows);
        let (mut record, mut operator) = (Record::default(), Record::default());
        let (mut shown, mut result) = (0, Ok(()));
        gatherer.each(&rows, funnel, |row, levels, fix| {
            shown += 1;
            for (coded, kinds) in levels {
                operator.clear();
                operator.coded(&tally.symbols, &coded);
                let commit = &tally.commits[row.commit as usize];
                record.clear();
                record.bytes(&operator.0);
                record.byte(u8::from(direction == Direction::Forward));
                record.key(row.key);
                record.byte(u8::from(fix));
                record.commit(commit.repo, commit);
                record.kinds(&kinds);
                if result.is_ok() {
                    result = writer.write(xxh3_64(&operator.0), &record.0);
                }
            }
        });
        result.map(|()| shown)
    }

    /// The operators of a part: first how widely each is seen, then what is known of those that are seen widely enough.
    fn found(&self, found: &Parts, part: usize, firsts: &mut PartWriter) -> io::Result<Vec<Operator>> {
        let widely = self.count(found, part)?;
        let mut record = Record::default();
        for ((direction, _), seen) in &widely {
            let Some((_, key)) = seen.first else { continue };
            record.clear();
            record.byte(u8::from(*direction == Direction::Forward));
            record.key(key);
            firsts.write(key, &record.0)?;
        }
        let limits = &self.work.options.limits;
        let enough = |seen: &Seen| {
            seen.count >= limits.min_count
                && seen.fixes >= limits.min_fixes
                && seen.repos.len() >= limits.min_repos
        };
        let mut slice = self.work.slice();
        let mut operators: FxHashMap<(Direction, Coded), Harvested> = FxHashMap::default();
        found.each(part, |mut fields| {
            let operator = fields.bytes()?;
            let direction = direction(fields.byte()?);
            if !enough(&widely[&(direction, xxh3_64(operator))]) {
                return Ok(());
            }
            let (_, fix) = (fields.key()?, fields.byte()? != 0);
            let commit = slice.commit(&fields.commit()?)?;
            let coded = Fields(operator).coded(&mut slice.tally.symbols)?;
            let seen = operators.entry((direction, coded)).or_default();
            seen.see(commit, fix);
            seen.see_binds(fields.kinds()?.into_iter());
            seen.forward += u64::from(direction == Direction::Forward);
            Ok(())
        })?;
        let lens = Lens::new(&slice.tally, self.work.def, &[]);
        let general = &lens.ladder(limits).general;
        let operator = |((_, coded), seen): ((Direction, Coded), Harvested)| {
            seen.operator(&coded, &slice.tally, general)
        };
        Ok(operators.into_iter().map(operator).collect())
    }

    fn count(&self, found: &Parts, part: usize) -> io::Result<FxHashMap<Level, Seen>> {
        let least = self.work.options.limits.min_repos;
        let mut widely: FxHashMap<Level, Seen> = FxHashMap::default();
        found.each(part, |mut fields| {
            let operator = xxh3_64(fields.bytes()?);
            let direction = direction(fields.byte()?);
            let (key, fix) = (fields.key()?, fields.byte()? != 0);
            let repo = fields.commit()?.repo;
            let seen = widely.entry((direction, operator)).or_default();
            seen.count += 1;
            seen.fixes += u64::from(fix);
            if seen.repos.len() < least && !seen.repos.contains(&repo) {
                seen.repos.push(repo);
            }
            let row = (repo, key);
            seen.first = Some(seen.first.map_or(row, |first| first.min(row)));
            Ok(())
        })?;
        Ok(widely)
    }

    /// How many rows were the first to show some operator.
    fn distinct(&self, firsts: &Parts, wanted: Direction) -> io::Result<u64> {
        let mut count = 0;
        for part in 0..PARTS {
            let mut keys: FxHashSet<u64> = FxHashSet::default();
            firsts.each(part, |mut fields| {
                let (forward, key) = (fields.byte()?, fields.key()?);
                if direction(forward) == wanted {
                    keys.insert(key);
                }
                Ok(())
            })?;
            count += keys.len() as u64;
        }
        Ok(count)
    }
}
