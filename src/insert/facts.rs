//! Facts learned from the target: which tokens stand next to which, what each name is used for, how
//! many arguments it takes, what type it was declared with.
//!
//! In: the files of a target. Out: [`Facts`]. Everything is kept as numbers, and the facts of several files
//! unite, so that it does not matter in which order they were read.

use rustc_hash::FxHashMap;
use rustc_hash::FxHashSet;
use rustc_hash::FxHasher;
use std::hash::Hasher;

use crate::lex::TokenKind;

use super::index::View;
use super::source::Sym;
use super::structure::Marks;
use super::structure::NONE;
use super::syntax::operator;
use super::types::Types;

/// Tokens in a row whose classes must have been seen in a row.
pub const GRAM: usize = 4;

/// What a token counts as in a row.
pub type Class = u64;

/// What a name is used for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Roles(pub u32);

impl Roles {
    /// Called by itself.
    pub const CALLED: Self = Self(1);
    /// A member that is not called.
    pub const FIELD: Self = Self(2);
    pub const INDEXED: Self = Self(4);
    pub const HAS_MEMBERS: Self = Self(8);
    pub const HAS_POINTED: Self = Self(16);
    pub const PATH_HEAD: Self = Self(32);
    pub const ASSIGNED: Self = Self(64);
    pub const TYPE: Self = Self(128);
    pub const PLAIN: Self = Self(256);
    pub const MACRO: Self = Self(512);
    pub const STEPPED: Self = Self(1024);
    /// Borrowed or bound as one that may change.
    pub const MUTABLE: Self = Self(2048);
    pub const BRACED: Self = Self(4096);
    pub const OUTSIDE: Self = Self(8192);
    pub const PATH_TAIL: Self = Self(16384);
    /// A member that is called.
    pub const METHOD: Self = Self(1 << 15);
    /// Called at the end of a path.
    pub const PATH_CALLED: Self = Self(1 << 16);
    /// What its call gives is used.
    pub const GIVES: Self = Self(1 << 17);
    /// Followed as a pointer.
    pub const POINTER: Self = Self(1 << 18);

    /// Whether all of the other's roles are among these.
    pub fn covers(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// What is known of a name, anywhere in the target.
#[derive(Clone, Copy, Debug, Default)]
pub struct Name {
    pub roles: Roles,
    /// The numbers of arguments it was called with, one bit each.
    pub arities: u32,
}

/// Facts about the target.
#[derive(Default)]
pub struct Facts {
    pub grams: FxHashSet<u64>,
    pub names: FxHashMap<Sym, Name>,
    /// Roles of a name inside one function: (file and function, name).
    pub scoped: FxHashMap<(u64, Sym), Roles>,
    /// Base and member that were seen together.
    pub pairs: FxHashSet<u64>,
    /// Types, and what stands where.
    pub types: Types,
    /// Gaps between tokens: by the classes of the token before, and of both around the gap.
    pub gaps: FxHashMap<u64, [u32; 3]>,
}

/// What a gap goes by, the most events first: three tokens, the two around it, the one before, the one after.
pub fn gap_keys(before: Class, left: Class, right: Class) -> [u64; 4] {
    const LEFT: u64 = 1;
    const RIGHT: u64 = 2;
    [join(&[before, left, right]), join(&[left, right]), join(&[left, LEFT]), join(&[right, RIGHT])]
}

/// Stands for all functions of a file together.
pub const WHOLE_FILE: u32 = u32::MAX;

/// Joins numbers to one.
pub fn join(parts: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    parts.iter().for_each(|part| hasher.write_u64(*part));
    hasher.finish()
}

/// A token in a row: of the file, or of a mutant of it.
#[derive(Clone, Copy)]
pub struct Word<'a> {
    pub kind: TokenKind,
    pub sym: Sym,
    pub text: &'a [u8],
    pub marks: Marks,
}

/// What a token counts as.
pub fn class(word: Word, known_type: bool) -> Class {
    match word.kind {
        TokenKind::Keyword | TokenKind::Operator | TokenKind::Unknown => {
            if word.marks.has(Marks::ANGLE) {
                !word.sym
            } else {
                word.sym
            }
        }
        TokenKind::Number if word.text.contains(&b'.') => 101,
        TokenKind::Number => 100,
        TokenKind::Identifier => identifier_class(word.text, known_type),
        kind => 110 + kind as u64,
    }
}

fn identifier_class(text: &[u8], known_type: bool) -> Class {
    if known_type {
        return 202;
    }
    let upper = text.first().is_some_and(u8::is_ascii_uppercase);
    let lower = text.iter().any(u8::is_ascii_lowercase);
    match (upper, lower) {
        (true, true) => 201,
        (true, false) if text.len() > 1 => 203,
        _ => 200,
    }
}

/// A file's function as a number that no other file has.
pub fn scope(file: usize, function: u32) -> u64 {
    (file as u64) << 32 | u64::from(function)
}

impl Facts {
    /// Adds what other files teach.
    pub fn absorb(&mut self, other: Self) {
        self.grams.extend(other.grams);
        self.pairs.extend(other.pairs);
        self.types.absorb(other.types);
        for (name, facts) in other.names {
            let known = self.names.entry(name).or_default();
            known.roles.0 |= facts.roles.0;
            known.arities |= facts.arities;
        }
        for (key, roles) in other.scoped {
            self.scoped.entry(key).or_default().0 |= roles.0;
        }
        for (key, counts) in other.gaps {
            let known = self.gaps.entry(key).or_default();
            known.iter_mut().zip(counts).for_each(|(mine, theirs)| *mine += theirs);
        }
    }

    /// What a file teaches about names. Classes depend on it, so rows are learned when all files' names are.
    pub fn learn_names(&mut self, view: View, file: usize) {
        for index in 0..view.file.tokens.len() {
            let name = view.file.syms[index];
            if view.syntax.values.contains(&name) {
                let here = (scope(file, scope_of(view, index)), name);
                self.scoped.entry(here).or_default().0 |= Roles::PLAIN.0;
            }
            if view.file.tokens[index].kind != TokenKind::Identifier {
                continue;
            }
            let mut roles = roles(view, index);
            if roles.0 & (Roles::CALLED.0 | Roles::METHOD.0 | Roles::PATH_CALLED.0) != 0 && gives(view, index)
            {
                roles = roles.with(Roles::GIVES);
            }
            let known = self.names.entry(name).or_default();
            known.roles.0 |= roles.0;
            let function = scope_of(view, index);
            let visible = function != 0 || is_visible(view, index);
            if function == 0 && visible && is_header(view) {
                known.roles.0 |= Roles::OUTSIDE.0;
            }
            let arity = if roles.covers(Roles::CALLED)
                || roles.covers(Roles::METHOD)
                || roles.covers(Roles::MACRO)
                || roles.covers(Roles::PATH_CALLED)
            {
                arguments(view, call_parenthesis(view, index))
            } else {
                None
            };
            if let Some(count) = arity {
                known.arities |= 1 << count.min(31);
            }
            if visible {
                self.scoped.entry((scope(file, function), name)).or_default().0 |= roles.0;
            }
            self.scoped.entry((scope(file, WHOLE_FILE), name)).or_default().0 |= roles.0;
            let joined = index > 1 && {
                let dot = view.file.syms[index - 1];
                view.syntax.members.contains(&dot) || view.syntax.paths.contains(&dot)
            };
            if joined {
                let base = base(view, file, index - 2);
                self.pairs.insert(join(&[base, view.file.syms[index - 1], name]));
                if let Some(count) = arity {
                    self.pairs.insert(join(&[base, name, u64::from(count)]));
                }
            } else if let Some(count) = arity {
                self.pairs.insert(join(&[0, name, u64::from(count)]));
            }
        }
    }

    /// What a file teaches about rows of tokens.
    pub fn learn_rows(&mut self, view: View, names: &FxHashMap<Sym, Name>) {
        let classes: Vec<Class> = (0..view.file.tokens.len())
            .map(|index| {
                let known = names.get(&view.file.syms[index]).is_some_and(|name| is_type(*name));
                class(word(view, index), known)
            })
            .collect();
        for (start, row) in classes.windows(GRAM).enumerate() {
            self.grams.insert(join(row) ^ bracket(view, start));
        }
        for index in 1..view.file.tokens.len() {
            let (left, right) = (view.file.tokens[index - 1].span, view.file.tokens[index].span);
            let between = &view.file.text[left.end as usize..right.start as usize];
            let gap = if between.contains(&b'\n') { 2 } else { usize::from(!between.is_empty()) };
            let before = if index > 1 { classes[index - 2] } else { 0 };
            for key in gap_keys(before, classes[index - 1], classes[index]) {
                self.gaps.entry(key).or_default()[gap] += 1;
            }
        }
    }
}

/// Whether a name outside functions can be named inside of them as it is: at the top of a file, in what holds
/// functions (a class), among the constants of an enumeration; not a field of a plain structure.
fn is_visible(view: View, index: usize) -> bool {
    if view.file.tokens[index].directive {
        // What a directive defines stands right after its word; the rest is parameters and text.
        return index > 1
            && view.file.tokens[index - 1].kind == TokenKind::Keyword
            && view.file.token(index - 2) == b"#";
    }
    let open = view.structure.open[index];
    open == NONE || view.structure.is_shared(open)
}

/// Whether other files see what stands at the top of this one.
fn is_header(view: View) -> bool {
    view.file.path.extension().is_some_and(|ending| ending.as_encoded_bytes().first() == Some(&b'h'))
}

/// What a row of tokens is in: statements, a value in braces, an argument list.
pub fn bracket(view: View, index: usize) -> u64 {
    let open = view.structure.open.get(index).copied().unwrap_or(NONE);
    if open == NONE {
        return 0;
    }
    let literal = view.structure.marks[open as usize].has(Marks::LITERAL);
    let head = view.structure.marks[index].has(Marks::HEAD);
    let choice = view.structure.lead(open).is_some_and(|lead| view.syntax.switches.contains(&lead));
    let kind = u64::from(literal) + 2 * u64::from(head) + 4 * u64::from(choice);
    view.file.syms[open as usize].wrapping_add(kind)
}

/// Whether what a call gives is used: it is no statement by itself.
fn gives(view: View, name: usize) -> bool {
    let open = call_parenthesis(view, name);
    let Some(&close) = view.structure.mate.get(open) else { return false };
    let declared = view.structure.function[name] == 0 && !view.structure.marks[name].has(Marks::INITIALISER);
    if close == NONE || declared || view.structure.marks[name].has(Marks::HEAD) {
        return false;
    }
    let ends = view.file.syms.get(close as usize + 1).is_some_and(|after| view.syntax.ends.contains(after));
    let mut start = name;
    while start > 1 {
        let before = view.file.syms[start - 1];
        if !view.syntax.members.contains(&before) && !view.syntax.paths.contains(&before) {
            break;
        }
        let mate = view.structure.mate[start - 2];
        start = if mate != NONE && (mate as usize) < start { (mate as usize).max(1) - 1 } else { start - 2 };
    }
    !(ends && view.structure.marks[start].has(Marks::START))
}

/// Whether a name is used as a type and never as a value.
pub fn is_type(name: Name) -> bool {
    name.roles.covers(Roles::TYPE) && !name.roles.covers(Roles::PLAIN) && !name.roles.covers(Roles::CALLED)
}

/// The function that a token belongs to: parameters belong to the function whose head they are in.
pub fn scope_of(view: View, index: usize) -> u32 {
    let function = view.structure.function[index];
    if !view.structure.marks[index].has(Marks::HEAD) {
        return function;
    }
    let after = view.structure.functions.partition_point(|known| (known.body as usize) < index);
    let inside = view.structure.functions.get(after).filter(|known| (known.head as usize) <= index);
    if inside.is_some() { after as u32 + 1 } else { function }
}

/// A token of the file.
pub fn word<'a>(view: View<'a>, index: usize) -> Word<'a> {
    Word {
        kind: view.file.tokens[index].kind,
        sym: view.file.syms[index],
        text: view.file.token(index),
        marks: view.structure.marks[index],
    }
}

/// What stands before a member: a name, or the kind of thing.
fn base(view: View, file: usize, index: usize) -> u64 {
    let token = &view.file.tokens[index];
    let mate = view.structure.mate[index];
    match token.kind {
        // `this` is another thing in every file.
        TokenKind::Keyword => join(&[view.file.syms[index], file as u64]),
        // `f(x).y`: the name of what was called or indexed stands for it.
        TokenKind::Operator if mate != NONE && mate > 0 && (mate as usize) < index => {
            join(&[view.file.syms[mate as usize - 1], view.file.syms[index]])
        }
        _ => view.file.syms[index],
    }
}

/// What a member of the thing at `index` counts as among [`Facts::pairs`].
pub fn member_pair(view: View, file: usize, index: usize, dot: Sym, name: Sym) -> u64 {
    join(&[base(view, file, index), dot, name])
}

/// Where the parentheses of a call begin, after a macro's mark or type arguments.
fn call_parenthesis(view: View, name: usize) -> usize {
    let mut at = name + 1;
    if view.syntax.macros.is_some_and(|mark| view.file.syms.get(at) == Some(&mark)) {
        at += 1;
    }
    at
}

/// Whether a call's parameters begin with the object itself, which calls do not name.
fn takes_self(view: View, open: usize) -> bool {
    view.structure.marks[open].has(Marks::HEAD)
        && (open + 1..open + 4).any(|at| view.file.tokens.get(at).is_some() && view.file.token(at) == b"self")
}

/// How many arguments stand between the parentheses that open at `open`.
pub fn arguments(view: View, open: usize) -> Option<u32> {
    let close = *view.structure.mate.get(open)?;
    if close == NONE || (close as usize) < open {
        return None;
    }
    let close = close as usize;
    if close == open + 1 {
        return Some(0);
    }
    let comma = operator(",");
    let mut count = 1;
    let mut at = open + 1;
    while at < close {
        let mate = view.structure.mate[at];
        if mate != NONE && mate as usize > at {
            at = mate as usize + 1;
            continue;
        }
        if view.file.syms[at] == comma && at + 1 < close && !in_angles(view, at, open) {
            count += 1;
        }
        at += 1;
    }
    Some(count - u32::from(takes_self(view, open)))
}

/// Whether a comma is between angle brackets.
fn in_angles(view: View, comma: usize, open: usize) -> bool {
    if !view.syntax.angles {
        return false;
    }
    let mut depth = 0i32;
    for at in open..comma {
        if view.structure.marks[at].has(Marks::ANGLE) {
            let text = view.file.token(at);
            depth += if text == b"<" { 1 } else { -(text.len() as i32) };
        }
    }
    depth > 0
}

/// What the name at `index` is used for there.
fn roles(view: View, index: usize) -> Roles {
    let before = index.checked_sub(1).map(|at| word(view, at));
    let after = (index + 1 < view.file.tokens.len()).then(|| word(view, index + 1));
    let mut roles = roles_between(view, before, after);
    let pointed = index > 0 && view.file.token(index - 1) == b"*" && is_prefix(view, index - 1);
    if pointed && roles.covers(Roles::PLAIN) {
        roles = roles.with(Roles::POINTER);
    }
    if view.structure.marks[index].has(Marks::DECLARATION.with(Marks::HEAD)) && roles.covers(Roles::PLAIN) {
        // A declared name may be used wherever it is in scope; a type in front of it may not.
        let typed = after.is_some_and(|after| {
            after.kind == TokenKind::Identifier || after.marks.has(Marks::ANGLE) || after.text == b"*"
        });
        let annotated =
            view.syntax.annotates.is_some_and(|mark| before.is_some_and(|before| before.sym == mark));
        if typed || annotated {
            return Roles::TYPE;
        }
    }
    if after.is_some_and(|after| after.kind == TokenKind::Identifier && roles.covers(Roles::PLAIN)) {
        roles = Roles::TYPE;
    }
    roles
}

/// Whether an operator stands before its operand: nothing that it could join stands before it.
fn is_prefix(view: View, index: usize) -> bool {
    let Some(before) = index.checked_sub(1) else { return true };
    let token = &view.file.tokens[before];
    match token.kind {
        TokenKind::Operator => !matches!(view.file.token(before), b")" | b"]"),
        TokenKind::Keyword => !view.syntax.values.contains(&view.file.syms[before]),
        _ => false,
    }
}

/// What a name between two tokens is used for.
pub fn roles_between(view: View, before: Option<Word>, after: Option<Word>) -> Roles {
    let syntax = view.syntax;
    let mut roles = Roles::default();
    let member = before.is_some_and(|word| syntax.members.contains(&word.sym));
    let tail = before.is_some_and(|word| syntax.paths.contains(&word.sym));
    if tail {
        let called = after.is_some_and(|word| word.text == b"(");
        return if called { Roles::PATH_CALLED } else { Roles::PATH_TAIL };
    }
    if before.is_some_and(|word| word.text == b"mut") {
        roles = roles.with(Roles::MUTABLE);
    }
    if member {
        let called = after.is_some_and(|word| word.text == b"(");
        return if called { Roles::METHOD } else { Roles::FIELD };
    }
    let after_roles = after.map_or(Roles::default(), |word| match word.text {
        _ if word.marks.has(Marks::ANGLE) => Roles::TYPE,
        b"(" => Roles::CALLED,
        b"[" => Roles::INDEXED,
        b"->" if syntax.members.contains(&word.sym) => Roles::HAS_POINTED,
        _ if syntax.members.contains(&word.sym) => Roles::HAS_MEMBERS,
        _ if syntax.paths.contains(&word.sym) => Roles::PATH_HEAD,
        _ if syntax.macros == Some(word.sym) => Roles::MACRO,
        _ if syntax.assignments.contains(&word.sym) => Roles::ASSIGNED,
        b"++" | b"--" => Roles::STEPPED,
        b"{" => Roles::BRACED,
        _ => Roles::default(),
    });
    roles = roles.with(after_roles);
    if before.is_some_and(|word| matches!(word.text, b"++" | b"--")) {
        roles = roles.with(Roles::STEPPED);
    }
    let plain =
        Roles::ASSIGNED.0 | Roles::INDEXED.0 | Roles::HAS_MEMBERS.0 | Roles::HAS_POINTED.0 | Roles::STEPPED.0;
    if !member && !tail && roles.0 & !plain == 0 {
        roles = roles.with(Roles::PLAIN);
    }
    roles
}
