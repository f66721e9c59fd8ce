//! Where a point is, and what stands there.

/// A point of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointPlace {
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
        }
    }
}
