//! Kinds of edits that repair programs, each a row.

/// A kind of edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    Text,
    Comparison,
    Logic,
    Uniform,
    Everywhere,
    Constant,
    Operator,
    Variable,
    Negation,
    Conjunct,
    Argument,
    Call,
    Wrap,
    Condition,
    Otherwise,
    Guard,
    Insert,
    Replace,
    Delete,
}

/// What is known of a family.
pub struct FamilyRow {
    pub family: Family,
    /// As users write it.
    pub name: &'static str,
    /// What it does, for a list.
    pub says: &'static str,
    /// How unlikely such an edit is to be the right one: less is better.
    pub cost: f64,
}

const fn row(family: Family, name: &'static str, cost: f64, says: &'static str) -> FamilyRow {
    FamilyRow { family, name, says, cost }
}

/// All families, in the order of their names in help texts.
pub const FAMILIES: [FamilyRow; 19] = [
    row(Family::Text, "text", 0.5, "change a string to what the tests expect"),
    row(Family::Comparison, "comparison", 1.0, "replace a comparison: `<` by `<=`"),
    row(Family::Logic, "logic", 1.5, "exchange `&&` and `||`"),
    row(
        Family::Uniform,
        "uniform",
        0.7,
        "make all comparisons of a condition or function strict, or not strict",
    ),
    row(Family::Everywhere, "everywhere", 1.9, "replace an operator everywhere in a condition or function"),
    row(Family::Constant, "constant", 1.6, "replace a number or character, or add or subtract 1"),
    row(Family::Operator, "operator", 1.5, "replace an arithmetic operator or an assignment"),
    row(Family::Variable, "variable", 1.8, "use another variable in scope"),
    row(Family::Negation, "negation", 2.0, "negate a condition or a returned value"),
    row(
        Family::Conjunct,
        "conjunct",
        2.2,
        "delete a part of a condition, or check first whether a value exists",
    ),
    row(Family::Argument, "argument", 2.0, "swap two arguments"),
    row(Family::Call, "call", 2.4, "remove a call around its argument"),
    row(Family::Wrap, "wrap", 2.2, "use the absolute value of a number"),
    row(
        Family::Condition,
        "condition",
        2.6,
        "replace or extend a condition with one of variables and constants",
    ),
    row(Family::Otherwise, "else", 2.6, "add the missing `else`"),
    row(Family::Guard, "guard", 2.8, "execute a statement only under a condition"),
    row(Family::Insert, "insert", 3.0, "insert a statement of the same function"),
    row(Family::Replace, "replace", 3.6, "replace a statement by another one of the same function"),
    row(Family::Delete, "delete", 3.4, "delete a statement"),
];

impl Family {
    /// What is known of it.
    pub fn row(self) -> &'static FamilyRow {
        FAMILIES.iter().find(|row| row.family == self).unwrap_or(&FAMILIES[0])
    }

    /// As users write it.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The family of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        FAMILIES.iter().find(|row| row.name == name).map(|row| row.family)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_has_one_row_and_one_name() {
        for row in &FAMILIES {
            assert_eq!(Family::of_name(row.name), Some(row.family));
            assert_eq!(row.family.row().name, row.name);
        }
    }
}
