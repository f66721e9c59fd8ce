//! The table of rules, and sets of them.

use super::super::structure::Marks;
use super::judge::Judge;

/// A rule, by its place in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rule(pub u8);

/// Some rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules(u32);

impl Rules {
    pub const NONE: Self = Self(0);

    pub fn of(rules: impl IntoIterator<Item = Rule>) -> Self {
        Self(rules.into_iter().fold(0, |all, rule| all | 1 << rule.0))
    }

    pub fn has(self, rule: Rule) -> bool {
        self.0 >> rule.0 & 1 == 1
    }

    pub fn insert(&mut self, rule: Rule) {
        self.0 |= 1 << rule.0;
    }

    pub fn remove(&mut self, rule: Rule) {
        self.0 &= !(1 << rule.0);
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn iter(self) -> impl Iterator<Item = Rule> {
        (0..32).map(Rule).filter(move |rule| self.has(*rule))
    }
}

type Test = fn(&Judge) -> bool;

/// A row of the table: name, what it refuses, and whether an edit breaks it.
pub struct RuleRow {
    pub name: &'static str,
    pub says: &'static str,
    pub(super) test: Option<Test>,
}

impl RuleRow {
    /// Whether it is about the edit, not about the operator that makes it.
    pub fn judges_edits(&self) -> bool {
        self.test.is_some()
    }
}

macro_rules! rules {
    ($($constant:ident $name:literal $says:literal $test:expr;)*) => {
        /// All rules, in the order in which they are asked.
        pub const RULES: &[RuleRow] = &[$(RuleRow { name: $name, says: $says, test: $test },)*];
        rules!(@number 0u8; $($constant)*);
    };
    (@number $n:expr; $first:ident $($rest:ident)*) => {
        impl Rule { pub const $first: Rule = Rule($n); }
        rules!(@number $n + 1; $($rest)*);
    };
    (@number $n:expr;) => {};
}

rules! {
    NEIGHBOURS "neighbours" "between neighbours that the operator was never seen with in the wild" None;
    FIELD "field" "by an operator that mostly did not compile where it was tried" None;
    INERT "inert" "in imports, attributes, type arguments, and types that do not exist at run time" Some(|judge| judge.touches(Marks::IMPORT.with(Marks::ATTRIBUTE).with(Marks::ANGLE).with(Marks::ARGUMENT)));
    DIRECTIVE "directive" "in a preprocessor line, by an operator that was not mined from one" None;
    OUTSIDE "outside" "outside of functions, except in initialisers" Some(|judge| judge.is_outside());
    DECLARATION "declaration" "in a declaration, except in its initialiser" Some(|judge| judge.breaks_declarations());
    STATEMENTS "statements" "splits or joins statements, or changes nothing" Some(|judge| judge.breaks_statements());
    ROWS "rows" "creates a sequence of four tokens that never occurs in the target" Some(|judge| judge.breaks_rows());
    NAMES "names" "uses a name that is not in scope, or in a way it is never used" Some(|judge| judge.breaks_names());
    ARITY "arity" "gives a call a number of arguments that it never has in the target" Some(|judge| judge.breaks_arity());
    TARGETS "targets" "assigns to something that is not a variable" Some(|judge| judge.breaks_targets());
    HOMES "homes" "places break, continue, case or else outside of a matching statement" Some(|judge| judge.breaks_homes());
    RETURNS "returns" "returns a value from a function without one, or no value from a function with one" Some(|judge| judge.breaks_returns());
    FLOW "flow" "leaves unreachable code, or a path without a return" Some(|judge| judge.breaks_flow());
    RESULTS "results" "uses the result of a call whose result is never used" Some(|judge| judge.breaks_results());
    ARMS "arms" "removes or adds an arm of a match or switch" Some(|judge| judge.breaks_arms());
    POINTERS "pointers" "uses a pointer like a number" Some(|judge| judge.breaks_pointers());
    SLOTS "slots" "puts a value where its type never occurs" Some(|judge| judge.breaks_slots());
    MEMBERS "members" "accesses a member that the value never has" Some(|judge| judge.breaks_members());
    UNDEFINED "undefined" "ends a function without returning its value" Some(|judge| judge.is_undefined());
    SAME "same" "is another way to write the same" Some(|judge| judge.changes_nothing());
    ITEMS "items" "deletes a declaration: a function, a prototype, a field, an interface" Some(|judge| judge.takes_declaration());
    VIABILITY "viability" "is unlikely to compile, according to the model of the language" None;
}

impl Rules {
    /// Every rule.
    pub fn all() -> Self {
        Self::of((0..RULES.len()).map(|place| Rule(place as u8)))
    }

    /// What is asked by default.
    pub fn sane() -> Self {
        let mut rules = Self::all();
        rules.remove(Rule::NEIGHBOURS);
        rules.remove(Rule::VIABILITY);
        rules
    }

    /// What is refused whatever a model says: it would change nothing, is undefined, or is no fault that tests could
    /// find, since the compiler does.
    pub fn hard() -> Self {
        Self::of([Rule::INERT, Rule::DIRECTIVE, Rule::HOMES, Rule::UNDEFINED, Rule::SAME, Rule::ITEMS])
    }

    /// What leaves the least that does not compile.
    pub fn strict() -> Self {
        let mut rules = Self::all();
        rules.remove(Rule::VIABILITY);
        rules
    }
}

impl Rule {
    /// Its row.
    pub fn row(self) -> &'static RuleRow {
        &RULES[self.0 as usize]
    }

    /// The rule of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        RULES.iter().position(|row| row.name == name).map(|place| Self(place as u8))
    }
}
