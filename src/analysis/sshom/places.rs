//! Where mutants are: their functions and files.

use std::collections::BTreeMap;

/// The numbers of a function and of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    function: u32,
    file: u32,
}

/// The function and the file of each mutant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// By mutant; none where nothing is known.
    of: Vec<Option<Numbers>>,
    functions: BTreeMap<(String, String), u32>,
    files: BTreeMap<String, u32>,
}

impl Places {
    /// Nothing is known of any of `mutants` mutants.
    pub fn new(mutants: usize) -> Self {
        Self { of: vec![None; mutants], ..Self::default() }
    }

    /// Notes where a mutant is. Functions of the same name in different files are different.
    pub fn put(&mut self, mutant: u32, file: &str, function: &str) {
        let next = self.files.len() as u32;
        let file_number = *self.files.entry(file.to_owned()).or_insert(next);
        let next = self.functions.len() as u32;
        let key = (file.to_owned(), function.to_owned());
        let function_number = *self.functions.entry(key).or_insert(next);
        self.of[mutant as usize] = Some(Numbers { function: function_number, file: file_number });
    }

    /// The number of a mutant's function.
    pub fn function(&self, mutant: u32) -> Option<u32> {
        self.of[mutant as usize].map(|numbers| numbers.function)
    }

    /// The number of a mutant's file.
    pub fn file(&self, mutant: u32) -> Option<u32> {
        self.of[mutant as usize].map(|numbers| numbers.file)
    }

    /// The names of files, by number.
    pub fn files(&self) -> Vec<&str> {
        let mut names: Vec<(u32, &str)> = self.files.iter().map(|(name, at)| (*at, name.as_str())).collect();
        names.sort_unstable();
        names.into_iter().map(|(_, name)| name).collect()
    }
}
