//! Where a point is, and what stands there.

use std::ops::Range;

use crate::insert::Grouped;
use crate::insert::TextEdit;

/// A point of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointPlace {
    /// The file's place in the target.
    pub source: usize,
    /// The bytes of both operands there.
    pub left: Range<usize>,
    pub right: Range<usize>,
    /// The operator's first byte.
    pub start: usize,
    pub grouped: Grouped,
    /// How tightly each of the operators binds.
    pub levels: Vec<usize>,
    /// The file's path inside of the project.
    pub file: String,
    /// From 1.
    pub line: u32,
    pub column: u32,
    /// The name of the function that it is in; empty if it has none.
    pub function: String,
    /// The kind of its operators.
    pub kind: String,
    /// The operators that can stand there.
    pub operators: Vec<String>,
    /// The place of the original among them.
    pub original: usize,
}

impl PointPlace {
    /// The operator of an alternative: 0 is the original, then the others in their order.
    pub fn operator(&self, alternative: u32) -> &str {
        &self.operators[self.bit(alternative) as usize]
    }

    /// What an alternative does to the file, in order. Operators that bind otherwise get brackets, so that
    /// what is grouped stays so.
    pub fn edits(&self, alternative: u32) -> Vec<TextEdit> {
        let end = self.start + self.operator(0).len();
        let text = self.operator(alternative).as_bytes().to_vec();
        let mut edits = vec![TextEdit { start: self.start, end, text }];
        let level = |alternative| self.levels[self.bit(alternative) as usize];
        if level(alternative) != level(0) {
            let whole = self.left.start..self.right.end;
            let Grouped { left, right, whole: all } = self.grouped;
            for (part, wanted) in [(&self.left, left), (&self.right, right), (&whole, all)] {
                if wanted {
                    let put = |at: usize, text: &[u8]| TextEdit { start: at, end: at, text: text.to_vec() };
                    edits.extend([put(part.start, b"("), put(part.end, b")")]);
                }
            }
        }
        edits.sort_by_key(|edit| (edit.start, edit.end));
        edits
    }

    /// How many mutants there are.
    pub fn mutants(&self) -> usize {
        self.operators.len() - 1
    }

    /// The bit of an alternative in a mask of operators.
    pub fn bit(&self, alternative: u32) -> u32 {
        match alternative as usize {
            0 => self.original as u32,
            before if before <= self.original => alternative - 1,
            _ => alternative,
        }
    }

    /// The alternative of a bit.
    pub fn alternative(&self, bit: u32) -> u32 {
        match bit as usize {
            own if own == self.original => 0,
            before if before < self.original => bit + 1,
            _ => bit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_and_alternatives_go_both_ways() {
        for original in 0..5 {
            let operators = ["+", "-", "*", "/", "%"].map(str::to_owned).to_vec();
            let place = PointPlace {
                source: 0,
                left: 0..1,
                right: 4..5,
                start: 2,
                grouped: Grouped { left: true, right: false, whole: true },
                levels: vec![1, 1, 0, 0, 0],
                file: String::new(),
                line: 1,
                column: 1,
                function: String::new(),
                kind: String::new(),
                operators,
                original,
            };
            assert_eq!(place.bit(0) as usize, original);
            let bits: Vec<u32> = (0..5).map(|alternative| place.bit(alternative)).collect();
            let back: Vec<u32> = bits.iter().map(|bit| place.alternative(*bit)).collect();
            assert_eq!(back, [0, 1, 2, 3, 4]);
            assert!(bits[1..].is_sorted());
            // The first alternative binds as the original does if that is `+` or `-`.
            assert_eq!(place.edits(1).len(), if original < 2 { 1 } else { 5 });
        }
    }
}
