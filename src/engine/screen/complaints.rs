//! What a compiler says, as places and messages.

use std::path::Component;
use std::path::Path;
use std::path::PathBuf;

use regex::bytes::Regex;
use serde::Deserialize;

use crate::langdef::SwitchFile;

/// An error: where it is, and where else it points to, the most events place first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    pub places: Vec<(String, u32)>,
    pub message: String,
}

/// Reads the errors of one language's compilers.
pub struct Complaints {
    errors: Vec<Regex>,
    notes: Vec<Regex>,
    unlinked: Option<Regex>,
    /// Codes of warnings that are errors in the project's own build.
    refused: Vec<String>,
}

impl Complaints {
    /// Compiles the expressions of a language definition.
    pub fn new(switch: &SwitchFile) -> Result<Self, regex::Error> {
        let compile = |text: &String| Regex::new(&format!("(?m){text}"));
        Ok(Self {
            errors: switch.errors.iter().map(compile).collect::<Result<_, _>>()?,
            notes: switch.notes.iter().map(compile).collect::<Result<_, _>>()?,
            unlinked: switch.unlinked.as_ref().map(compile).transpose()?,
            refused: switch.refused_warnings.clone(),
        })
    }

    /// The errors in what a build said, in its order.
    pub fn read(&self, said: &[u8]) -> Vec<Complaint> {
        let mut found: Vec<(usize, Complaint)> = Vec::new();
        for (at, line) in lines(said) {
            if let Some(complaint) = line.starts_with(b"{").then(|| from_json(line, is_error)).flatten() {
                found.push((at, complaint));
            }
        }
        for captures in self.errors.iter().flat_map(|error| error.captures_iter(said)) {
            let Some(place) = place(&captures) else { continue };
            let message = text(&captures, "message");
            found.push((
                captures.get(0).map_or(0, |all| all.start()),
                Complaint { places: vec![place], message },
            ));
        }
        found.sort_by_key(|(at, _)| *at);
        self.add_notes(said, &mut found);
        found.into_iter().map(|(_, complaint)| complaint).collect()
    }

    /// The warnings of a build that would be errors in the project's own.
    pub fn refused(&self, said: &[u8]) -> Vec<Complaint> {
        if self.refused.is_empty() {
            return vec![];
        }
        let is_refused =
            |message: &Message| message.code.as_ref().is_some_and(|code| self.refused.contains(&code.code));
        let json = lines(said).filter(|(_, line)| line.starts_with(b"{"));
        json.filter_map(|(_, line)| from_json(line, is_refused)).collect()
    }

    /// A note belongs to the error before it.
    fn add_notes(&self, said: &[u8], found: &mut [(usize, Complaint)]) {
        for captures in self.notes.iter().flat_map(|note| note.captures_iter(said)) {
            let at = captures.get(0).map_or(0, |all| all.start());
            let before = found.partition_point(|(start, _)| *start < at);
            if let (Some((_, complaint)), Some(place)) =
                (before.checked_sub(1).map(|before| &mut found[before]), place(&captures))
            {
                complaint.places.push(place);
            }
        }
    }

    /// Names that the linker did not find.
    pub fn unlinked(&self, said: &[u8]) -> Vec<Vec<u8>> {
        let Some(unlinked) = &self.unlinked else { return vec![] };
        let mut names: Vec<Vec<u8>> = unlinked
            .captures_iter(said)
            .filter_map(|captures| Some(captures.name("name")?.as_bytes().to_vec()))
            .collect();
        names.sort();
        names.dedup();
        names
    }
}

fn lines(said: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    said.split_inclusive(|byte| *byte == b'\n').map(move |line| {
        at += line.len();
        (at - line.len(), line)
    })
}

fn text(captures: &regex::bytes::Captures, group: &str) -> String {
    captures.name(group).map_or(String::new(), |found| String::from_utf8_lossy(found.as_bytes()).into_owned())
}

fn place(captures: &regex::bytes::Captures) -> Option<(String, u32)> {
    Some((text(captures, "file"), text(captures, "line").parse().ok()?))
}

/// A message of cargo.
#[derive(Deserialize)]
struct CargoLine {
    message: Option<Message>,
}

#[derive(Deserialize)]
struct Message {
    level: String,
    message: String,
    #[serde(default)]
    code: Option<Code>,
    #[serde(default)]
    spans: Vec<Span>,
}

#[derive(Deserialize)]
struct Code {
    code: String,
}

#[derive(Clone, Deserialize)]
struct Span {
    file_name: String,
    line_start: u32,
    is_primary: bool,
    #[serde(default)]
    expansion: Option<Box<Expansion>>,
}

#[derive(Clone, Deserialize)]
struct Expansion {
    span: Span,
}

fn is_error(message: &Message) -> bool {
    message.level.starts_with("error")
}

fn from_json(line: &[u8], wanted: impl Fn(&Message) -> bool) -> Option<Complaint> {
    let read: CargoLine = serde_json::from_slice(line).ok()?;
    let mut message = read.message?;
    if !wanted(&message) {
        return None;
    }
    message.spans.sort_by_key(|span| !span.is_primary);
    let mut places = Vec::new();
    for span in message.spans {
        let mut open = Some(span);
        while let Some(span) = open {
            places.push((span.file_name, span.line_start));
            open = span.expansion.map(|expansion| expansion.span);
        }
    }
    (!places.is_empty()).then_some(Complaint { places, message: message.message })
}

/// The file that is meant by a path as a compiler prints it: the one whose path has the same end.
pub fn file_meant<'f>(files: impl Iterator<Item = (usize, &'f Path)>, printed: &str) -> Option<usize> {
    let printed: PathBuf = plain(Path::new(printed));
    let mut best: Option<(usize, usize)> = None;
    for (file, path) in files {
        let path = plain(path);
        let same = path.iter().rev().zip(printed.iter().rev()).take_while(|(a, b)| a == b).count();
        let whole = same == path.iter().count() || same == printed.iter().count();
        if same > 0 && whole && best.is_none_or(|(most, _)| same > most) {
            best = Some((same, file));
        }
    }
    best.map(|(_, file)| file)
}

fn plain(path: &Path) -> PathBuf {
    path.components().filter(|part| matches!(part, Component::Normal(_))).collect()
}
