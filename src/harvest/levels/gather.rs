//! From rows to operators at all levels, in two passes: which are seen widely enough, then what is known of those.

use std::hash::Hash;
use std::hash::Hasher;

use rustc_hash::FxHashMap;
use rustc_hash::FxHashSet;
use rustc_hash::FxHasher;

use crate::operator::Direction;
use crate::operator::Filter;
use crate::operator::Funnel;
use crate::operator::Operator;

use super::super::found::Harvested;
use super::super::generalize::Coded;
use super::super::generalize::Directed;
use super::super::symbols::Symbol;
use super::super::tally::Tally;
use super::super::tally::TallyRow;
use super::ladder::Core;
use super::ladder::Ladder;
use super::ladder::Levels;

/// The same name for the same other one, so often in a commit, is a renaming.
const RENAMED: u32 = 3;
/// A commit with more changes is no fix of one thing, whatever its message says.
const MOST_CHANGES_OF_A_FIX: u32 = 12;

/// What the first pass counts of an operator.
#[derive(Clone, Copy, Default)]
struct Widely {
    count: u32,
    fixes: u32,
    /// Repositories seen so far, and the last of them: rows come repository by repository.
    repos: u32,
    last: u32,
}

/// Gathers the operators of rows at all levels.
pub struct Gatherer<'a> {
    tally: &'a Tally,
    ladder: Ladder<'a>,
    direction: Direction,
    /// The changes of each commit.
    changes: FxHashMap<u32, u32>,
    /// Names that became other names: commit, before, after.
    renamed: FxHashMap<(u32, Symbol, Symbol), u32>,
    /// What went, and what came, in a commit.
    gone: FxHashSet<(u32, u64)>,
    come: FxHashSet<(u32, u64)>,
}

impl<'a> Gatherer<'a> {
    pub fn new(tally: &'a Tally, ladder: Ladder<'a>, direction: Direction) -> Self {
        Self {
            tally,
            ladder,
            direction,
            changes: FxHashMap::default(),
            renamed: FxHashMap::default(),
            gone: FxHashSet::default(),
            come: FxHashSet::default(),
        }
    }

    /// The operators of some rows; what is left out is counted in the funnel.
    pub fn gather(mut self, rows: &[&TallyRow], funnel: &mut Funnel) -> Vec<Operator> {
        let mut rows: Vec<&TallyRow> = rows.to_vec();
        rows.sort_by_key(|row| (self.tally.commits[row.commit as usize].repo, row.key));
        self.see_commits(&rows);
        let widely = self.count(&rows, funnel);
        self.find(&rows, &widely)
    }

    /// Looks at commits as a whole: all rows of each are among these.
    pub fn see_commits(&mut self, rows: &[&TallyRow]) {
        rows.iter().for_each(|row| self.see_commit(row));
    }

    /// Hands out the levels of each row, and whether it counts as a fix. What is left out is counted in the funnel.
    pub fn each<'r>(
        &self,
        rows: &[&'r TallyRow],
        funnel: &mut Funnel,
        mut take: impl FnMut(&'r TallyRow, Levels, bool),
    ) {
        for row in rows {
            match self.levels(row) {
                Ok(levels) => take(row, levels, self.is_fix(row)),
                Err(filter) => funnel.reject(filter, 1),
            }
        }
    }

    /// What a row says of its commit as a whole.
    fn see_commit(&mut self, row: &TallyRow) {
        *self.changes.entry(row.commit).or_default() += 1;
        let (before, after) = row.tokens.split_at(row.before as usize);
        let core = Core::new(Directed { pattern: after, template: before }, row, self.ladder.classes);
        if let ([after], [before]) = (core.find, core.put) {
            *self.renamed.entry((row.commit, *before, *after)).or_default() += 1;
        }
        match (core.find.len(), core.put.len()) {
            (2.., 0) => self.come.insert((row.commit, hash(core.find))),
            (0, 2..) => self.gone.insert((row.commit, hash(core.put))),
            _ => false,
        };
    }

    /// The levels of a row, or what rejects it.
    fn levels(&self, row: &TallyRow) -> Result<Levels, Filter> {
        let (before, after) = row.tokens.split_at(row.before as usize);
        let directed = match self.direction {
            Direction::Forward => Directed { pattern: before, template: after },
            _ => Directed { pattern: after, template: before },
        };
        let core = Core::new(directed, row, self.ladder.classes);
        let changed = || core.find.iter().chain(core.put);
        if changed().next().is_some() && changed().all(|symbol| self.ladder.classes.is_modifier(*symbol)) {
            return Err(Filter::Modifier);
        }
        if let ([find], [put]) = (core.find, core.put) {
            let key = match self.direction {
                Direction::Forward => (row.commit, *find, *put),
                _ => (row.commit, *put, *find),
            };
            if self.renamed.get(&key).is_some_and(|times| *times >= RENAMED) {
                return Err(Filter::Rename);
            }
        }
        let moved = |side: &[Symbol]| {
            let key = (row.commit, hash(side));
            side.len() > 1 && self.come.contains(&key) && self.gone.contains(&key)
        };
        if (core.put.is_empty() && moved(core.find)) || (core.find.is_empty() && moved(core.put)) {
            return Err(Filter::Moved);
        }
        self.ladder.levels(&core)
    }

    fn is_fix(&self, row: &TallyRow) -> bool {
        self.tally.commits[row.commit as usize].fix && self.changes[&row.commit] <= MOST_CHANGES_OF_A_FIX
    }

    /// The first pass: how widely each operator is seen.
    fn count(&self, rows: &[&TallyRow], funnel: &mut Funnel) -> FxHashMap<u64, Widely> {
        let mut widely: FxHashMap<u64, Widely> = FxHashMap::default();
        let mut duplicates = 0;
        self.each(rows, funnel, |row, levels, fix| {
            let repo = self.tally.commits[row.commit as usize].repo + 1;
            let fix = u32::from(fix);
            let mut new = false;
            for (coded, _) in &levels {
                let seen = widely.entry(hash(coded)).or_default();
                new |= seen.count == 0;
                seen.count += 1;
                seen.fixes += fix;
                seen.repos += u32::from(seen.last != repo);
                seen.last = repo;
            }
            duplicates += u64::from(!new);
        });
        funnel.reject(Filter::Duplicate, duplicates);
        widely
    }

    /// The second pass: what is known of those that are seen widely enough.
    fn find(&self, rows: &[&TallyRow], widely: &FxHashMap<u64, Widely>) -> Vec<Operator> {
        let limits = self.ladder.limits;
        let enough = |coded: &Coded| {
            let seen = widely[&hash(coded)];
            u64::from(seen.count) >= limits.min_count
                && u64::from(seen.fixes) >= limits.min_fixes
                && seen.repos as usize >= limits.min_repos
        };
        let mut found: FxHashMap<Coded, Harvested> = FxHashMap::default();
        for row in rows {
            let Ok(levels) = self.levels(row) else { continue };
            for (coded, kinds) in levels.into_iter().filter(|(coded, _)| enough(coded)) {
                let seen = found.entry(coded).or_default();
                seen.see(row.commit, self.is_fix(row));
                seen.see_binds(kinds.into_iter());
                seen.forward += u64::from(self.direction == Direction::Forward);
            }
        }
        let general = &self.ladder.general;
        found.into_iter().map(|(coded, seen)| seen.operator(&coded, self.tally, general)).collect()
    }
}

fn hash<T: Hash + ?Sized>(thing: &T) -> u64 {
    let mut hasher = FxHasher::default();
    thing.hash(&mut hasher);
    hasher.finish()
}
