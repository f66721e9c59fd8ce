//! Conditions made of two values: their numbers, what they give, and how they are written.
//!
//! The numbers are those of the runtimes: the comparison, then the pair of values, then how the original takes part.

use super::slot::SlotValue;

const OPERATORS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];

/// How the original condition takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// Not at all.
    Instead,
    /// Both must hold.
    And,
    /// One must hold.
    Or,
}

/// A condition made of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    pub form: Form,
    pub left: usize,
    pub right: usize,
    pub operator: usize,
}

/// All comparisons of some values, with their numbers, but those of two constants. `joined`: also joined with the
/// original.
pub fn comparisons(values: &[SlotValue], joined: bool) -> impl Iterator<Item = (u32, Comparison)> + '_ {
    let forms = if joined { 3 } else { 1 };
    let count = forms * 6 * pairs(values.len());
    let constant = |at: usize| values[at].constant;
    (0..count).filter_map(move |number| {
        let found = Comparison::of_number(number, values.len());
        (!constant(found.left) || !constant(found.right)).then_some((number as u32 + 1, found))
    })
}

fn pairs(values: usize) -> usize {
    values * values.saturating_sub(1) / 2
}

impl Comparison {
    /// The comparison of a number that [`comparisons`] gave.
    pub fn numbered(number: u32, values: usize) -> Self {
        Self::of_number(number as usize - 1, values)
    }

    fn of_number(number: usize, values: usize) -> Self {
        let (operator, rest) = (number % 6, number / 6);
        let (mut pair, mut left) = (rest % pairs(values), 0);
        while pair >= values - 1 - left {
            pair -= values - 1 - left;
            left += 1;
        }
        let form = [Form::Instead, Form::And, Form::Or][rest / pairs(values)];
        Self { form, left, right: left + 1 + pair, operator }
    }

    /// What it gives, as the runtimes work it out.
    pub fn gives(&self, original: bool, values: &[f64]) -> bool {
        let (a, b) = (values[self.left], values[self.right]);
        if a.is_nan() || b.is_nan() {
            return original;
        }
        let holds = match self.operator {
            0 => a < b,
            1 => a <= b,
            2 => a > b,
            3 => a >= b,
            4 => a == b,
            _ => a != b,
        };
        match self.form {
            Form::Instead => holds,
            Form::And => original && holds,
            Form::Or => original || holds,
        }
    }

    /// How the comparison itself is written.
    pub fn text(&self, values: &[SlotValue]) -> String {
        format!("{} {} {}", values[self.left].text, OPERATORS[self.operator], values[self.right].text)
    }

    /// How far it is from a habit: equality of what is seldom equal, and constants before variables.
    pub fn oddness(&self, values: &[SlotValue]) -> f64 {
        let backward = if values[self.left].constant { 0.3 } else { 0.0 };
        let added = if self.form == Form::Instead { 0.0 } else { 0.2 };
        backward + added + if self.operator >= 4 { 0.1 } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values() -> Vec<SlotValue> {
        let value = |text: &str, constant| SlotValue { text: text.into(), constant };
        vec![value("a", false), value("b", false), value("0", true), value("1", true)]
    }

    #[test]
    fn every_comparison_but_those_of_constants_has_a_number() {
        let values = values();
        let all: Vec<(u32, Comparison)> = comparisons(&values, true).collect();
        assert_eq!(all.len(), 3 * 6 * 5);
        assert_eq!(all[0].1.text(&values), "a < b");
        assert_eq!(all[6].1.text(&values), "a < 0");
        assert_eq!((all.last().unwrap().0, all.last().unwrap().1.form), (3 * 6 * 6 - 6, Form::Or));
    }

    #[test]
    fn what_is_no_number_changes_nothing() {
        let both = Comparison { form: Form::Instead, left: 0, right: 1, operator: 0 };
        assert!(both.gives(true, &[f64::NAN, 1.0]) && !both.gives(false, &[f64::NAN, 1.0]));
        assert!(both.gives(false, &[0.0, 1.0]));
        assert!(!Comparison { form: Form::And, ..both }.gives(false, &[0.0, 1.0]));
    }
}
