//! Which bugs inputs show.

/// The bugs of inputs, by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truth {
    /// Their names, sorted.
    pub bugs: Vec<String>,
    /// Per input the bugs that it shows.
    pub of: Vec<Vec<u32>>,
}

impl Truth {
    /// How many inputs show each bug; never 0.
    pub fn shown_by(&self) -> Vec<usize> {
        let mut shown = vec![0; self.bugs.len()];
        self.of.iter().flatten().for_each(|bug| shown[*bug as usize] += 1);
        shown
    }

    /// Whether two inputs show a bug in common.
    pub fn share(&self, first: usize, second: usize) -> bool {
        self.of[first].iter().any(|bug| self.of[second].contains(bug))
    }
}
