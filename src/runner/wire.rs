//! Talking to a resident process: a line of fields there, lines of fields back.

use std::io::BufRead;
use std::io::BufReader;
use std::io::Write;
use std::path::Path;
use std::process::Child;
use std::process::ChildStdin;
use std::process::Command;
use std::process::Stdio;
use std::sync::mpsc;
use std::sync::mpsc::Receiver;
use std::time::Duration;
use std::time::Instant;

use crate::control::Progress;
use crate::exec::end_group;
use crate::exec::in_own_group;

use super::request::RunError;

/// How long a wish to stop may go unnoticed.
const NOTICE: Duration = Duration::from_millis(100);

/// A resident process.
pub struct Wire {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
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
    pub fn start(
        command: &mut Command,
        directory: &Path,
        env: &[(String, String)],
    ) -> Result<Self, RunError> {
        let what = format!("{command:?}");
        command
            .current_dir(directory)
            .envs(env.iter().map(|(key, value)| (key, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        in_own_group(command);
        let mut child = command.spawn().map_err(RunError::io(what))?;
        let output = child.stdout.take().expect("it is piped");
        let input = child.stdin.take();
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut line = Vec::new();
            while matches!(output.read_until(b'\n', &mut line), Ok(1..)) {
                if sender.send(std::mem::take(&mut line)).is_err() {
                    return;
                }
            }
        });
        Ok(Self { child, input, lines })
    }

    /// Says a line; whether it arrived.
    pub fn say<'f>(&mut self, fields: impl IntoIterator<Item = &'f str>) -> bool {
        let line: Vec<String> = fields.into_iter().map(escape).collect();
        let line = line.join("\t") + "\n";
        let input = self.input.as_mut().expect("it is open until the end");
        input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_ok()
    }

    /// Waits for a line.
    pub fn hear(&mut self, limit: Duration, progress: &Progress) -> Result<Heard, RunError> {
        let begun = Instant::now();
        loop {
            let left = limit.saturating_sub(begun.elapsed());
            match self.lines.recv_timeout(left.min(NOTICE)) {
                Ok(line) => {
                    let line = String::from_utf8_lossy(&line);
                    return Ok(Heard::Line(
                        line.trim_end_matches(['\n', '\r']).split('\t').map(unescape).collect(),
                    ));
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => return Ok(Heard::Gone),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
            }
            if progress.stopped() {
                return Err(RunError::Stopped);
            }
            if begun.elapsed() >= limit {
                return Ok(Heard::Silence);
            }
        }
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        drop(self.input.take());
        end_group(&self.child);
        // It is gone or about to be; nothing can be done about it here.
        let _ = self.child.wait();
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
