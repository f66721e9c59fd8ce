//! Makes a failing program smaller: says what to try next, and goes on from what still fails.
//!
//! In: a program, and whether each proposal still fails. Out: smaller programs. Lines go first, in halves, quarters and
//! so on, then brackets with what is in them, statements, and single tokens: a lexer is all that is needed.

use std::ops::Range;

use regex::bytes::Regex;

use crate::langdef::LangDef;
use crate::lex::Lexer;
use crate::lex::Start;
use crate::lex::TokenKind;

/// What is cut out in a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// N lines in a row.
    Lines(usize),
    /// Brackets and what is in them, or only what is in them; statements.
    Groups,
    /// N tokens in a row.
    Tokens(usize),
}

/// Rounds after which nothing more is tried: each begins with what the one before left.
const MOST_ROUNDS: usize = 4;

/// A program that is being reduced.
pub struct Reducer<'a> {
    def: &'a LangDef,
    /// Lines of which nothing or all is cut out: what they print or check is what the oracle looks at.
    keep: &'a Regex,
    text: Vec<u8>,
    steps: Vec<Step>,
    /// The step that is taken, and the next of its cuts.
    step: usize,
    cuts: Vec<Range<usize>>,
    next: usize,
    round: usize,
    /// Whether this round made it smaller.
    moved: bool,
}

impl<'a> Reducer<'a> {
    pub fn new(def: &'a LangDef, keep: &'a Regex, text: &[u8]) -> Self {
        let mut reducer = Self {
            def,
            keep,
            text: text.to_vec(),
            steps: vec![],
            step: 0,
            cuts: vec![],
            next: 0,
            round: 0,
            moved: false,
        };
        reducer.begin_round();
        reducer
    }

    /// What is left of the program.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The next proposals, at most `most`; none if nothing more can be cut out. Those after the first count only if
    /// all before them are refused.
    pub fn proposals(&mut self, most: usize) -> Vec<Vec<u8>> {
        while self.next >= self.cuts.len() {
            if !self.advance() {
                return vec![];
            }
        }
        let cuts = &self.cuts[self.next..self.cuts.len().min(self.next + most)];
        cuts.iter().map(|cut| [&self.text[..cut.start], &self.text[cut.end..]].concat()).collect()
    }

    /// Takes the answer to the last proposals: how many of them were refused, and whether the one after those still
    /// fails.
    pub fn answer(&mut self, refused: usize, accepted: Option<Vec<u8>>) {
        self.next += refused;
        if let Some(text) = accepted {
            self.text = text;
            self.moved = true;
            self.cuts = self.cuts();
        }
    }

    fn begin_round(&mut self) {
        let lines = self.text.split(|byte| *byte == b'\n').count();
        let mut steps = Vec::new();
        let mut size = lines / 2;
        while size >= 1 {
            steps.push(Step::Lines(size));
            size /= 2;
        }
        steps.push(Step::Groups);
        steps.extend([Step::Tokens(4), Step::Tokens(2), Step::Tokens(1)]);
        (self.steps, self.step, self.next, self.moved) = (steps, 0, 0, false);
        self.cuts = self.cuts();
    }

    /// What the step cuts out of the text, one after the other.
    fn cuts(&self) -> Vec<Range<usize>> {
        let mut cuts = match self.steps[self.step] {
            Step::Lines(size) => line_cuts(&self.text, size),
            Step::Groups => group_cuts(self.def, &self.text),
            Step::Tokens(size) => token_cuts(self.def, &self.text, size),
        };
        let kept = self.kept();
        cuts.retain(|cut| {
            let first = kept.partition_point(|line| line.end <= cut.start);
            let touched = kept[first..].iter().take_while(|line| line.start < cut.end);
            touched.into_iter().all(|line| cut.start <= line.start && line.end <= cut.end)
        });
        cuts
    }

    /// The code of lines that are kept, without what stands around it.
    fn kept(&self) -> Vec<Range<usize>> {
        let mut start = 0;
        let mut kept = Vec::new();
        for line in self.text.split_inclusive(|byte| *byte == b'\n') {
            let code = line.trim_ascii();
            if !code.is_empty() && self.keep.is_match(line) {
                let before = line.len() - line.trim_ascii_start().len();
                kept.push(start + before..start + before + code.len());
            }
            start += line.len();
        }
        kept
    }

    /// Goes on with the next step; whether there is one.
    fn advance(&mut self) -> bool {
        if self.step + 1 < self.steps.len() {
            self.step += 1;
            self.next = 0;
            self.cuts = self.cuts();
            return true;
        }
        if !self.moved || self.round + 1 >= MOST_ROUNDS {
            return false;
        }
        self.round += 1;
        self.begin_round();
        true
    }
}

fn line_cuts(text: &[u8], size: usize) -> Vec<Range<usize>> {
    let mut ends: Vec<usize> = memchr::memchr_iter(b'\n', text).map(|end| end + 1).collect();
    if ends.last().copied().unwrap_or(0) < text.len() {
        ends.push(text.len());
    }
    let mut start = 0;
    let chunk = |ends: &[usize]| {
        let cut = start..ends[ends.len() - 1];
        start = cut.end;
        cut
    };
    ends.chunks(size).map(chunk).filter(|cut| cut.len() < text.len()).collect()
}

/// Code tokens, layout aside: where they are, and what stands there.
fn code(def: &LangDef, text: &[u8]) -> Vec<Range<usize>> {
    let tokens = Lexer::new(def, text, Start::File);
    let code = tokens.filter(|token| !token.kind.is_trivia() && !token.kind.is_layout());
    let code = code.filter(|token| token.kind != TokenKind::Unknown);
    code.map(|token| token.span.start as usize..token.span.end as usize).collect()
}

fn token_cuts(def: &LangDef, text: &[u8], size: usize) -> Vec<Range<usize>> {
    let code = code(def, text);
    let cuts = code.chunks(size).map(|chunk| chunk[0].start..chunk[chunk.len() - 1].end);
    cuts.filter(|cut| cut.len() < text.len()).collect()
}

/// Brackets from the largest to the smallest, each with what stands before it since the last statement, then alone,
/// then only what is in it; then statements.
fn group_cuts(def: &LangDef, text: &[u8]) -> Vec<Range<usize>> {
    let (mut open, mut groups, mut statements) = (Vec::new(), Vec::new(), Vec::new());
    let mut begun: Option<usize> = None;
    for token in code(def, text) {
        match &text[token.clone()] {
            b"(" | b"[" | b"{" => {
                open.push((token.clone(), begun.unwrap_or(token.start)));
                begun = if &text[token.clone()] == b"{" { None } else { begun.or(Some(token.start)) };
            }
            close @ (b")" | b"]" | b"}") => {
                if let Some((start, head)) = open.pop() {
                    groups.extend([head..token.end, start.start..token.end, start.end..token.start]);
                    begun = if close == b"}" { None } else { Some(head) };
                }
            }
            b";" => {
                statements.extend(begun.map(|start| start..token.end));
                begun = None;
            }
            _ => begun = begun.or(Some(token.start)),
        }
    }
    groups.sort_by_key(|cut| std::cmp::Reverse(cut.len()));
    groups.extend(statements);
    groups.retain(|cut| !cut.is_empty() && cut.len() < text.len());
    groups.dedup();
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::langdef::builtin;

    /// Reduces as long as `fails` holds; what is left.
    fn reduced(text: &str, fails: impl Fn(&str) -> bool) -> String {
        let (def, keep) = (builtin("c").unwrap(), Regex::new("print").unwrap());
        let mut reducer = Reducer::new(&def, &keep, text.as_bytes());
        loop {
            let proposals = reducer.proposals(3);
            if proposals.is_empty() {
                return String::from_utf8(reducer.text().to_vec()).unwrap();
            }
            let first = proposals.iter().position(|text| fails(std::str::from_utf8(text).unwrap()));
            match first {
                Some(at) => reducer.answer(at, Some(proposals[at].clone())),
                None => reducer.answer(proposals.len(), None),
            }
        }
    }

    #[test]
    fn what_makes_it_fail_is_left() {
        let text =
            "int a;\nint f(int x) {\n  if (x) {\n    return 1;\n  }\n  return (x + 2) * 3;\n}\nint b;\n";
        assert_eq!(reduced(text, |text| text.contains("x + 2")).trim(), "x + 2");
        let kept = |text: &str| {
            text.contains("f(int x)") && text.matches('{').count() == 1 && text.matches('}').count() == 1
        };
        assert_eq!(reduced(text, kept).split_whitespace().collect::<String>(), "f(intx){}");
    }

    #[test]
    fn lines_that_carry_the_oracle_go_as_a_whole_or_not_at_all() {
        let text = "int a;\n  print(f(1, 2));\n print(a); if (a) {\n print(3); }\n";
        let left = reduced(text, |text| text.contains("print(f"));
        assert_eq!(left.trim(), "print(f(1, 2));");
    }

    #[test]
    fn nothing_is_lost_where_everything_is_needed() {
        let text = "int a ;";
        assert_eq!(reduced(text, |now| now == text), text);
        assert_eq!(reduced("", |_| true), "");
    }
}
