//! Which tests are run once more without any mutant, so that one that fails anyway does not kill for long.
//!
//! A test is checked at its first kill, its second, its fourth, and so on: one that fails now and then is found
//! soon if it kills much, and a reliable one costs little.

use roaring::RoaringBitmap;

use crate::matrix::Outcome;

/// How often each test killed.
#[derive(Clone, Debug, Default)]
pub struct Rechecks {
    kills: Vec<u32>,
}

impl Rechecks {
    /// Takes the outcomes of a wave; gives the tests that are to be checked now, once for each check.
    pub fn due<'o>(
        &mut self,
        outcomes: impl Iterator<Item = &'o Outcome>,
        exempt: &RoaringBitmap,
    ) -> Vec<u32> {
        let before = self.kills.clone();
        for test in outcomes.flat_map(|outcome| (outcome.kills() - exempt).into_iter()) {
            let place = test as usize;
            if place >= self.kills.len() {
                self.kills.resize(place + 1, 0);
            }
            self.kills[place] += 1;
        }
        let checks = |kills: u32| u32::BITS - kills.leading_zeros();
        let mut due = Vec::new();
        for (test, kills) in (0u32..).zip(&self.kills) {
            let more = checks(*kills) - checks(before.get(test as usize).copied().unwrap_or(0));
            due.extend((0..more).map(|_| test));
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::Verdict;
    use crate::matrix::Fate;

    fn killed(tests: &[u32]) -> Outcome {
        let mut outcome = Outcome::new(Fate::Killed);
        tests.iter().for_each(|test| outcome.note(*test, Verdict::Fail));
        outcome
    }

    #[test]
    fn checks_are_due_whenever_the_kills_have_doubled() {
        let mut rechecks = Rechecks::default();
        let exempt = RoaringBitmap::from_iter([5]);
        let mut due = |outcomes: &[Outcome]| rechecks.due(outcomes.iter(), &exempt);
        assert_eq!(due(&[killed(&[0, 5])]), [0]);
        assert_eq!(due(&[killed(&[0]), killed(&[1])]), [0, 1]);
        assert_eq!(due(&[killed(&[0])]), [0u32; 0], "three kills, checked at two");
        assert_eq!(due(&vec![killed(&[2]); 7]), [2, 2, 2]);
        assert_eq!(due(&[killed(&[0])]), [0]);
    }
}
