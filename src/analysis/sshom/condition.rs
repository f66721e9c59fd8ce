//! Conditions over mutants as binary decision diagrams that share their nodes.
//!
//! In: conditions made of others. Out: handles. Two conditions are the same function exactly if their
//! handles are equal; variables are mutants, in the order of their numbers. The diagrams that other tools
//! computed are taken over node by node; the search only ever walks them, side by side with a family, which
//! no library offers without copying a diagram for each test.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use rustc_hash::FxHashSet;

/// A decision diagram would need more nodes than it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("more than {most} nodes in a decision diagram")]
pub struct TooLarge {
    pub most: usize,
}

/// A condition; belongs to the `Conditions` that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Condition(u32);

impl Condition {
    /// Holds for no combination.
    pub const NEVER: Self = Self(0);
    /// Holds for every combination.
    pub const ALWAYS: Self = Self(1);
}

/// What to ask first, and what then holds if that mutant is off, and if it is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Choice {
    /// The mutant; `u32::MAX` for the two conditions that ask nothing.
    pub mutant: u32,
    pub off: Condition,
    pub on: Condition,
}

/// Conditions, sharing what they have in common.
#[derive(Clone, Debug)]
pub struct Conditions {
    nodes: Vec<Choice>,
    known: FxHashMap<Choice, Condition>,
    chosen: FxHashMap<[Condition; 3], Condition>,
    most: usize,
}

impl Conditions {
    /// None yet; of at most this many nodes.
    pub fn new(most: usize) -> Self {
        let end = |value| Choice { mutant: u32::MAX, off: value, on: value };
        Self {
            nodes: vec![end(Condition::NEVER), end(Condition::ALWAYS)],
            known: FxHashMap::default(),
            chosen: FxHashMap::default(),
            most: most.min(u32::MAX as usize - 1),
        }
    }

    /// What a condition asks first.
    pub fn choice(&self, condition: Condition) -> Choice {
        self.nodes[condition.0 as usize]
    }

    /// Nodes of all conditions together.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// `on` if the mutant is on, `off` if not.
    pub fn ask(&mut self, mutant: u32, off: Condition, on: Condition) -> Result<Condition, TooLarge> {
        let above = |condition| mutant < self.choice(condition).mutant;
        if above(off) && above(on) {
            return self.node(Choice { mutant, off, on });
        }
        let literal = self.node(Choice { mutant, off: Condition::NEVER, on: Condition::ALWAYS })?;
        self.choose(literal, on, off)
    }

    fn node(&mut self, choice: Choice) -> Result<Condition, TooLarge> {
        if choice.off == choice.on {
            return Ok(choice.off);
        }
        if let Some(known) = self.known.get(&choice) {
            return Ok(*known);
        }
        if self.nodes.len() >= self.most {
            return Err(TooLarge { most: self.most });
        }
        let made = Condition(self.nodes.len() as u32);
        self.nodes.push(choice);
        self.known.insert(choice, made);
        Ok(made)
    }

    /// `then` where `test` holds, `otherwise` elsewhere.
    pub fn choose(
        &mut self,
        test: Condition,
        then: Condition,
        otherwise: Condition,
    ) -> Result<Condition, TooLarge> {
        match (test, then, otherwise) {
            (Condition::ALWAYS, ..) => return Ok(then),
            (Condition::NEVER, ..) => return Ok(otherwise),
            _ if then == otherwise => return Ok(then),
            (_, Condition::ALWAYS, Condition::NEVER) => return Ok(test),
            _ => {}
        }
        let key = [test, then, otherwise];
        if let Some(known) = self.chosen.get(&key) {
            return Ok(*known);
        }
        let mutant = key.map(|part| self.choice(part).mutant).into_iter().min().expect("there are three");
        let [off, on] = [false, true].map(|value| key.map(|part| self.given(part, mutant, value)));
        let off = self.choose(off[0], off[1], off[2])?;
        let on = self.choose(on[0], on[1], on[2])?;
        let made = self.node(Choice { mutant, off, on })?;
        self.chosen.insert(key, made);
        Ok(made)
    }

    /// What is left of a condition that asks nothing before this mutant once that is known.
    fn given(&self, condition: Condition, mutant: u32, on: bool) -> Condition {
        let choice = self.choice(condition);
        match choice.mutant == mutant {
            true if on => choice.on,
            true => choice.off,
            false => condition,
        }
    }

    /// Both hold.
    pub fn and(&mut self, first: Condition, second: Condition) -> Result<Condition, TooLarge> {
        self.choose(first, second, Condition::NEVER)
    }

    /// Either holds.
    pub fn or(&mut self, first: Condition, second: Condition) -> Result<Condition, TooLarge> {
        self.choose(first, Condition::ALWAYS, second)
    }

    /// It does not hold.
    pub fn not(&mut self, condition: Condition) -> Result<Condition, TooLarge> {
        self.choose(condition, Condition::NEVER, Condition::ALWAYS)
    }

    /// It holds with this variable on or off.
    pub fn some(&mut self, condition: Condition, mutant: u32) -> Result<Condition, TooLarge> {
        let mut memo = FxHashMap::default();
        self.some_below(condition, mutant, &mut memo)
    }

    fn some_below(
        &mut self,
        condition: Condition,
        mutant: u32,
        memo: &mut FxHashMap<Condition, Condition>,
    ) -> Result<Condition, TooLarge> {
        let choice = self.choice(condition);
        if choice.mutant > mutant {
            return Ok(condition);
        }
        if choice.mutant == mutant {
            return self.or(choice.off, choice.on);
        }
        if let Some(known) = memo.get(&condition) {
            return Ok(*known);
        }
        let off = self.some_below(choice.off, mutant, memo)?;
        let on = self.some_below(choice.on, mutant, memo)?;
        let made = self.node(Choice { off, on, ..choice })?;
        memo.insert(condition, made);
        Ok(made)
    }

    /// Whether it holds with these mutants on (in ascending order) and all others off.
    pub fn holds(&self, mut condition: Condition, on: &[u32]) -> bool {
        let mut on = on.iter().copied().peekable();
        while condition > Condition::ALWAYS {
            let choice = self.choice(condition);
            while on.next_if(|mutant| *mutant < choice.mutant).is_some() {}
            condition = if on.peek() == Some(&choice.mutant) { choice.on } else { choice.off };
        }
        condition == Condition::ALWAYS
    }

    /// The mutants that make it hold, each alone. For a condition that does not hold with none on.
    pub fn alone(&self, condition: Condition, mutants: usize) -> FixedBitSet {
        let mut found = FixedBitSet::with_capacity(mutants);
        let mut rest = condition;
        // A mutant that is not asked about while all others are off changes nothing.
        while rest > Condition::ALWAYS {
            let choice = self.choice(rest);
            if (choice.mutant as usize) < mutants && self.holds(choice.on, &[]) {
                found.insert(choice.mutant as usize);
            }
            rest = choice.off;
        }
        found
    }

    /// The variables that a condition asks about.
    pub fn support(&self, condition: Condition) -> FxHashSet<u32> {
        let (mut support, mut seen, mut open) = (FxHashSet::default(), FxHashSet::default(), vec![condition]);
        while let Some(next) = open.pop() {
            if next > Condition::ALWAYS && seen.insert(next) {
                let choice = self.choice(next);
                support.insert(choice.mutant);
                open.extend([choice.off, choice.on]);
            }
        }
        support
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEVER: Condition = Condition::NEVER;
    const ALWAYS: Condition = Condition::ALWAYS;

    #[test]
    fn the_same_function_is_the_same_handle_whatever_was_asked_first() {
        let mut all = Conditions::new(100);
        let [a, b] = [0, 1].map(|mutant| all.ask(mutant, NEVER, ALWAYS).unwrap());
        let both = all.and(a, b).unwrap();
        assert_eq!(all.and(b, a), Ok(both));
        assert_eq!(all.ask(1, NEVER, a), Ok(both));
        let (left, right) = (all.not(a).unwrap(), all.not(b).unwrap());
        let neither = all.or(left, right).unwrap();
        assert_eq!(all.not(neither), Ok(both));
        assert_eq!((all.some(both, 0), all.some(both, 1)), (Ok(b), Ok(a)));
    }

    #[test]
    fn a_condition_holds_for_what_it_says() {
        let mut all = Conditions::new(100);
        let [a, c] = [0, 2].map(|mutant| all.ask(mutant, NEVER, ALWAYS).unwrap());
        let differ = {
            let not_c = all.not(c).unwrap();
            all.choose(a, not_c, c).unwrap()
        };
        let held: Vec<bool> =
            [&[][..], &[0], &[1], &[2], &[0, 1], &[0, 2], &[1, 2]].map(|on| all.holds(differ, on)).to_vec();
        assert_eq!(held, [false, true, false, true, true, false, true]);
        assert_eq!(all.alone(differ, 3).ones().collect::<Vec<_>>(), [0, 2]);
        assert_eq!(all.support(differ), FxHashSet::from_iter([0, 2]));
    }

    #[test]
    fn a_diagram_never_grows_beyond_its_limit() {
        let mut all = Conditions::new(3);
        let a = all.ask(0, NEVER, ALWAYS).unwrap();
        assert_eq!(all.not(a), Err(TooLarge { most: 3 }));
    }
}
