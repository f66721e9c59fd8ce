//! Merges tallies: in memory as long as they fit, then in files.

use std::io;

use crate::harvest::finish::FinishOptions;
use crate::harvest::finish::Harvest;
use crate::harvest::finish::finish;
use crate::harvest::tally::Tally;
use crate::langdef::LangDef;

use super::store::Spill;

/// Memory that finishing takes for each byte of a tally, the tally itself included and the set not; from
/// `cargo bench --bench throughput -- scale tallies 1000`.
const FINISHING: u64 = 3;

/// Tallies that are put together, one after the other, in about this much memory. What it gives does not depend on
/// that.
pub struct TallyMerge {
    most: u64,
    bytes_of_rows: u64,
    state: State,
}

enum State {
    Empty,
    Held(Box<Tally>),
    Spilled(Box<Spill>),
}

impl TallyMerge {
    /// Takes at most about this many bytes of memory before it writes temporary files.
    pub fn new(most: u64) -> Self {
        Self { most, bytes_of_rows: 0, state: State::Empty }
    }

    /// The first of the tallies, as far as its kind is concerned.
    pub fn known(&self) -> Option<&Tally> {
        match &self.state {
            State::Empty => None,
            State::Held(tally) => Some(tally),
            State::Spilled(spill) => Some(&spill.frame),
        }
    }

    /// Whether temporary files are used.
    pub fn is_spilled(&self) -> bool {
        matches!(self.state, State::Spilled(_))
    }

    /// Marks the result as broken off.
    pub fn mark_partial(&mut self) {
        match &mut self.state {
            State::Empty => {}
            State::Held(tally) => tally.mark_partial(),
            State::Spilled(spill) => spill.frame.mark_partial(),
        }
    }

    /// Adds a tally of the same language and options as those before.
    pub fn add(&mut self, tally: Tally) -> io::Result<()> {
        self.bytes_of_rows += tally.bytes_of_rows() as u64;
        self.state = match std::mem::replace(&mut self.state, State::Empty) {
            State::Empty => self.held(Box::new(tally))?,
            State::Held(mut known) => {
                known.merge(tally);
                self.held(known)?
            }
            State::Spilled(mut spill) => {
                spill.add(tally)?;
                State::Spilled(spill)
            }
        };
        Ok(())
    }

    fn held(&self, tally: Box<Tally>) -> io::Result<State> {
        let bytes = self.bytes_of_rows + tally.symbols.bytes() as u64;
        match bytes.saturating_mul(FINISHING) >= self.most {
            true => Ok(State::Spilled(Box::new(Spill::new(*tally)?))),
            false => Ok(State::Held(tally)),
        }
    }

    /// All of them as one tally; none if there are none, or if they are in files.
    pub fn into_tally(self) -> Option<Tally> {
        match self.state {
            State::Held(tally) => Some(*tally),
            State::Empty | State::Spilled(_) => None,
        }
    }

    /// The harvest of all of them; none if there are none.
    pub fn finish(self, def: &LangDef, options: &FinishOptions) -> io::Result<Option<Harvest>> {
        match self.state {
            State::Empty => Ok(None),
            State::Held(tally) => Ok(Some(finish(*tally, def, options))),
            State::Spilled(spill) => spill.finish(def, options).map(Some),
        }
    }
}
