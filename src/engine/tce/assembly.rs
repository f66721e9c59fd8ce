//! The code of copies in a compiler's assembly, so that what is the same reads the same.
//!
//! Names that a compiler makes up (labels, constants, variables of one function) become numbers in the order
//! in which they are met, and what stands behind them becomes part of the code. So two texts that differ, or
//! two first values of a variable, are two codes.

use std::collections::BTreeMap;
use std::collections::HashMap;
use std::ops::Range;

use xxhash_rust::xxh3::xxh3_128;

use super::sheet::DIGITS;
use super::sheet::MARK;

/// Directives that put data down; labels before them have them as content.
const DATA: [&str; 21] = [
    ".string", ".ascii", ".asciz", ".long", ".quad", ".byte", ".value", ".zero", ".short", ".word", ".octa",
    ".float", ".double", ".skip", ".space", ".xword", ".hword", ".2byte", ".4byte", ".8byte", ".dword",
];

/// Directives that say nothing about what is done.
const SILENT: [&str; 8] = [".loc", ".file", ".cfi_", ".type", ".size", ".globl", ".local", ".weak"];

/// Assembly, and where names are defined in it.
struct Assembly<'a> {
    lines: Vec<&'a str>,
    /// The lines that a name stands for.
    definitions: HashMap<&'a str, Range<usize>>,
}

/// The code of every copy as a number: equal numbers, equal code.
pub fn codes(text: &str) -> BTreeMap<usize, u128> {
    let assembly = Assembly::new(text);
    let mut found = BTreeMap::new();
    for (name, range) in &assembly.definitions {
        let is_function = assembly.is_function(name, range);
        if let Some(number) = copy_number(name).filter(|_| is_function && !name.ends_with(".cold")) {
            // Two functions with one number cannot be told apart by it: neither is like anything.
            let code = xxh3_128(assembly.canonical(name).as_bytes());
            found.entry(number).and_modify(|code: &mut Option<u128>| *code = None).or_insert(Some(code));
        }
    }
    found.into_iter().filter_map(|(number, code)| Some((number, code?))).collect()
}

/// The code of everything that has a name of its own, as one number.
pub fn whole_code(text: &str) -> u128 {
    let assembly = Assembly::new(text);
    let named = assembly.definitions.keys().filter(|name| !is_private(name));
    let sorted: std::collections::BTreeSet<&str> = named.copied().collect();
    let all: Vec<String> =
        sorted.iter().map(|name| format!("{name}:\n{}", assembly.canonical(name))).collect();
    xxh3_128(all.concat().as_bytes())
}

impl<'a> Assembly<'a> {
    fn new(text: &'a str) -> Self {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let sizes: HashMap<&str, usize> =
            lines.iter().enumerate().filter_map(|(at, line)| Some((size_of(line)?, at))).collect();
        let mut definitions = HashMap::new();
        for (at, line) in lines.iter().enumerate() {
            if let Some(name) = label(line) {
                // What has a size behind it is code; the size of data stands before it.
                let end = sizes.get(name).copied().filter(|end| *end > at);
                definitions.insert(name, at..end.unwrap_or_else(|| data_end(&lines, at + 1)));
            } else if let Some(name) = value_of(line) {
                definitions.entry(name).or_insert(at..at + 1);
            }
        }
        Self { lines, definitions }
    }

    fn is_function(&self, name: &str, range: &Range<usize>) -> bool {
        self.lines.get(range.end).and_then(|line| size_of(line)) == Some(name)
    }

    /// The code of a function, and what stands behind the names in it.
    fn canonical(&self, function: &'a str) -> String {
        let mut writer = Writer { assembly: self, numbers: HashMap::new(), open: vec![], out: String::new() };
        writer.name(function);
        let mut next = 0;
        while let Some(range) = writer.open.get(next).cloned() {
            for line in &self.lines[range] {
                writer.line(line);
            }
            writer.out.push_str("--\n");
            next += 1;
        }
        writer.out
    }
}

struct Writer<'a> {
    assembly: &'a Assembly<'a>,
    numbers: HashMap<&'a str, usize>,
    /// What is to be written, in the order in which it was met.
    open: Vec<Range<usize>>,
    out: String,
}

impl<'a> Writer<'a> {
    fn line(&mut self, line: &'a str) {
        let silent = line.is_empty() || line.starts_with('#');
        if silent || SILENT.iter().any(|start| line.starts_with(start)) {
            return;
        }
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '"' => string_length(rest),
                first if is_wordly(first) => rest.find(|c| !is_wordly(c)).unwrap_or(rest.len()),
                first => first.len_utf8(),
            };
            let (piece, after) = rest.split_at(length);
            match first {
                '"' => self.out.push_str(&without_numbers(piece)),
                _ if is_private(piece) => self.name(piece),
                _ => self.out.push_str(piece),
            }
            rest = after;
        }
        self.out.push('\n');
    }

    /// Writes a made-up name's number; what it stands for follows.
    fn name(&mut self, name: &'a str) {
        let next = self.numbers.len();
        let number = *self.numbers.entry(name).or_insert(next);
        self.out.push_str(&format!("@{number}"));
        let Some(range) = self.assembly.definitions.get(name) else {
            // Nobody knows what it is: it is like nothing else.
            self.out.push_str(name);
            return;
        };
        let written = |open: &Range<usize>| open.start <= range.start && range.start < open.end;
        if !self.open.iter().any(written) {
            self.open.push(range.clone());
        }
    }
}

fn is_wordly(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '$')
}

/// Whether a compiler made a name up: `.L3`, `count.0`, or a copy's own.
fn is_private(word: &str) -> bool {
    let begins = word.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '.'));
    let numbered = |word: &str| {
        let (name, number) = word.rsplit_once('.').unwrap_or_default();
        !name.is_empty() && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    begins && (word.starts_with(".L") || numbered(word) || copy_number(word).is_some())
}

fn copy_number(name: &str) -> Option<usize> {
    let (_, rest) = name.split_once(MARK)?;
    rest.get(..DIGITS)?.parse().ok()
}

fn label(line: &str) -> Option<&str> {
    let name = line.strip_suffix(':')?;
    (!name.is_empty() && name.chars().all(is_wordly)).then_some(name)
}

fn size_of(line: &str) -> Option<&str> {
    line.strip_prefix(".size")?.split_once(',').map(|(name, _)| name.trim())
}

/// The name that `.comm name, 4, 4` or `.set name, other` defines.
fn value_of(line: &str) -> Option<&str> {
    let rest = [".comm", ".lcomm", ".set"].iter().find_map(|start| line.strip_prefix(start))?;
    rest.split_once(',').map(|(name, _)| name.trim())
}

fn data_end(lines: &[&str], start: usize) -> usize {
    let is_data = |line: &&&str| line.split_whitespace().next().is_some_and(|word| DATA.contains(&word));
    start + lines[start..].iter().take_while(is_data).count()
}

fn string_length(text: &str) -> usize {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        let closes = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        closes
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

/// A text without the numbers of copies: `__func__` and `__FILE__` have them.
fn without_numbers(text: &str) -> String {
    let mut parts = text.split(MARK);
    let mut out = parts.next().unwrap_or("").to_owned();
    for part in parts {
        out.push_str(MARK);
        let digits = part.get(..DIGITS).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
        out.push_str(&part[digits.map_or(0, str::len)..]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copy(number: usize, text: &str, label: usize, code: &str) -> String {
        format!(
            ".LC{label}:\n\t.string\t\"{text}\"\n\t.text\nf__wc_{number:06}:\n.L{label}:\n\tleaq\t.LC{label}(%rip)\n\t{code}\n\
             \tjmp\t.L{label}\n\t.size\tf__wc_{number:06}, .-f__wc_{number:06}\n"
        )
    }

    fn same(first: &str, second: &str) -> bool {
        let found = codes(&format!("{first}{second}"));
        assert_eq!(found.len(), 2);
        found[&0] == found[&1]
    }

    #[test]
    fn names_do_not_matter_and_what_they_stand_for_does() {
        let first = copy(0, "a f__wc_000000", 3, "nop");
        assert!(same(&first, &copy(1, "a f__wc_000001", 9, "nop")));
        assert!(!same(&first, &copy(1, "b", 9, "nop")));
        assert!(!same(&first, &copy(1, "a f__wc_000001", 9, "ret")));
    }

    #[test]
    fn first_values_of_variables_are_compared() {
        let variable = |name: &str, value: u32| format!("\t.size\t{name}, 4\n{name}:\n\t.long\t{value}\n");
        let with = |number: usize, name: &str, value: u32| {
            copy(number, "", number, &format!("movl {name}(%rip), %eax")) + &variable(name, value)
        };
        assert!(same(&with(0, "count.0", 5), &with(1, "count.1", 5)));
        assert!(!same(&with(0, "count.0", 5), &with(1, "count.1", 6)));
    }

    #[test]
    fn a_name_that_stands_for_nothing_known_is_like_nothing() {
        let first = copy(0, "", 3, "movl there.0, %eax");
        assert!(!same(&first, &copy(1, "", 4, "movl there.1, %eax")));
    }

    #[test]
    fn a_file_is_the_same_if_all_its_functions_and_variables_are() {
        let function = |name: &str, label: usize, code: &str| {
            format!("{name}:\n.L{label}:\n\t{code}\n\tjmp .L{label}\n\t.size\t{name}, .-{name}\n")
        };
        let file = |label, code, value| {
            let (f, g) = (function("f", label, "nop"), function("g", label + 1, code));
            whole_code(&format!("{f}{g}\t.size\tv, 4\nv:\n\t.long\t{value}\n"))
        };
        assert_eq!(file(1, "ret", 5), file(7, "ret", 5));
        assert_ne!(file(1, "ret", 5), file(1, "nop", 5));
        assert_ne!(file(1, "ret", 5), file(1, "ret", 6));
    }
}
