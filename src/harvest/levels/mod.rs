//! One change at several levels of generality: from its tokens with context to its bare structure.
//!
//! In: a row of a tally, what is matched and what replaces it. Out: the operators that it shows, as codes; the most
//! specific first. Context comes in steps of 2, 1 and 0 tokens; brackets, operands and statements that one side drops
//! whole, or that both share, are folded to holes. A level that cannot be an operator is left out with its reason.

mod classes;
mod encode;
mod fold;
mod gather;
mod ladder;
mod statements;

pub(super) use classes::Classes;
pub(super) use gather::Gatherer;
pub(super) use ladder::Ladder;
