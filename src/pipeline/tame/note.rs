//! What is known of inputs, and of those that are left out.

/// Something to know about where inputs come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputNote {
    /// The outcome of the mutants.
    Mutants {
        mutants: usize,
        /// Repair an input and break no passing test.
        repairing: usize,
        /// Repair an input and break a passing test.
        breaking: usize,
        repair_nothing: usize,
        not_run: usize,
    },
    /// Passing tests with changing results: mutants may break them.
    FlakyPassing(usize),
    /// Pairs of an input and a mutant that it reaches that were not run.
    UnknownPairs(u64),
    /// Statements that inputs run.
    Statements(usize),
    /// The size of all inputs.
    Bytes(usize),
}

/// Inputs that should have been ranked and are not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeftOutInputs {
    /// Failing tests with changing results.
    Flaky(usize),
    /// Inputs of which the truth names no bug.
    NotInTruth { inputs: usize, first: String },
    /// Failing tests of which no coverage is known.
    Uncovered { inputs: usize, first: String },
}
