//! Random words that a test cannot guess.

use std::hash::BuildHasher;
use std::hash::Hasher;
use std::hash::RandomState;

/// A word that a program that is run cannot know beforehand: what has it is from whom it was given to.
pub fn nonce() -> String {
    // Its keys come from the system's source of randomness.
    format!("{:016x}", RandomState::new().build_hasher().finish())
}
