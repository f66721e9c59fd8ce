//! What a drawn hole may stand for: names and numbers of the file, the likeliest first.
//!
//! In: a place, the token that gives way there (if one does), and what stands on either side. Out: at most so many
//! candidates, in an order that depends on the file alone. A name is likelier the better it plays the part that is
//! asked for there (variable, member, call, type), if it stands in the same function, is of the same type, reads like
//! the name that gives way, and stands near.

use rustc_hash::FxHashMap;

use crate::lex::TokenKind;
use crate::operator::Drawn;

use super::arsenal::Arsenal;
use super::edit::New;
use super::facts::Facts;
use super::facts::Roles;
use super::facts::WHOLE_FILE;
use super::facts::Word;
use super::facts::member_pair;
use super::facts::roles_between;
use super::facts::scope;
use super::facts::scope_of;
use super::index::View;
use super::source::Sym;
use super::structure::Marks;

/// Candidates per place by default.
pub const DEFAULT_DRAWS: usize = 8;

/// How likely the first candidate is the right one, and how that falls from one to the next: a name unlike the one that
/// gives way, one that reads like it, a number.
const UNLIKE: f32 = 0.05;
const NEXT_UNLIKE: f32 = 0.85;
const LIKE: f32 = 0.35;
const NEXT_LIKE: f32 = 0.7;
const DISTINCT: f32 = 0.3;
const NUMBER: f32 = 0.1;
const NEXT_NUMBER: f32 = 0.85;

/// Names and numbers of a file, by where they stand.
pub struct Draws<'a> {
    view: View<'a>,
    file: usize,
    facts: &'a Facts,
    numbers: &'a [u32],
    most: usize,
    /// Where each name stands, in order.
    names: FxHashMap<Sym, Vec<u32>>,
    /// The names of each function, and of the whole file, in order of first appearance.
    of_function: FxHashMap<u32, Vec<Sym>>,
    all: Vec<Sym>,
    /// The numbers of the file, likewise.
    literals: FxHashMap<u32, Vec<u32>>,
}

/// A place where something is drawn.
pub struct DrawPlace<'a> {
    /// The first token of the match.
    pub at: usize,
    /// The token that gives way, if it is one.
    pub replaced: Option<usize>,
    pub before: Option<Word<'a>>,
    pub after: Option<Word<'a>>,
    /// The token before the one before: what a member is taken of.
    pub base: Option<usize>,
}

impl<'a> Draws<'a> {
    /// Looks through a file.
    pub fn new(view: View<'a>, file: usize, facts: &'a Facts, arsenal: &'a Arsenal, most: usize) -> Self {
        let mut draws = Self {
            view,
            file,
            facts,
            numbers: &arsenal.numbers,
            most,
            names: FxHashMap::default(),
            of_function: FxHashMap::default(),
            all: Vec::new(),
            literals: FxHashMap::default(),
        };
        for (index, token) in view.file.tokens.iter().enumerate() {
            let inert = Marks::IMPORT.with(Marks::ATTRIBUTE);
            if view.structure.marks[index].has(inert) {
                continue;
            }
            match token.kind {
                TokenKind::Identifier => draws.see_name(index),
                TokenKind::Number => {
                    draws.literals.entry(scope_of(view, index)).or_default().push(index as u32);
                }
                _ => {}
            }
        }
        draws
    }

    fn see_name(&mut self, index: usize) {
        let sym = self.view.file.syms[index];
        let function = scope_of(self.view, index);
        let stands = self.names.entry(sym).or_insert_with(|| {
            self.all.push(sym);
            Vec::new()
        });
        let new_here = stands.last().is_none_or(|last| scope_of(self.view, *last as usize) != function);
        stands.push(index as u32);
        if new_here {
            let here = self.of_function.entry(function).or_default();
            if !here.contains(&sym) {
                here.push(sym);
            }
        }
    }

    /// The candidates for a place, each with how likely it is the right one.
    pub fn candidates(&self, drawn: Drawn, place: &DrawPlace) -> Vec<(New, f32)> {
        match drawn {
            Drawn::Name => self.name_candidates(place),
            Drawn::Number => {
                let numbers = self.number_candidates(place);
                let share = |at: usize| NUMBER * NEXT_NUMBER.powi(at as i32);
                numbers.into_iter().enumerate().map(|(at, new)| (new, share(at))).collect()
            }
        }
    }

    fn name_candidates(&self, place: &DrawPlace) -> Vec<(New, f32)> {
        let function = scope_of(self.view, place.at);
        let needed = roles_between(self.view, place.before, place.after);
        let here = self.of_function.get(&function).map_or(&[][..], Vec::as_slice);
        let mut scored: Vec<(i32, u32)> = Vec::new();
        let mut offer = |sym: Sym, local: bool| {
            if place.replaced.is_some_and(|old| self.view.file.syms[old] == sym) {
                return;
            }
            if let Some(score) = self.score(sym, local, function, needed, place) {
                scored.push((-score.0, score.1));
            }
        };
        here.iter().for_each(|sym| offer(*sym, true));
        for sym in self.all.iter().filter(|sym| !here.contains(sym)) {
            offer(*sym, false);
        }
        let most = self.most.min(scored.len());
        if most < scored.len() && most > 0 {
            scored.select_nth_unstable(most - 1);
            scored.truncate(most);
        }
        scored.sort_unstable();
        let old = place.replaced.map(|old| self.view.file.token(old));
        let share = |at: usize, token: u32| {
            let alike = old.map_or(0.0, |old| similarity(old, self.view.file.token(token as usize)));
            let like = if alike > DISTINCT { LIKE * alike * alike * NEXT_LIKE.powi(at as i32) } else { 0.0 };
            UNLIKE * NEXT_UNLIKE.powi(at as i32) + like
        };
        let ranked = scored.into_iter().enumerate();
        ranked.map(|(at, (_, token))| (New::old(token), share(at, token))).collect()
    }

    /// How likely a name is, and the token that shows it; none if it cannot play the part.
    fn score(
        &self,
        sym: Sym,
        local: bool,
        function: u32,
        needed: Roles,
        place: &DrawPlace,
    ) -> Option<(i32, u32)> {
        let roles = |function| self.facts.scoped.get(&(scope(self.file, function), sym)).copied();
        let in_file = roles(WHOLE_FILE).unwrap_or_default();
        let in_function = roles(function).unwrap_or_default();
        let global = roles(0).is_some();
        let member = needed.0 & (Roles::FIELD.0 | Roles::METHOD.0) != 0;
        let plain = needed.covers(Roles::PLAIN);
        let can = in_file.covers(needed) || (plain && in_file.covers(Roles::PLAIN));
        if !can {
            return None;
        }
        if plain && !local && !global && !is_constant(self.text(sym)) {
            return None; // another function's variable
        }
        let mut score = 0;
        score += if in_function.covers(needed) { 60 } else { 0 };
        score += if local { 40 } else { 0 };
        if member && let (Some(base), Some(dot)) = (place.base, place.before) {
            score += if self.facts.pairs.contains(&member_pair(self.view, self.file, base, dot.sym, sym)) {
                120
            } else {
                -60
            };
        }
        let stands = &self.names[&sym];
        let near = stands.partition_point(|at| (*at as usize) < place.at);
        let distance = |at: Option<&u32>| at.map_or(u32::MAX, |at| at.abs_diff(place.at as u32));
        let nearest =
            distance(stands.get(near)).min(distance(near.checked_sub(1).and_then(|at| stands.get(at))));
        score += 60 - (64 - u64::from(nearest.min(1 << 16)).leading_zeros() as i32) * 4;
        if let Some(old) = place.replaced {
            let text = self.view.file.token(old);
            score += (similarity(text, self.text(sym)) * 120.0) as i32;
            score += if class(text) == class(self.text(sym)) { 30 } else { -30 };
            let types = &self.facts.types.variables;
            let key = |sym| (scope(self.file, function), sym);
            if let (Some(a), Some(b)) = (types.get(&key(self.view.file.syms[old])), types.get(&key(sym))) {
                score += if a == b { 60 } else { -40 };
            }
            if needed.0 & (Roles::CALLED.0 | Roles::METHOD.0 | Roles::PATH_CALLED.0) != 0 {
                let arities = |sym| self.facts.names.get(sym).map_or(0, |name| name.arities);
                let fits = arities(&sym) & arities(&self.view.file.syms[old]) != 0;
                score += if fits { 40 } else { -60 };
            }
        }
        Some((score, stands[near.min(stands.len() - 1)]))
    }

    fn text(&self, sym: Sym) -> &[u8] {
        self.view.file.token(self.names[&sym][0] as usize)
    }

    fn number_candidates(&self, place: &DrawPlace) -> Vec<New> {
        let old = place.replaced.map(|old| self.view.file.token(old));
        let mut out: Vec<New> = Vec::new();
        let mut texts: Vec<Vec<u8>> = old.iter().map(|text| text.to_vec()).collect();
        let value =
            old.and_then(|text| std::str::from_utf8(text).ok()).and_then(|text| text.parse::<u32>().ok());
        let steps = value.map(|value| {
            [value.checked_add(1), value.checked_sub(1), Some(0), Some(1), value.checked_mul(2)]
        });
        let steps = steps.unwrap_or([Some(0), Some(1), None, None, None]);
        for number in steps.into_iter().flatten() {
            let text = number.to_string().into_bytes();
            if let Some(literal) = self.numbers.get(number as usize)
                && !texts.contains(&text)
            {
                texts.push(text);
                out.push(New::literal(*literal));
            }
        }
        let function = scope_of(self.view, place.at);
        for scope in [function, 0] {
            let mut stands = self.literals.get(&scope).cloned().unwrap_or_default();
            stands.sort_by_key(|at| (at.abs_diff(place.at as u32), *at));
            for at in stands {
                let text = self.view.file.token(at as usize);
                if out.len() < self.most && !texts.iter().any(|known| known == text) {
                    texts.push(text.to_vec());
                    out.push(New::old(at));
                }
            }
        }
        out.truncate(self.most);
        out
    }
}

/// Written in capitals: a constant or a macro.
fn is_constant(text: &[u8]) -> bool {
    text.len() > 1 && !text.iter().any(u8::is_ascii_lowercase)
}

/// How a name is written: constant, type, or other.
fn class(text: &[u8]) -> u8 {
    match text.first().is_some_and(u8::is_ascii_uppercase) {
        true if is_constant(text) => 2,
        true => 1,
        false => 0,
    }
}

/// How alike two names read, from 0 to 1: the share of letters in common beginnings and ends, or of common words.
fn similarity(a: &[u8], b: &[u8]) -> f32 {
    let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let most = a.len().min(b.len()) - head;
    let tail = a.iter().rev().zip(b.iter().rev()).take(most).take_while(|(x, y)| x == y).count();
    let ends = 2.0 * (head + tail) as f32 / (a.len() + b.len()) as f32;
    let (x, y) = (words(a), words(b));
    let common = x.iter().filter(|word| y.contains(word)).count();
    let shared = 2.0 * common as f32 / (x.len() + y.len()).max(1) as f32;
    if head + tail < 3 && common == 0 { 0.0 } else { ends.max(shared) }
}

/// The words of a name: `maxLength`, `MAX_LENGTH` and `max_length` have two.
fn words(name: &[u8]) -> Vec<Vec<u8>> {
    let mut words: Vec<Vec<u8>> = vec![Vec::new()];
    let mut lower = false;
    for &letter in name {
        if letter == b'_' || (letter.is_ascii_uppercase() && lower) {
            words.push(Vec::new());
        }
        lower = letter.is_ascii_lowercase();
        if letter != b'_' {
            words.last_mut().expect("there is one").push(letter.to_ascii_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_share_words_are_alike() {
        assert!(similarity(b"maxLength", b"minLength") > 0.4);
        assert!(similarity(b"MAX_SIZE", b"max_size") > 0.9);
        assert!(similarity(b"left", b"right") < 0.4);
        assert!(similarity(b"a", b"b") < 0.1);
    }
}
