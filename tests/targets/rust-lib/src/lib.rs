//! A few things that are hard to switch.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;

static CALLS: AtomicUsize = AtomicUsize::new(0);
const SIZE: usize = area(2, 3);

macro_rules! at_least {
    ($value:expr, $least:expr) => {
        if $value < $least { $least } else { $value }
    };
}

/// Computed while it is compiled.
pub const fn area(width: usize, height: usize) -> usize {
    width * height + 1
}

/// What it gives has no name.
pub fn evens(limit: u32) -> impl Iterator<Item = u32> {
    (0..limit).filter(|number| number % 2 == 0)
}

/// A name for a number.
pub fn name(number: i32) -> &'static str {
    CALLS.fetch_add(1, Ordering::Relaxed);
    match number {
        0 => "none",
        1 | 2 => "few",
        n if n < 0 => "debt",
        _ => "many",
    }
}

/// The largest of some numbers, but never less than the size.
pub fn largest(numbers: &[usize]) -> usize {
    let mut best = 0;
    for &number in numbers {
        if number > best {
            best = number;
        }
    }
    at_least!(best, SIZE)
}

/// The first number of a line.
pub fn first(line: &str) -> Result<i32, std::num::ParseIntError> {
    let word = line.split(' ').next().unwrap_or("");
    let number: i32 = word.parse()?;
    let double = |n: i32| n * 2;
    Ok(if line.ends_with('!') { double(number) } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_names() {
        assert_eq!([name(0), name(2), name(-1)], ["none", "few", "debt"]);
        assert!(CALLS.load(Ordering::Relaxed) >= 3);
    }

    #[test]
    fn the_largest_is_found() {
        assert_eq!(largest(&[3, 9, 4]), 9);
    }
}
