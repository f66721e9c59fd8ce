//! Reads patch text: unified diffs, bare or as `git log -p`, `git format-patch` and mail boxes have them.
//!
//! In: bytes of any kind and length. Out: [`Change`](super::Change)s with the few lines that a hunk shows.
//! Invariants: a hunk's own counts say where it ends, never the look of a line; memory holds one window of
//! the text, or one file's diff if that is longer; the collectors come in the order of the text.

mod date;
mod header;
mod hunk;
mod lines;
mod mail;
pub(super) mod path;
mod piece;
mod read;
#[cfg(test)]
mod tests;
mod walk;
mod window;

pub use read::PatchText;
pub use read::read_patch;
