//! Weaves points into a file.
//!
//! In: a file, its points, and for each the way in which it is written. Out: the file's text with every point
//! asking the runtime what to do, and whose line each line is. Operands may have points themselves.

use std::collections::BTreeMap;

use crate::insert::Piece;
use crate::insert::Point;
use crate::insert::SourceFile;
use crate::langdef::LangDef;

/// A point to be woven.
#[derive(Clone, Copy, Debug)]
pub struct WovenPoint<'a> {
    pub point: &'a Point,
    /// Its number in the program.
    pub number: u32,
    /// How it is written, by its place in the language definition.
    pub kind: usize,
}

/// A file with points in it.
pub struct PointText {
    pub text: Vec<u8>,
    /// Lines that a point alone has written, with its number.
    own: BTreeMap<u32, Vec<u32>>,
    /// First and last line of each point with its operands, and its number.
    whole: Vec<(u32, u32, u32)>,
}

/// Weaves points into a file.
pub fn weave_points(def: &LangDef, file: &SourceFile, points: &[WovenPoint]) -> PointText {
    let mut order: Vec<WovenPoint> = points.to_vec();
    order.sort_by_key(|woven| {
        let whole = woven.point.whole();
        (whole.start, std::cmp::Reverse(whole.end))
    });
    let out = PointText { text: Vec::new(), own: BTreeMap::new(), whole: Vec::new() };
    let mut loom = Loom { def, file, out, line: 1 };
    loom.stretch(0, file.text.len(), &order);
    loom.out
}

impl PointText {
    /// The points to which an error on a line points: those that wrote it, or the smallest around it.
    pub fn owners(&self, line: u32) -> Vec<u32> {
        if let Some(own) = self.own.get(&line) {
            return own.clone();
        }
        let holding = self.whole.iter().filter(|(first, last, _)| (*first..=*last).contains(&line));
        holding.min_by_key(|(first, last, _)| last - first).map(|(.., number)| *number).into_iter().collect()
    }

    /// The point that is nearest to a line.
    pub fn nearest(&self, line: u32) -> Option<u32> {
        let away = |first: u32, last: u32| first.saturating_sub(line).max(line.saturating_sub(last));
        self.whole.iter().min_by_key(|(first, last, _)| away(*first, *last)).map(|(.., number)| *number)
    }
}

struct Loom<'a> {
    def: &'a LangDef,
    file: &'a SourceFile,
    out: PointText,
    line: u32,
}

impl Loom<'_> {
    fn put(&mut self, text: &[u8]) {
        self.line += memchr::memchr_iter(b'\n', text).count() as u32;
        self.out.text.extend_from_slice(text);
    }

    fn bytes(&self, piece: Piece) -> (usize, usize) {
        let tokens = &self.file.tokens;
        (tokens[piece.start as usize].span.start as usize, tokens[piece.end as usize - 1].span.end as usize)
    }

    /// The original's bytes `start..end`, in which these points are, outer ones first.
    fn stretch(&mut self, start: usize, end: usize, points: &[WovenPoint]) {
        let (mut at, mut rest) = (start, points);
        while let Some((first, others)) = rest.split_first() {
            let whole = first.point.whole();
            let inner = others.partition_point(|other| other.point.whole().start < whole.end);
            let (from, to) = self.bytes(whole);
            let file = self.file;
            self.put(&file.text[at..from]);
            self.point(first, &others[..inner]);
            (at, rest) = (to, &others[inner..]);
        }
        let file = self.file;
        self.put(&file.text[at..end]);
    }

    fn point(&mut self, woven: &WovenPoint, inner: &[WovenPoint]) {
        let point = woven.point;
        let kind = &self.def.file.switch.points.kind[woven.kind];
        let own = self.file.token(point.operator as usize);
        let place = kind.operators.iter().position(|known| known.as_bytes() == own).unwrap_or(0);
        let text = kind.text.replace("{point}", &woven.number.to_string());
        let text = text.replace("{operator}", &place.to_string());
        let (head, rest) = text.split_once("{left}").unwrap_or((&text, ""));
        let (middle, tail) = rest.split_once("{right}").unwrap_or((rest, ""));
        let cut = inner.partition_point(|other| other.point.whole().start < point.operator);
        let began = self.line;
        self.core(head, woven.number);
        let (from, to) = self.bytes(point.left);
        self.stretch(from, to, &inner[..cut]);
        self.core(middle, woven.number);
        let (from, to) = self.bytes(point.right);
        self.stretch(from, to, &inner[cut..]);
        self.core(tail, woven.number);
        self.out.whole.push((began, self.line, woven.number));
    }

    /// Text of a point; lines that it begins and ends are its own.
    fn core(&mut self, text: &str, number: u32) {
        for (at, line) in text.split('\n').enumerate() {
            if at > 0 {
                self.put(b"\n");
            }
            let lines = text.matches('\n').count();
            if at > 0 && at < lines {
                self.out.own.entry(self.line).or_default().push(number);
            }
            self.put(line.as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::insert::Target;
    use crate::insert::find_points;
    use crate::langdef::builtin;

    #[test]
    fn points_are_woven_outside_in_and_own_the_lines_they_write() {
        let def = builtin("c").unwrap();
        let text = b"int f(int a) {\n  return a * 2 < g(a + 1);\n}\n";
        let target = Target::new(&def, vec![(PathBuf::from("x.c"), text.to_vec())]);
        let points = find_points(&def, target.view(0), &target.allowed[0]);
        let woven: Vec<WovenPoint> = (0..)
            .zip(&points)
            .map(|(number, point)| WovenPoint { point, number, kind: point.kinds[0] })
            .collect();
        let out = weave_points(&def, &target.files[0], &woven);
        let shown = String::from_utf8(out.text.clone()).unwrap();
        let line = |what: &str| shown.lines().position(|line| line.contains(what)).unwrap() as u32 + 1;
        assert_eq!(out.owners(line("WILDCAUGHT_INT(0,")), [0]);
        assert_eq!(out.owners(line("WILDCAUGHT_REL(1,")), [1]);
        assert_eq!(out.owners(line("WILDCAUGHT_INT(2,")), [2]);
        assert_eq!(out.owners(1), [0; 0]);
        assert!(shown.contains("wildcaught_a0=(a);WILDCAUGHT_AUTO wildcaught_b0=(2);"), "{shown}");
        assert!(shown.contains("g((__extension__({WILDCAUGHT_AUTO wildcaught_a2=(a)"), "{shown}");
    }
}
