//! What stands before a statement and is no part of it: labels of jumps and of choices.

use crate::lex::TokenKind;

use super::walk::Walk;

/// Labels before a statement.
#[derive(Default)]
pub struct Labels {
    /// Where the statement begins.
    pub behind: usize,
    /// The first label of a loop, where a jump can only name what stands right behind its label.
    pub named: Option<usize>,
    /// Whether the last one is `case X ->`: one statement belongs to it.
    pub arrow: bool,
}

impl Walk<'_> {
    /// `case X:`, `default:`, `label:` and `case X ->` are no part of a statement.
    pub(super) fn behind_labels(&self, at: usize, end: usize) -> Labels {
        let mut labels = Labels { behind: at, ..Labels::default() };
        while labels.behind < end {
            let at = labels.behind;
            let case = self.view.syntax.cases.contains(&self.view.file.syms[at]);
            let name = self.kind(at) == Some(TokenKind::Identifier);
            let colon = if case {
                self.case_end(at, end)
            } else if name && !self.view.syntax.cases.is_empty() && self.view.syntax.annotates.is_none() {
                Some(at + 1).filter(|&at| at < end && self.is(at, ":"))
            } else {
                None
            };
            let Some(colon) = colon else { break };
            let names_loops = !case && self.switch.jump.is_none();
            labels.named = labels.named.filter(|_| names_loops).or(names_loops.then_some(at));
            labels.arrow = case && self.is(colon, "->");
            labels.behind = colon + 1;
        }
        labels
    }

    /// Where a `case` ends: at a colon that belongs to no `?`, or at an arrow.
    fn case_end(&self, at: usize, end: usize) -> Option<usize> {
        let depth = self.view.structure.open[at];
        let mut choices = 0;
        for at in (at + 1..end).filter(|at| self.view.structure.open[*at] == depth) {
            match self.text(at) {
                b"?" => choices += 1,
                b":" if choices > 0 => choices -= 1,
                b":" | b"->" => return Some(at),
                _ => {}
            }
        }
        None
    }
}
