//! Where in a file a lexer may begin: everywhere but inside tokens that run over several lines.
//!
//! In: a file's text, or its neighbour in history with the blocks that differ. Out: a [`ResumePoints`].
//! Reading a history means lexing almost the same file thousands of times. A comment or string is known
//! exactly only if the whole file was lexed, but a version differs from the next in a few blocks, so what
//! was learnt of one carries over to the other and only the blocks are lexed again.

use memchr::memchr;
use memchr::memrchr;

use crate::langdef::LangDef;
use crate::langdef::Layout;
use crate::lex::Lexer;
use crate::lex::Start;
use crate::lex::Token;
use crate::lex::TokenKind;
use crate::text::Span;

use super::Block;

/// The stretches of a file inside which no lexer may begin, sorted and disjoint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResumePoints {
    spans: Vec<Span>,
    /// For languages where indentation or the token before matters, the only places that will do. They are
    /// found afresh for every version.
    anchors: Option<Vec<u32>>,
}

impl ResumePoints {
    /// Lexes a whole file.
    pub fn of(def: &LangDef, text: &[u8]) -> Self {
        if needs_anchors(def) {
            return Self { spans: Vec::new(), anchors: Some(anchors(def, text)) };
        }
        let mut spans = SpanCollector::default();
        Lexer::new(def, text, Start::File).for_each(|token| spans.see(token, text));
        Self { spans: spans.finish(text.len()), anchors: None }
    }

    /// The ground of the version before, `old`, given that of the version after and the blocks between.
    pub fn of_neighbour(&self, def: &LangDef, old: &[u8], blocks: &[Block]) -> Self {
        if self.anchors.is_some() {
            return Self::of(def, old);
        }
        let mut step = Step { after: &self.spans, next: 0, out: Vec::new() };
        let mut blocks_left = blocks;
        let mut last = Block { before: Span::default(), after: Span::default() };
        while let Some((block, rest)) = blocks_left.split_first() {
            step.copy_until(block.after.start, last);
            (last, blocks_left) = step.relex(def, old, *block, rest, last);
        }
        step.copy_until(u32::MAX, last);
        Self { spans: step.out, anchors: None }
    }

    /// The nearest place at or before `at` where a lexer may begin.
    pub fn resume_point(&self, text: &[u8], at: usize) -> usize {
        match &self.anchors {
            None => resume_point(&self.spans, text, at),
            Some(anchors) => match anchors.partition_point(|&anchor| anchor as usize <= at) {
                0 => 0,
                above => anchors[above - 1] as usize,
            },
        }
    }
}

fn resume_point(spans: &[Span], text: &[u8], at: usize) -> usize {
    let mut at = line_start(text, at);
    let mut above = spans.partition_point(|span| (span.start as usize) < at);
    while above > 0 && spans[above - 1].splits_at(at) {
        at = line_start(text, spans[above - 1].start as usize);
        above = spans.partition_point(|span| (span.start as usize) < at);
    }
    at
}

fn needs_anchors(def: &LangDef) -> bool {
    def.layout() == Layout::Indented || def.tables.operands.is_some() || def.tables.members.is_some()
}

/// Where a lexer may begin: in an indented language at unindented lines of code, since there all levels
/// are closed; elsewhere at line starts after a token that leaves no value.
fn anchors(def: &LangDef, text: &[u8]) -> Vec<u32> {
    let indented = def.layout() == Layout::Indented;
    let mut anchors = Vec::new();
    let mut lexer = Lexer::new(def, text, Start::File);
    let mut line_ended = true;
    loop {
        if !indented && lexer.is_ground() {
            anchors.push(lexer.position() as u32);
        }
        let Some(token) = lexer.next() else { return anchors };
        if indented && line_ended && !token.kind.is_trivia() && !token.kind.is_layout() {
            let unindented = token.span.start == 0 || text[token.span.start as usize - 1] == b'\n';
            anchors.extend(unindented.then_some(token.span.start));
        }
        if !token.kind.is_trivia() {
            line_ended = token.kind.is_layout();
        }
    }
}

/// The start of the line that `at` is on.
pub(crate) fn line_start(text: &[u8], at: usize) -> usize {
    memrchr(b'\n', &text[..at]).map_or(0, |newline| newline + 1)
}

/// The walk from one version to the one before it.
struct Step<'a> {
    after: &'a [Span],
    /// The first span of the later version that is neither copied nor replaced.
    next: usize,
    out: Vec<Span>,
}

impl Step<'_> {
    /// Copies the spans that end before `until`, moved by what the last block shifted. One that ends right
    /// there may be a literal that the end of the file cut off: more text would continue with it.
    fn copy_until(&mut self, until: u32, last: Block) {
        while let Some(span) = self.after.get(self.next).filter(|span| span.end < until) {
            let moved = |at: u32| at - last.after.end + last.before.end;
            self.out.push(Span { start: moved(span.start), end: moved(span.end) });
            self.next += 1;
        }
    }

    /// Lexes from `block` on until both versions agree again; gives back the last block it went through
    /// and those it did not reach.
    fn relex<'b>(
        &mut self,
        def: &LangDef,
        old: &[u8],
        block: Block,
        mut rest: &'b [Block],
        last: Block,
    ) -> (Block, &'b [Block]) {
        let mut begin = block.before.start as usize;
        if let Some(open) = self.after.get(self.next).filter(|open| open.start < block.after.start) {
            begin = (open.start - last.after.end + last.before.end) as usize;
        }
        begin = resume_point(&self.out, old, begin);
        while self.out.last().is_some_and(|span| span.start as usize >= begin) {
            self.out.pop();
        }
        let mut block = block;
        let mut lexer = Lexer::resume(def, old, begin, Start::File);
        let mut spans = SpanCollector::default();
        loop {
            while let Some((next, others)) = rest.split_first() {
                if lexer.position() <= next.before.start as usize {
                    break;
                }
                (block, rest) = (*next, others);
            }
            if lexer.is_ground()
                && lexer.position() >= block.before.end as usize
                && self.agrees(lexer.position(), block)
            {
                break;
            }
            match lexer.next() {
                Some(token) => spans.see(token, old),
                None => {
                    (self.next, rest) = (self.after.len(), &[]);
                    break;
                }
            }
        }
        self.out.extend(spans.finish(lexer.position()));
        (block, rest)
    }

    /// Whether the later version, too, may be lexed from the place that corresponds to `position`.
    fn agrees(&mut self, position: usize, block: Block) -> bool {
        let there = position - block.before.end as usize + block.after.end as usize;
        while self.after.get(self.next).is_some_and(|span| span.end as usize <= there) {
            self.next += 1;
        }
        !self.after.get(self.next).is_some_and(|span| span.splits_at(there))
    }
}

/// Collects the spans of tokens, and of spliced lines, that run over line ends.
#[derive(Default)]
struct SpanCollector {
    spans: Vec<Span>,
    directive: Option<Directive>,
    /// Where a backslash joined two lines: what follows does not stand at the start of one.
    splice: Option<u32>,
}

struct Directive {
    start: u32,
    spliced: bool,
}

impl SpanCollector {
    fn see(&mut self, token: Token, text: &[u8]) {
        if token.directive {
            self.see_directive(token, text);
        } else if token.kind == TokenKind::Space && token.span.of(text).starts_with(b"\\") {
            self.splice.get_or_insert(token.span.start);
        } else if let Some(start) = self.splice.take() {
            self.spans.push(Span { start, end: token.span.end });
        } else if matches!(token.kind, TokenKind::Comment | TokenKind::String | TokenKind::Char)
            && memchr(b'\n', token.span.of(text)).is_some()
        {
            self.spans.push(token.span);
        }
    }

    fn see_directive(&mut self, token: Token, text: &[u8]) {
        let directive = self.directive.get_or_insert(Directive { start: token.span.start, spliced: false });
        if token.kind == TokenKind::LineEnd {
            if directive.spliced {
                self.spans.push(Span { start: directive.start, end: token.span.end });
            }
            self.directive = None;
        } else {
            directive.spliced |= memchr(b'\n', token.span.of(text)).is_some();
        }
    }

    /// The spans, given where the lexer stopped.
    fn finish(mut self, end: usize) -> Vec<Span> {
        let directive = self.directive.filter(|directive| directive.spliced).map(|directive| directive.start);
        self.spans.extend(directive.or(self.splice).map(|start| Span { start, end: end as u32 }));
        self.spans
    }
}
