//! Talking to a resident process: a line of fields there, lines of fields back.

use std::time::Duration;

use crate::control::Progress;
use crate::exec::Exceeded;
use crate::exec::Resident;
use crate::exec::ResidentLine;
use crate::exec::Spec;

use super::request::RunError;

/// A resident process.
pub struct Wire {
    process: Resident,
}

/// What was heard.
pub enum Heard {
    /// A line, as fields.
    Line(Vec<String>),
    /// Nothing in time.
    Silence,
    /// The process is gone.
    Gone,
}

impl Wire {
    /// Starts a process.
    pub fn start(spec: &Spec) -> Result<Self, RunError> {
        let process = Resident::start(spec).map_err(RunError::io(spec.line()))?;
        Ok(Self { process })
    }

    /// The limit because of which the process was ended, in words, if that is why it is gone.
    pub fn exceeded(&self) -> Option<String> {
        self.process.exceeded().map(Exceeded::message)
    }

    /// Sends a line; whether it arrived.
    pub fn say<'f>(&mut self, fields: impl IntoIterator<Item = &'f str>) -> bool {
        let line: Vec<String> = fields.into_iter().map(escape).collect();
        self.process.send(&(line.join("\t") + "\n"))
    }

    /// Waits for a line.
    pub fn hear(&mut self, limit: Duration, progress: &Progress) -> Result<Heard, RunError> {
        Ok(match self.process.line(limit, progress)? {
            ResidentLine::Text(line) => {
                let line = String::from_utf8_lossy(&line);
                Heard::Line(line.trim_end_matches(['\n', '\r']).split('\t').map(unescape).collect())
            }
            ResidentLine::Silence => Heard::Silence,
            ResidentLine::Gone => Heard::Gone,
        })
    }
}

fn escape(field: &str) -> String {
    if field.contains(['\\', '\t', '\n']) {
        return field.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n");
    }
    field.to_owned()
}

fn unescape(field: &str) -> String {
    let mut out = String::with_capacity(field.len());
    let mut letters = field.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => out.push(match letters.next() {
                Some('t') => '\t',
                Some('n') => '\n',
                Some(other) => other,
                None => '\\',
            }),
            other => out.push(other),
        }
    }
    out
}

/// Numbers and ranges of numbers: `3-7,9`.
pub fn ranges(text: &str) -> roaring::RoaringBitmap {
    let mut all = roaring::RoaringBitmap::new();
    for item in text.split(',').filter(|item| !item.is_empty() && *item != "-") {
        let (first, last) = item.split_once('-').unwrap_or((item, item));
        if let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>()) {
            all.insert_range(first..=last);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_back_as_they_were() {
        for field in ["", "a b", "tab\there", "line\nhere", "back\\slash\\t"] {
            assert_eq!(unescape(&escape(field)), field);
        }
    }

    #[test]
    fn ranges_are_read() {
        assert_eq!(ranges("3-5,9").iter().collect::<Vec<_>>(), [3, 4, 5, 9]);
        assert!(ranges("-").is_empty());
    }
}
