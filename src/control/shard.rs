//! Splits work among several machines: which part an item belongs to.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

/// One of several parts of a whole. What belongs to it follows from names alone, so that it does not change when
/// something else comes or goes, and does not depend on any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    /// From 1.
    part: usize,
    parts: usize,
}

/// Not a part of a whole.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("--shard {0}: not a part; write K/N, with K from 1 to N")]
pub struct ShardError(String);

impl Shard {
    /// All of it.
    pub const WHOLE: Self = Self { part: 1, parts: 1 };

    /// The part of that number, counted from 1.
    pub fn new(part: usize, parts: usize) -> Result<Self, ShardError> {
        match (1..=parts).contains(&part) {
            true => Ok(Self { part, parts }),
            false => Err(ShardError(format!("{part}/{parts}"))),
        }
    }

    /// Its number, from 1.
    pub fn part(self) -> usize {
        self.part
    }

    /// How many parts there are.
    pub fn parts(self) -> usize {
        self.parts
    }

    /// Whether what has this name belongs to this part.
    pub fn owns(self, name: &str) -> bool {
        xxh3_64(name.as_bytes()) % self.parts as u64 == self.part as u64 - 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{}/{}", self.part, self.parts)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let numbers =
            text.split_once('/').and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
        let wrong = || ShardError(text.to_owned());
        numbers.and_then(|(part, parts)| Self::new(part, parts).ok()).ok_or_else(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_parts_of_a_whole() {
        assert_eq!("2/4".parse(), Ok(Shard { part: 2, parts: 4 }));
        assert_eq!("2/4".parse::<Shard>().unwrap().to_string(), "2/4");
        for wrong in ["", "0/4", "5/4", "2", "a/b", "1/0"] {
            assert!(wrong.parse::<Shard>().unwrap_err().to_string().contains("K/N"), "{wrong}");
        }
    }

    #[test]
    fn every_name_belongs_to_one_part_and_parts_are_about_equal() {
        for parts in [1, 2, 3, 7] {
            let mut sizes = vec![0; parts];
            for number in 0..7000 {
                let name = format!("{number:x}-{}", number % 5);
                let owners: Vec<usize> =
                    (1..=parts).filter(|part| Shard::new(*part, parts).unwrap().owns(&name)).collect();
                assert_eq!(owners.len(), 1, "{name}");
                sizes[owners[0] - 1] += 1;
            }
            let fair = 7000 / parts;
            assert!(sizes.iter().all(|size| (fair * 8 / 10..=fair * 12 / 10).contains(size)), "{sizes:?}");
        }
    }
}
