//! What an operator requires of a place before its edit is made: kinds of tokens, neighbours, position.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::langdef::LangDef;
use crate::lex::TokenKind;
use crate::operator::Evidence;
use crate::operator::Term;
use crate::operator::open_bracket;
use crate::operator::position;

use super::arsenal::Tool;
use super::fit::Rule;
use super::fit::Rules;
use super::index::Bounds;
use super::index::View;
use super::index::slots;
use super::mutants::Fit;
use super::source::Sym;
use super::source::neighbour_sym;

/// Tokens before a place that say which position it is.
const LOOK_BACK: usize = 120;

/// What one set says of an operator: where it was caught, or what the person who wrote it demands.
pub struct Demands {
    /// The operator was written by hand, not caught.
    pub written: bool,
    /// The share of places where it compiled when it was tried.
    viable_share: Option<f64>,
    /// What may stand on either side; empty if nothing is known.
    left: Box<[Sym]>,
    right: Box<[Sym]>,
    /// For each hole, which kinds it may bind, one bit each; 0 if nothing is known.
    binds: Box<[u16]>,
    /// Positions and brackets that a hand-written operator demands.
    positions: Vec<Vec<u8>>,
    brackets: Vec<Vec<u8>>,
    in_directives: bool,
    /// Of an operator written by hand, the literals that its set names: a hole does not stand for them, since
    /// other operators are about them.
    named: Arc<FxHashSet<Sym>>,
}

impl Demands {
    /// The demands of an operator, from a set that names these literals.
    pub fn new(tool: &Tool, named: &Arc<FxHashSet<Sym>>) -> Self {
        let evidence = tool.evidence();
        let habitat = &evidence.habitat;
        let written = !evidence.is_wild();
        let names = |names: &BTreeMap<String, u64>| match written {
            true => names.keys().map(|name| name.as_bytes().to_vec()).collect(),
            false => Vec::new(),
        };
        Self {
            written,
            viable_share: evidence.viable_share(),
            left: neighbours(&habitat.left),
            right: neighbours(&habitat.right),
            binds: binds(tool, evidence),
            positions: names(&habitat.position),
            brackets: names(&habitat.bracket),
            in_directives: habitat.position.contains_key("directive"),
            named: if written { Arc::clone(named) } else { Arc::default() },
        }
    }

    /// Whether the holes may stand for what they are bound to.
    pub(super) fn binds(&self, view: View, bounds: &Bounds) -> bool {
        bounds.iter().zip(&self.binds).all(|(&(start, _), &kinds)| {
            let kind = view.file.tokens[start as usize].kind;
            let literal = matches!(kind, TokenKind::Number | TokenKind::String | TokenKind::Char);
            if literal && kinds != 0 && self.named.contains(&view.file.syms[start as usize]) {
                return false;
            }
            // An operator that was caught is held to strings only; one that was written, to what it says.
            let matters = kinds != 0 && (self.written || kind == TokenKind::String);
            !matters || kinds & kind_bit(kind) != 0
        })
    }

    /// The rules about operators that the tokens `start..end` break.
    pub(super) fn broken(&self, fit: &Fit, def: &LangDef, view: View, start: usize, end: usize) -> Rules {
        let mut broken = Rules::NONE;
        if fit.rules.has(Rule::FIELD) && self.viable_share.is_some_and(|share| share < fit.min_viable) {
            broken.insert(Rule::FIELD);
        }
        let asked = fit.rules.has(Rule::NEIGHBOURS) || self.written;
        if asked && !self.at_home(def, view, start, end) {
            broken.insert(Rule::NEIGHBOURS);
        }
        let directive = view.file.tokens[start].directive;
        if fit.rules.has(Rule::DIRECTIVE) && directive && !self.in_directives {
            broken.insert(Rule::DIRECTIVE);
        }
        broken
    }

    fn at_home(&self, def: &LangDef, view: View, start: usize, end: usize) -> bool {
        let among = |known: &[Sym], index: Option<usize>| {
            known.is_empty() || known.binary_search(&view.file.neighbour(index)).is_ok()
        };
        among(&self.left, start.checked_sub(1))
            && among(&self.right, Some(end))
            && (self.positions.is_empty() || self.stands(def, view, start))
            && (self.brackets.is_empty() || self.is_bracketed(def, view, start))
    }

    fn stands(&self, def: &LangDef, view: View, start: usize) -> bool {
        let file = view.file;
        let back = &file.tokens[start.saturating_sub(LOOK_BACK)..start];
        let here = position(def, &file.text, back, file.tokens.get(start));
        self.positions.iter().any(|known| *known == *here)
    }

    fn is_bracketed(&self, def: &LangDef, view: View, start: usize) -> bool {
        let file = view.file;
        let open = open_bracket(def, &file.text, &file.tokens[..start]);
        let here = open.map_or(&b"top"[..], |open| file.token(open));
        self.brackets.iter().any(|known| known == here)
    }
}

fn neighbours(names: &BTreeMap<String, u64>) -> Box<[Sym]> {
    let mut syms: Vec<Sym> = names.keys().map(|name| neighbour_sym(name)).collect();
    syms.sort_unstable();
    syms.into_boxed_slice()
}

/// The kinds that each slot may bind: evidence names them per identifier or literal hole.
fn binds(tool: &Tool, evidence: &Evidence) -> Box<[u16]> {
    let Tool::Operator(operator) = tool else { return Box::default() };
    let mut known = evidence.binds.iter();
    slots(operator.find())
        .into_iter()
        .map(|term| match term {
            Term::Hole(_) | Term::Any => {
                known.next().map_or(0, |kinds| kinds.keys().fold(0, |bits, kind| bits | kind_bit(*kind)))
            }
            _ => 0,
        })
        .collect()
}

/// One bit per kind of token.
fn kind_bit(kind: TokenKind) -> u16 {
    1 << kind as u16
}
