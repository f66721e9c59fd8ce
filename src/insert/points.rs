//! Operators in expressions that can be exchanged for others of their kind.
//!
//! In: a file and the `[switch.points]` section of its language. Out: the points in function bodies, each with
//! its operands, found by precedence among the tokens of one bracket. What only looks like an expression is
//! found by the compiler.

use crate::langdef::LangDef;
use crate::langdef::PointsFile;
use crate::lex::TokenKind;

use super::index::View;
use super::structure::Marks;
use super::structure::NONE;
use super::units::Piece;
use super::units::Units;

/// An operator and its operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The token of the operator.
    pub operator: u32,
    pub left: Piece,
    pub right: Piece,
    /// The ways to write it, by their places in the language definition, the best first.
    pub kinds: Vec<usize>,
    /// The number of its function in the file.
    pub function: usize,
    /// Which parts would be grouped otherwise, if an operator that binds otherwise stood there.
    pub grouped: Grouped,
}

/// Parts of a point that have, or meet, further binary operators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Grouped {
    pub left: bool,
    pub right: bool,
    pub whole: bool,
}

impl Point {
    /// The operator and both operands.
    pub fn whole(&self) -> Piece {
        Piece { start: self.left.start, end: self.right.end }
    }
}

/// Marks of what is no expression of a value.
const NO_VALUE: Marks = Marks::ANGLE
    .with(Marks::ATTRIBUTE)
    .with(Marks::IMPORT)
    .with(Marks::HEAD)
    .with(Marks::DECLARATION)
    .with(Marks::INITIALISER)
    .with(Marks::ARGUMENT);

/// The points of a file, in the order of their operators; `allowed` says which tokens may be touched.
pub fn find_points(def: &LangDef, view: View, allowed: &[bool]) -> Vec<Point> {
    let points = &def.file.switch.points;
    let units = Units::new(def, view);
    let reader = Reader { view, points };
    let mut found = Vec::new();
    let mut at = 0;
    while at < view.file.tokens.len() {
        if reader.begins_directive(at) {
            at = reader.behind_directive(at);
            continue;
        }
        let point = allowed[at].then(|| reader.point(&units, at)).flatten();
        found.extend(point);
        at += 1;
    }
    found
}

struct Reader<'a> {
    view: View<'a>,
    points: &'a PointsFile,
}

impl Reader<'_> {
    fn token(&self, at: usize) -> &[u8] {
        self.view.file.token(at)
    }

    fn kind(&self, at: usize) -> TokenKind {
        self.view.file.tokens[at].kind
    }

    fn begins_directive(&self, at: usize) -> bool {
        self.token(at) == b"#" && at + 1 < self.view.file.tokens.len() && self.token(at + 1) != b"["
    }

    fn behind_directive(&self, at: usize) -> usize {
        let tokens = &self.view.file.tokens;
        let rest = tokens[at..].iter().position(|token| token.kind == TokenKind::LineEnd);
        rest.map_or(at + 1, |rest| at + rest + 1)
    }

    fn point(&self, units: &Units, at: usize) -> Option<Point> {
        let level = self.level(at)?;
        let place = at as u32;
        let listed = |kind: &&crate::langdef::PointKindFile| {
            kind.operators.iter().any(|known| known.as_bytes() == self.token(at))
        };
        self.points.kind.iter().find(listed)?;
        let function = units.function(place, place + 1)?;
        units.body(function, place, place + 1)?;
        if self.view.structure.marks[at].has(NO_VALUE) || !self.is_binary(at) {
            return None;
        }
        let left = Piece { start: self.left(at, level) as u32, end: place };
        let right = Piece { start: place + 1, end: self.right(at, level) as u32 };
        if left.start == left.end || right.start == right.end {
            return None;
        }
        let (plain, bare) = (self.is_plain(right), self.is_bare(right));
        let kinds = (0..self.points.kind.len()).filter(|&kind| {
            let kind = &self.points.kind[kind];
            listed(&kind) && (plain || !kind.plain) && (bare || !kind.bare)
        });
        let grouped = Grouped {
            left: self.has_binary(left),
            right: self.has_binary(right),
            whole: self.meets_binary(left.start as usize, right.end as usize),
        };
        Some(Point { operator: place, left, right, kinds: kinds.collect(), function, grouped })
    }

    /// Whether there is a binary operator in an operand, outside of brackets.
    fn has_binary(&self, piece: Piece) -> bool {
        let mut at = piece.start as usize;
        while at < piece.end as usize {
            if self.is_operator(at) {
                return true;
            }
            at = match self.view.structure.mate[at] {
                close if close != NONE && close as usize > at => close as usize + 1,
                _ => at + 1,
            };
        }
        false
    }

    /// Whether a binary operator stands directly before or behind tokens.
    fn meets_binary(&self, start: usize, end: usize) -> bool {
        let behind = end < self.view.file.tokens.len() && self.is_operator(end);
        behind || (start > 0 && self.is_operator(start - 1))
    }

    fn is_operator(&self, at: usize) -> bool {
        self.level(at).is_some() && self.is_binary(at)
    }

    /// How tightly an operator binds, from 0.
    fn level(&self, at: usize) -> Option<usize> {
        let text = self.token(at);
        if self.kind(at) != TokenKind::Operator {
            return None;
        }
        self.points.levels.iter().position(|level| level.iter().any(|known| known.as_bytes() == text))
    }

    fn is_one_of(&self, at: usize, list: &[String]) -> bool {
        list.iter().any(|known| known.as_bytes() == self.token(at))
    }

    /// Whether a value may end with this token.
    fn ends_value(&self, at: usize) -> bool {
        match self.kind(at) {
            TokenKind::Identifier | TokenKind::Number | TokenKind::String | TokenKind::Char => true,
            TokenKind::Keyword => self.is_one_of(at, &self.points.words),
            TokenKind::Operator => match self.token(at) {
                b")" | b"]" => true,
                _ => self.is_one_of(at, &self.points.joins) && at > 0 && self.ends_value(at - 1),
            },
            _ => false,
        }
    }

    /// Whether an operator has a value before it, and as much white space before it as behind it: otherwise
    /// it belongs to what it touches.
    fn is_binary(&self, at: usize) -> bool {
        if at == 0 || at + 1 >= self.view.file.tokens.len() || !self.ends_value(at - 1) {
            return false;
        }
        let tokens = &self.view.file.tokens;
        let before = tokens[at - 1].span.end < tokens[at].span.start;
        let behind = tokens[at].span.end < tokens[at + 1].span.start;
        before == behind && (before || !self.points.spaced)
    }

    fn left(&self, operator: usize, level: usize) -> usize {
        let mut at = operator;
        while at > 0 {
            let before = at - 1;
            at = match (self.kind(before), self.token(before)) {
                (_, b")" | b"]") => match self.view.structure.mate[before] {
                    NONE => break,
                    open => open as usize,
                },
                _ if self.inside(before, |own| own <= level) => before,
                _ => break,
            };
        }
        at
    }

    fn right(&self, operator: usize, level: usize) -> usize {
        let mut at = operator + 1;
        while at < self.view.file.tokens.len() {
            at = match (self.kind(at), self.token(at)) {
                (_, b"(" | b"[") => match self.view.structure.mate[at] {
                    NONE => break,
                    close => close as usize + 1,
                },
                _ if self.inside(at, |own| own < level) => at + 1,
                _ => break,
            };
        }
        at
    }

    /// Whether a token that is no bracket belongs to an operand; binary operators do if they bind so tightly.
    fn inside(&self, at: usize, tight: impl Fn(usize) -> bool) -> bool {
        match self.kind(at) {
            TokenKind::Identifier | TokenKind::Number | TokenKind::String | TokenKind::Char => true,
            TokenKind::Keyword => self.is_one_of(at, &self.points.words),
            TokenKind::Operator => match self.level(at) {
                Some(level) if self.is_binary(at) => tight(level),
                Some(_) => self.is_one_of(at, &self.points.unary),
                None => self.is_one_of(at, &self.points.joins) || self.is_one_of(at, &self.points.unary),
            },
            _ => false,
        }
    }

    /// Whether an operand is a name, negated or in brackets at most.
    fn is_bare(&self, piece: Piece) -> bool {
        let (mut names, mut others) = (0, 0);
        for at in piece.start as usize..piece.end as usize {
            match (self.kind(at), self.token(at)) {
                (TokenKind::Identifier, _) => names += 1,
                (_, b"!" | b")") => {}
                (_, b"(") if at == piece.start as usize || self.kind(at - 1) == TokenKind::Operator => {}
                _ => others += 1,
            }
        }
        names == 1 && others == 0
    }

    /// Whether an operand does nothing but compare names and literals: it can be evaluated for nothing, and
    /// no alternative of a point in it can go wrong.
    fn is_plain(&self, piece: Piece) -> bool {
        (piece.start as usize..piece.end as usize).all(|at| match self.kind(at) {
            TokenKind::Identifier => true,
            TokenKind::Number | TokenKind::Char => true,
            TokenKind::Operator => match self.token(at) {
                b"<" | b"<=" | b">" | b">=" | b"==" | b"!=" | b"&&" | b"||" | b"!" | b")" => true,
                b"(" => at == piece.start as usize || self.kind(at - 1) == TokenKind::Operator,
                _ => false,
            },
            _ => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::super::target::Target;
    use super::*;
    use crate::langdef::builtin;

    /// Points as `left operator right`, of one file.
    fn shown(language: &str, text: &str) -> Vec<String> {
        let def = builtin(language).unwrap();
        let target = Target::new(&def, vec![(PathBuf::from("x"), text.as_bytes().to_vec())]);
        let file = &target.files[0];
        let words = |piece: Piece| {
            let tokens = (piece.start..piece.end).map(|at| String::from_utf8_lossy(file.token(at as usize)));
            tokens.collect::<String>()
        };
        let points = find_points(&def, target.view(0), &target.allowed[0]);
        let show = |point: &Point| {
            let own = Piece { start: point.operator, end: point.operator + 1 };
            format!("{} {} {}", words(point.left), words(own), words(point.right))
        };
        points.iter().map(show).collect()
    }

    #[test]
    fn operands_follow_precedence_and_brackets() {
        let text = "int f(int a, int b) {\n  if (a + b * 2 < -b && (a || !b)) return a - b - 1;\n  return x[a + 1];\n}\n";
        let wanted =
            ["a + b*2", "b * 2", "a+b*2 < -b", "a+b*2<-b && (a||!b)", "a || !b", "a - b", "a-b - 1", "a + 1"];
        assert_eq!(shown("c", text), wanted);
    }

    #[test]
    fn what_is_no_expression_of_a_value_is_no_point() {
        let text = "#define X(a) (a + 1)\nint g = 1 + 2;\nint f(int a) {\n#if A < B\n  char *p = -a;\n  T *q;\n  return f(*p);\n#endif\n}\n";
        assert_eq!(shown("c", text), [""; 0]);
    }

    #[test]
    fn what_may_be_missing_is_not_looked_at_before_it_must_be() {
        let def = builtin("java").unwrap();
        let kinds = |right: &str| {
            let text = format!(
                "class A {{ boolean f(B a, Integer b, boolean c) {{ return a != null && {right}; }} }}\n"
            );
            let target = Target::new(&def, vec![(PathBuf::from("x"), text.into_bytes())]);
            let points = find_points(&def, target.view(0), &target.allowed[0]);
            let own = |point: &&Point| target.files[0].token(point.operator as usize) == b"&&";
            points.iter().find(own).unwrap().kinds.len()
        };
        assert_eq!((kinds("c"), kinds("!(c)"), kinds("b > 3"), kinds("c()"), kinds("a.c")), (2, 2, 1, 1, 1));
    }

    #[test]
    fn assignments_and_choices_end_operands() {
        let text = "int f(int a) {\n  a = a + 1;\n  for (int i = 0; i < a; i++) a += i * 2;\n  return a > 0 ? a - 1 : f(a, a / 2);\n}\n";
        assert_eq!(shown("c", text), ["a + 1", "i < a", "i * 2", "a > 0", "a - 1", "a / 2"]);
    }
}
