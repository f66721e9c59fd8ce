//! Where inputs have distances, with names for their differences.

use crate::analysis::tame::Apart;
use crate::analysis::tame::BitSets;
use crate::analysis::tame::Distance;
use crate::analysis::tame::LineCounts;
use crate::analysis::tame::RepairAndReach;
use crate::analysis::tame::RepairVectors;
use crate::analysis::tame::Texts;
use crate::matrix::CoveredStatement;
use crate::matrix::MutantRow;

/// One of the ways to compare inputs.
pub enum Space {
    Repair(RepairVectors, Vec<MutantRow>),
    RepairReach(RepairAndReach, Vec<MutantRow>),
    Reach(BitSets, Vec<MutantRow>),
    Lines(BitSets, Vec<CoveredStatement>),
    Counts(LineCounts),
    Texts(Texts),
}

impl Space {
    fn distance(&self) -> &dyn Distance {
        match self {
            Self::Repair(vectors, _) => vectors,
            Self::RepairReach(both, _) => both,
            Self::Reach(sets, _) | Self::Lines(sets, _) => sets,
            Self::Counts(counts) => counts,
            Self::Texts(texts) => texts,
        }
    }

    /// What the numbers in [`Apart`] stand for.
    pub fn label(&self, number: u32) -> String {
        let at = number as usize;
        match self {
            Self::Repair(_, mutants) | Self::RepairReach(_, mutants) | Self::Reach(_, mutants) => {
                mutant_label(&mutants[at])
            }
            Self::Lines(_, statements) => statements[at].to_string(),
            Self::Counts(counts) => counts.coverage().statements[at].to_string(),
            Self::Texts(_) => String::new(),
        }
    }

    /// What is counted in [`Apart`].
    pub fn what(&self) -> &'static str {
        if matches!(self, Self::Repair(..) | Self::RepairReach(..) | Self::Reach(..)) {
            "mutant"
        } else {
            "statement"
        }
    }

    /// Whether nothing is known of an input, so that its distances mean nothing.
    pub fn is_blank(&self, input: usize) -> bool {
        match self {
            Self::Repair(vectors, _) => vectors.sets.size(input) == 0,
            Self::RepairReach(both, _) => both.is_blank(input),
            Self::Reach(sets, _) | Self::Lines(sets, _) => sets.size(input) == 0,
            Self::Counts(counts) => counts.coverage().tests[input].statements.is_empty(),
            Self::Texts(texts) => texts.0[input].is_empty(),
        }
    }

    /// What is the matter with inputs of which nothing is known.
    pub fn blank(&self) -> &'static str {
        match self {
            Self::Repair(..) => "no mutant repairs",
            Self::Reach(..) | Self::RepairReach(..) => "no mutant is reached by",
            Self::Lines(..) | Self::Counts(_) => "nothing is run by",
            Self::Texts(_) => "nothing is in",
        }
    }
}

fn mutant_label(row: &MutantRow) -> String {
    let place = match row.line {
        0 => row.file.clone(),
        line => format!("{}:{line}", row.file),
    };
    match row.before == row.after {
        true => format!("{} {place}", row.id),
        false => format!("{} {place} {} → {}", row.id, row.before.trim(), row.after.trim()),
    }
}

impl Distance for Space {
    fn inputs(&self) -> usize {
        self.distance().inputs()
    }

    fn between(&self, first: usize, second: usize) -> f64 {
        self.distance().between(first, second)
    }

    fn row(&self, from: usize, to: &[usize]) -> Vec<f64> {
        self.distance().row(from, to)
    }

    fn apart(&self, first: usize, second: usize) -> Option<Apart> {
        self.distance().apart(first, second)
    }
}
