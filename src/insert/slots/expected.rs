//! Texts that tests expect, and how the texts of a program differ from them.
//!
//! A text of the program is looked for in every expected text, as well as it fits: letters may differ, white space is
//! cheap, and what is filled in (`%d`, `{}`) fits any word. What stands there in the expected text takes its place.
//! Parts of expected texts that no text of the program fits are shared out among the texts that fit nowhere.

use std::collections::BTreeMap;

/// Shorter texts, in letters and digits, say too little.
const SHORTEST: usize = 4;
/// The most edits per letter at which two texts are still taken for one.
const MOST_EDITS: f64 = 0.45;
/// What a character costs that is there on one side only, if it is white space.
const SPACE: f64 = 0.05;
/// Longer texts are not looked at.
const LONGEST: usize = 2_000;
/// Expected texts that are looked at.
const MOST: usize = 400;
/// Characters of expected texts that are looked at.
const MOST_LETTERS: usize = 30_000;

/// Texts that tests expect.
#[derive(Clone, Debug, Default)]
pub struct ExpectedTexts {
    texts: Vec<Vec<char>>,
    /// For texts of the program that stand nowhere, with their quotes, what could stand there instead.
    shared_out: BTreeMap<String, String>,
}

/// A part of a program's text.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Item {
    Letter(char),
    /// Something that is filled in, by its first and last character in the text.
    Filled(usize, usize),
}

impl ExpectedTexts {
    /// Texts, without quotes.
    pub fn new(texts: impl IntoIterator<Item = String>) -> Self {
        let mut known: Vec<Vec<char>> = Vec::new();
        for text in texts {
            let text: Vec<char> = text.replace("\\n", "\n").replace("\\t", "\t").chars().collect();
            let room = known.iter().map(Vec::len).sum::<usize>() + text.len() <= MOST_LETTERS;
            if text.len() <= LONGEST && room && known.len() < MOST && !known.contains(&text) {
                known.push(text);
            }
        }
        Self { texts: known, shared_out: BTreeMap::new() }
    }

    /// Shares parts of expected texts that no text of the program fits out among those that fit nowhere, by how alike
    /// they are.
    pub fn share_out(&mut self, literals: &[String]) {
        let astray: Vec<&String> =
            literals.iter().filter(|literal| self.is_astray(literal)).take(MOST).collect();
        let left = self.left_over(literals);
        let mut pairs: Vec<(f64, &String, &Vec<char>)> = Vec::new();
        for literal in astray {
            let Some((_, inner, _)) = unquoted(literal) else { continue };
            let inner: Vec<char> = inner.chars().collect();
            let items = items(&inner);
            let filled = items.iter().any(|(item, _)| matches!(item, Item::Filled(..)));
            for part in left.iter().filter(|_| !filled) {
                let Some(found) = fit(&items, &inner, part) else { continue };
                let outside = part.len() - (found.end - found.start);
                pairs.push((found.cost + outside as f64, literal, part));
            }
        }
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut used: Vec<&Vec<char>> = Vec::new();
        let mut shared_out = BTreeMap::new();
        for (_, literal, part) in pairs {
            if !used.contains(&part) && !shared_out.contains_key(literal) {
                used.push(part);
                shared_out.insert(literal.clone(), put_between(literal, part));
            }
        }
        self.shared_out = shared_out;
    }

    /// Whether a literal says something and stands in no expected text.
    fn is_astray(&self, literal: &str) -> bool {
        let Some((_, inner, _)) = unquoted(literal) else { return false };
        let inner: Vec<char> = inner.chars().collect();
        let items = items(&inner);
        let says = letters(&inner) >= SHORTEST && inner.len() <= LONGEST;
        says && !self.texts.iter().any(|text| fit(&items, &inner, text).is_some_and(|fit| fit.cost < 0.5))
    }

    /// Parts of expected texts that no literal fits, each once.
    fn left_over(&self, literals: &[String]) -> Vec<Vec<char>> {
        let mut parts: Vec<Vec<char>> = Vec::new();
        for text in &self.texts {
            let mut covered = vec![false; text.len()];
            for literal in literals {
                let Some((_, inner, _)) = unquoted(literal) else { continue };
                let inner: Vec<char> = inner.chars().collect();
                if letters(&inner) < SHORTEST {
                    continue;
                }
                if let Some(found) = fit(&items(&inner), &inner, text).filter(|found| found.cost < 0.5) {
                    covered[found.start..found.end].fill(true);
                }
            }
            if !covered.contains(&true) {
                continue; // it may be of something else
            }
            let mut start = 0;
            for run in covered.chunk_by(|a, b| a == b) {
                let end = start + run.len();
                let part: String = text[start..end].iter().collect();
                let part: Vec<char> = part.trim().chars().collect();
                if !run[0] && letters(&part) >= SHORTEST && !parts.contains(&part) {
                    parts.push(part);
                }
                start = end;
            }
        }
        parts
    }

    /// How a literal of the program, with its quotes, could be written instead, the best first; nothing if it is as
    /// expected, or like nothing that is.
    pub fn rewritten(&self, literal: &str) -> Vec<String> {
        let Some((open, inner, close)) = unquoted(literal) else { return vec![] };
        let inner: Vec<char> = inner.chars().collect();
        let letters = letters(&inner);
        if letters < SHORTEST || inner.len() > LONGEST {
            return vec![];
        }
        let items = items(&inner);
        let mut found: Vec<(f64, String)> = Vec::new();
        for expected in &self.texts {
            let Some(fit) = fit(&items, &inner, expected) else { continue };
            if fit.cost < 0.5 {
                return vec![]; // it stands there, but for white space
            }
            if fit.cost <= MOST_EDITS * letters as f64 {
                let text = format!("{open}{}{close}", fit.text);
                if !found.iter().any(|(_, known)| *known == text) {
                    found.push((fit.cost, text));
                }
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        found.truncate(3);
        let shared_out = self.shared_out.get(literal).cloned();
        let mut all: Vec<String> =
            shared_out.into_iter().chain(found.into_iter().map(|(_, text)| text)).collect();
        let mut seen: Vec<String> = Vec::new();
        all.retain(|text| {
            !seen.contains(text) && {
                seen.push(text.clone());
                true
            }
        });
        all
    }
}

/// How many letters and digits a text has.
fn letters(text: &[char]) -> usize {
    text.iter().filter(|letter| letter.is_alphanumeric()).count()
}

/// A text between the quotes of a literal, with the line ends that this has around it.
fn put_between(literal: &str, part: &[char]) -> String {
    let Some((open, inner, close)) = unquoted(literal) else { return literal.to_owned() };
    let before = if inner.starts_with("\\n") { "\\n" } else { "" };
    let behind = if inner.ends_with("\\n") { "\\n" } else { "" };
    let text: String = part.iter().map(|letter| escaped(*letter)).collect();
    format!("{open}{before}{text}{behind}{close}")
}

/// A literal without its quotes, and these.
fn unquoted(literal: &str) -> Option<(&str, &str, &str)> {
    let quote = literal.find(['"', '\'', '`'])?;
    let mark = literal[quote..].chars().next()?;
    let end = literal.rfind(mark).filter(|end| *end > quote)?;
    Some((&literal[..=quote], &literal[quote + 1..end], &literal[end..]))
}

/// The parts of a text: `\n` is white space, `%5.2f` and `{}` are filled in.
fn items(text: &[char]) -> Vec<(Item, usize)> {
    let mut items = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let letter = text[at];
        let end = match letter {
            '%' => conversion(text, at),
            '{' => text[at..].iter().position(|letter| *letter == '}').map(|length| at + length),
            _ => None,
        };
        if let Some(end) = end {
            items.push((Item::Filled(at, end), at));
            at = end + 1;
        } else if letter == '\\' && at + 1 < text.len() {
            let meant = match text[at + 1] {
                'n' => '\n',
                't' => '\t',
                other => other,
            };
            items.push((Item::Letter(meant), at));
            at += 2;
        } else {
            items.push((Item::Letter(letter), at));
            at += 1;
        }
    }
    items
}

/// Where a conversion such as `%5.2f` ends.
fn conversion(text: &[char], at: usize) -> Option<usize> {
    let flags = |letter: &char| matches!(letter, '0'..='9' | '.' | '-' | '+' | ' ' | '#' | 'l' | 'h');
    let end = at + 1 + text[at + 1..].iter().take_while(|letter| flags(letter)).count();
    text.get(end).filter(|letter| letter.is_ascii_alphabetic()).map(|_| end)
}

/// How a text fits into an expected one.
struct Fit {
    cost: f64,
    /// Where it stands in the expected text.
    start: usize,
    end: usize,
    /// What stands there in the expected text, with what is filled in as it was.
    text: String,
}

/// What it costs that a letter stands on one side only.
fn alone(letter: char) -> f64 {
    if letter.is_whitespace() { SPACE } else { 1.0 }
}

/// Finds the best place for a text in an expected one.
fn fit(items: &[(Item, usize)], inner: &[char], expected: &[char]) -> Option<Fit> {
    let width = expected.len() + 1;
    let mut cost = vec![0.0f64; (items.len() + 1) * width];
    // How each cell was reached: 0 both, 1 only in the program, 2 only expected.
    let mut step = vec![0u8; (items.len() + 1) * width];
    for (row, (item, _)) in items.iter().enumerate() {
        for column in 0..width {
            let here = (row + 1) * width + column;
            let (mut best, mut how) = match item {
                Item::Letter(letter) => (cost[row * width + column] + alone(*letter), 1),
                Item::Filled(..) => (cost[row * width + column] + 1.0, 1),
            };
            if column > 0 {
                let found = expected[column - 1];
                let (both, only) = match item {
                    Item::Letter(letter) => (differ(*letter, found), alone(found)),
                    // What is filled in goes on over a word.
                    Item::Filled(..) if found.is_whitespace() => (1.0, 1.0),
                    Item::Filled(..) => (0.0, 0.001),
                };
                let (both, only) = (cost[row * width + column - 1] + both, cost[here - 1] + only);
                if both <= best {
                    (best, how) = (both, 0);
                }
                if only < best {
                    (best, how) = (only, 2);
                }
            }
            (cost[here], step[here]) = (best, how);
        }
    }
    let last = items.len() * width;
    // Of ends that cost the same, the last: letters are exchanged rather than left out.
    let end = (0..width).rev().min_by(|a, b| cost[last + a].total_cmp(&cost[last + b]))?;
    let (text, start) = traced(items, inner, expected, &step, end);
    Some(Fit { cost: cost[last + end], start, end, text })
}

fn differ(mine: char, theirs: char) -> f64 {
    match mine == theirs || (mine.is_whitespace() && theirs.is_whitespace()) {
        true => 0.0,
        false => 1.0,
    }
}

/// What the program's text becomes, from the last character to the first, and where it begins.
fn traced(
    items: &[(Item, usize)],
    inner: &[char],
    expected: &[char],
    step: &[u8],
    end: usize,
) -> (String, usize) {
    let width = expected.len() + 1;
    let (mut row, mut column) = (items.len(), end);
    let mut out: Vec<String> = Vec::new();
    while row > 0 {
        let (item, from) = items[row - 1];
        let to = items.get(row).map_or(inner.len(), |(_, next)| *next);
        let own = || inner[from..to].iter().collect::<String>();
        match (step[row * width + column], item) {
            (0, Item::Filled(..)) => {
                out.push(own());
                (row, column) = (row - 1, column - 1);
            }
            (0, Item::Letter(letter)) => {
                let found = expected[column - 1];
                out.push(if differ(letter, found) == 0.0 { own() } else { escaped(found) });
                (row, column) = (row - 1, column - 1);
            }
            (1, Item::Letter(letter)) => {
                // White space that nobody asked for does no harm.
                out.extend(letter.is_whitespace().then(own));
                row -= 1;
            }
            (1, Item::Filled(..)) => {
                out.push(own());
                row -= 1;
            }
            (_, Item::Filled(..)) => column -= 1,
            (_, Item::Letter(_)) => {
                out.push(escaped(expected[column - 1]));
                column -= 1;
            }
        }
    }
    out.reverse();
    (out.concat(), column)
}

/// A character as it is written between quotes.
fn escaped(letter: char) -> String {
    match letter {
        '\n' => "\\n".into(),
        '\t' => "\\t".into(),
        '"' => "\\\"".into(),
        '%' => "%%".into(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(literal: &str, expected: &str) -> Vec<String> {
        ExpectedTexts::new([expected.to_owned()]).rewritten(literal)
    }

    #[test]
    fn a_text_that_differs_in_some_letters_is_rewritten() {
        let expected = "Enter a number > 5 is the median";
        assert_eq!(rewritten("\"%d is the medium\\n\"", expected), ["\"%d is the median\\n\""]);
        assert_eq!(
            rewritten("\"Student has a %c grade\\n\"", "Student has an A grade"),
            ["\"Student has an %c grade\\n\""]
        );
    }

    #[test]
    fn what_no_text_of_the_program_says_goes_to_the_text_that_nobody_expects() {
        let mut texts = ExpectedTexts::new([
            "Score > Student has an A grade".into(),
            "Score > Student has failed the course".into(),
        ]);
        let literals = ["\"Score > \"", "\"Student has an A grade\\n\"", "\"Student has an F grade\\n\""];
        texts.share_out(&literals.map(str::to_owned));
        assert_eq!(texts.rewritten(literals[2])[0], "\"Student has failed the course\\n\"");
        assert!(texts.rewritten(literals[1]).is_empty());
    }

    #[test]
    fn a_text_that_is_expected_but_for_white_space_stays() {
        assert!(rewritten("\"%d is the  median\\n\"", "Enter > 5 is the median").is_empty());
    }

    #[test]
    fn a_text_like_no_other_and_a_short_one_stay() {
        assert!(rewritten("\"something else\"", "5 is the median").is_empty());
        assert!(rewritten("\"is\"", "5 is the median").is_empty());
    }
}
