//! Which variables and constants are visible where, as far as tokens can tell.

use crate::lex::TokenKind;

use super::super::structure::Function;
use super::super::structure::Marks;
use super::super::structure::NONE;
use super::super::units::Piece;
use super::slot::SlotValue;
use super::tokens::Tokens;

/// Most variables and constants that conditions are made of.
const MOST_VARIABLES: usize = 10;
const MOST_CONSTANTS: usize = 8;
/// Most variables of a statement that are asked whether they are there.
const MOST_USED: usize = 4;

/// A name, or a member of one, where it stands.
#[derive(Clone, Debug)]
pub struct Mention {
    pub piece: Piece,
    pub text: String,
    /// The token of its first name.
    pub root: u32,
    /// Whether it is declared there.
    pub declared: bool,
}

impl Mention {
    fn is_member(&self) -> bool {
        self.piece.end - self.piece.start > 1
    }
}

/// The variables and constants of a function.
pub struct Scope<'a> {
    tokens: Tokens<'a>,
    pub mentions: Vec<Mention>,
    /// Numbers and characters, where they stand first.
    constants: Vec<(u32, String)>,
    body: Piece,
}

impl<'a> Scope<'a> {
    /// Looks through a function.
    pub fn new(tokens: Tokens<'a>, function: &Function, body: Piece) -> Self {
        let mut scope = Self { tokens, mentions: vec![], constants: vec![], body };
        if function.parameters != NONE
            && let Some(close) = tokens.close(function.parameters as usize)
        {
            scope.look(function.parameters as usize + 1, close, true);
        }
        scope.look(body.start as usize, body.end as usize, false);
        scope
    }

    fn look(&mut self, from: usize, to: usize, parameters: bool) {
        let mut at = from;
        while at < to {
            match self.tokens.kind(at) {
                Some(TokenKind::Number | TokenKind::Char) => {
                    let text = String::from_utf8_lossy(self.tokens.text(at)).into_owned();
                    if !self.constants.iter().any(|(_, known)| *known == text) {
                        self.constants.push((at as u32, text));
                    }
                    at += 1;
                }
                Some(TokenKind::Identifier | TokenKind::Keyword) => at = self.name(at, parameters),
                _ => at += 1,
            }
        }
    }

    /// A name and its members; gives where to go on.
    fn name(&mut self, at: usize, parameters: bool) -> usize {
        let tokens = self.tokens;
        let syntax = tokens.view.syntax;
        let joins = |at: usize| syntax.members.contains(&tokens.sym(at));
        let word = tokens.kind(at) == Some(TokenKind::Keyword);
        let bare = !word || (syntax.values.contains(&tokens.sym(at)) && joins(at + 1));
        let inert = Marks::ATTRIBUTE.with(Marks::IMPORT).with(Marks::ARGUMENT);
        if !bare || (at > 0 && joins(at - 1)) || tokens.has(at, inert) {
            return at + 1;
        }
        let mut end = at + 1;
        while joins(end) && tokens.kind(end + 1) == Some(TokenKind::Identifier) {
            end += 2;
        }
        let behind = end;
        if tokens.is(end, "(") || (syntax.macros.is_some() && tokens.is(end, "!")) {
            if end == at + 1 {
                return end;
            }
            end -= 2; // the last one is called
        }
        let typed = tokens.kind(end) == Some(TokenKind::Identifier)
            || syntax.paths.contains(&tokens.sym(end))
            || (at > 0 && syntax.paths.contains(&tokens.sym(at - 1)))
            || tokens.has(end, Marks::ANGLE) && tokens.is(end, "<")
            || (at > 0 && syntax.creates.contains(&tokens.sym(at - 1)));
        if typed || (word && end == at + 1) {
            return behind;
        }
        let text = String::from_utf8_lossy(tokens.written(Piece { start: at as u32, end: end as u32 }));
        let declared = parameters || (tokens.has(at, Marks::DECLARATION) && end == at + 1);
        self.mentions.push(Mention {
            piece: Piece { start: at as u32, end: end as u32 },
            text: text.into_owned(),
            root: at as u32,
            declared,
        });
        behind
    }

    /// The variables that can be used at a token, the nearest first: each text once.
    pub fn visible(&self, at: u32) -> Vec<&Mention> {
        let mut found: Vec<&Mention> = Vec::new();
        let mut near: Vec<&Mention> = self.mentions.iter().collect();
        near.sort_by_key(|mention| (mention.piece.start.abs_diff(at), mention.piece.start));
        for mention in near {
            if !found.iter().any(|known| known.text == mention.text) && self.is_visible(mention, at) {
                found.push(mention);
            }
        }
        found
    }

    fn is_visible(&self, mention: &Mention, at: u32) -> bool {
        let name = self.tokens.text(mention.root as usize);
        let mut declared = self
            .mentions
            .iter()
            .filter(|other| other.declared && self.tokens.text(other.root as usize) == name)
            .peekable();
        let known = declared.peek().is_none();
        if !known && !declared.any(|declaration| self.reaches(declaration, at)) {
            return false;
        }
        // What is a member of something may not be there before it was used.
        !mention.is_member()
            || self.mentions.iter().any(|other| {
                let block = self.tokens.block(other.piece.start as usize);
                other.text == mention.text
                    && other.piece.start < at
                    && self.tokens.is_inside(at as usize, block)
            })
    }

    /// Whether a declaration is seen from a token.
    fn reaches(&self, declaration: &Mention, at: u32) -> bool {
        let start = declaration.piece.start as usize;
        if declaration.piece.start < self.body.start {
            return true; // a parameter
        }
        if at <= declaration.piece.end {
            return false;
        }
        let open = self.tokens.open(start);
        if open != NONE && self.tokens.is(open as usize, "(") {
            let Some(close) = self.tokens.close(open as usize) else { return false };
            let last = self.tokens.close(close + 1).unwrap_or(close + 1);
            return (at as usize) < last;
        }
        self.tokens.is_inside(at as usize, self.tokens.block(start))
    }

    /// The variables that are used in a piece, and what members are members of: each once.
    pub fn used(&self, piece: Piece) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        let here = self.mentions.iter().filter(|mention| piece.holds(mention.piece.start, mention.piece.end));
        for mention in here.filter(|mention| !mention.declared) {
            let whole = mention.text.as_str();
            let owner = whole.rfind('.').map_or(whole, |at| &whole[..at]);
            for name in [owner, whole] {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names.truncate(MOST_USED);
        names
    }

    /// Numbers and characters of the function, the nearest first.
    pub fn constants(&self, at: u32) -> Vec<&str> {
        let mut near: Vec<&(u32, String)> = self.constants.iter().collect();
        near.sort_by_key(|(place, _)| (place.abs_diff(at), *place));
        near.into_iter().map(|(_, text)| text.as_str()).collect()
    }

    /// What conditions at a token can be made of.
    pub fn values(&self, at: u32) -> Vec<SlotValue> {
        let variables = self.visible(at).into_iter().take(MOST_VARIABLES);
        let mut values: Vec<SlotValue> =
            variables.map(|variable| SlotValue { text: variable.text.clone(), constant: false }).collect();
        if values.is_empty() {
            return values;
        }
        let mut constants: Vec<&str> = self.constants(at).into_iter().take(MOST_CONSTANTS).collect();
        for usual in ["0", "1"] {
            if !constants.contains(&usual) {
                constants.push(usual);
            }
        }
        values.extend(constants.into_iter().map(|text| SlotValue { text: text.to_owned(), constant: true }));
        values
    }
}
