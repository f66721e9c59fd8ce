//! Sets of tests as short texts, each kept once.

use std::collections::BTreeMap;

use roaring::RoaringBitmap;

/// Sets, numbered in the order in which they first come.
#[derive(Default)]
pub struct SetTexts {
    known: BTreeMap<Vec<u32>, u32>,
    pub texts: Vec<String>,
}

impl SetTexts {
    /// The number of a set.
    pub fn number(&mut self, set: &RoaringBitmap) -> u32 {
        let key: Vec<u32> = set.iter().collect();
        let next = self.texts.len() as u32;
        let number = *self.known.entry(key).or_insert(next);
        if number == next {
            self.texts.push(text(set));
        }
        number
    }
}

/// The shorter of two ways to write a set.
fn text(set: &RoaringBitmap) -> String {
    let runs = runs(set);
    let Some(last) = set.max() else { return runs };
    if runs.len() <= last as usize / 6 {
        return runs;
    }
    let bits = bits(set, last);
    if bits.len() < runs.len() { bits } else { runs }
}

/// `r`, then per run the step from the end of the one before, and `-` with its length if it has more than one test.
fn runs(set: &RoaringBitmap) -> String {
    let (mut out, mut next) = (String::from("r"), 0);
    let mut values = set.iter();
    while let Some(range) = values.next_range() {
        let (first, last) = range.into_inner();
        if out.len() > 1 {
            out.push(' ');
        }
        out.push_str(&base36(first - next));
        if last > first {
            out.push('-');
            out.push_str(&base36(last - first));
        }
        next = last.saturating_add(1);
    }
    out
}

/// `b`, then bit n of byte n/8 in base 64.
fn bits(set: &RoaringBitmap, last: u32) -> String {
    let mut bytes = vec![0u8; last as usize / 8 + 1];
    for value in set {
        bytes[value as usize / 8] |= 1 << (value % 8);
    }
    format!("b{}", base64(&bytes))
}

/// Three bytes as four letters, without padding.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len() * 4 / 3 + 3);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let number = byte(0) << 16 | byte(1) << 8 | byte(2);
        for letter in 0..=chunk.len() {
            out.push(char::from(LETTERS[(number >> (18 - 6 * letter) & 63) as usize]));
        }
    }
    out
}

fn base36(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit(number % 36, 36).expect("a digit"));
        number /= 36;
        if number == 0 {
            break;
        }
    }
    digits.into_iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_written_once_and_short() {
        let mut sets = SetTexts::default();
        let few = RoaringBitmap::from([0, 4, 5, 6, 1000]);
        assert_eq!(sets.number(&RoaringBitmap::new()), 0);
        assert_eq!(sets.number(&few), 1);
        assert_eq!(sets.number(&few), 1);
        assert_eq!(sets.texts, ["r", "r0 3-2 rl"]);
        let half: RoaringBitmap = (0..2000).filter(|n| n * n % 7 < 3).collect();
        let at = sets.number(&half) as usize;
        assert!(sets.texts[at].starts_with('b') && sets.texts[at].len() < 340);
        assert_eq!(base64(b"wild caught"), "d2lsZCBjYXVnaHQ");
    }
}
