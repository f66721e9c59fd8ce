//! What can be executed, by number, and what a run executed of it.

use roaring::RoaringBitmap;

/// A function of the program that is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedFunction {
    pub name: String,
    pub file: String,
    pub first: u32,
    pub last: u32,
}

/// Functions, and what they consist of.
#[derive(Clone, Debug, Default)]
pub struct Elements {
    pub functions: Vec<TracedFunction>,
    /// Per arc, its function. Where only lines are known, an arc is a line.
    pub arcs: Vec<u32>,
    /// Per line, its function and its number in the file.
    pub lines: Vec<(u32, u32)>,
}

/// What a run executed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    pub arcs: RoaringBitmap,
    pub lines: RoaringBitmap,
}

impl Trace {
    /// How different two runs are: the Jaccard distance of the lines that they executed (definition 4 of DiWi).
    pub fn distance(&self, other: &Self) -> f64 {
        jaccard(&self.lines, &other.lines)
    }

    /// The same, of arcs: finer, since two runs may execute the same lines in other orders.
    pub fn arc_distance(&self, other: &Self) -> f64 {
        jaccard(&self.arcs, &other.arcs)
    }
}

fn jaccard(one: &RoaringBitmap, other: &RoaringBitmap) -> f64 {
    let all = one.union_len(other);
    if all == 0 { 0.0 } else { 1.0 - one.intersection_len(other) as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_is_that_of_the_executed_lines() {
        let trace = |lines: &[u32]| Trace { lines: lines.iter().collect(), ..Trace::default() };
        assert_eq!(trace(&[1, 2, 3]).distance(&trace(&[2, 3, 4])), 0.5);
        assert_eq!(trace(&[1]).distance(&trace(&[1])), 0.0);
        assert_eq!(trace(&[]).distance(&trace(&[])), 0.0);
        assert_eq!(trace(&[1]).distance(&trace(&[2])), 1.0);
    }
}
