//! A process that stays and answers line by line.

use std::io;
use std::io::BufRead;
use std::io::BufReader;
use std::io::PipeReader;
use std::io::PipeWriter;
use std::io::Read;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;
use std::sync::mpsc;
use std::sync::mpsc::Receiver;
use std::sync::mpsc::RecvTimeoutError;
use std::sync::mpsc::SyncSender;
use std::time::Duration;
use std::time::Instant;

use crate::control::Progress;
use crate::control::Stopped;

use super::process::Process;
use super::quota::Exceeded;
use super::sandbox::Sandbox;
use super::spec::Spec;
use super::start::Life;
use super::start::nothing;

/// How long a wish to stop may go unnoticed.
const NOTICE: Duration = Duration::from_millis(100);
/// The longest line that is taken as one, in bytes.
const LONGEST_LINE: u64 = 64 << 20;
/// How many bytes of lines may wait to be read before the process is given up.
const MOST_WAITING: usize = 256 << 20;
/// How many lines may wait to be read before the process has to wait.
const MOST_LINES: usize = 4096;

/// A process that reads lines and prints lines. It ends, with all its children, when this is dropped.
pub struct Resident {
    process: Process,
    input: Option<PipeWriter>,
    lines: Receiver<Vec<u8>>,
    /// Bytes of the lines that wait to be read.
    waiting: Arc<AtomicUsize>,
    sandbox: Sandbox,
    exceeded: Option<Exceeded>,
}

/// What came when a line was waited for.
#[derive(Debug, PartialEq, Eq)]
pub enum ResidentLine {
    /// A line, with its end.
    Text(Vec<u8>),
    /// Nothing in time.
    Silence,
    /// The process is gone.
    Gone,
}

impl Resident {
    /// Starts a process. Its time is limited line by line ([`Resident::line`]); standard error is dropped.
    pub fn start(spec: &Spec) -> io::Result<Self> {
        let (output, to_us) = io::pipe()?;
        let (from_us, input) = io::pipe()?;
        let process = spec.start([from_us.into(), to_us.into(), nothing()?], Life::OfOurs)?;
        let (sender, lines) = mpsc::sync_channel(MOST_LINES);
        let waiting = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&waiting);
        std::thread::spawn(move || forward(output, &sender, &counted));
        Ok(Self {
            process,
            input: Some(input),
            lines,
            waiting,
            sandbox: spec.sandbox.clone(),
            exceeded: None,
        })
    }

    /// The limit because of which it was ended, if that is why it is gone.
    pub fn exceeded(&self) -> Option<Exceeded> {
        self.exceeded
    }

    /// Sends a text; whether it arrived.
    pub fn send(&mut self, text: &str) -> bool {
        let Some(input) = &mut self.input else { return false };
        input.write_all(text.as_bytes()).and_then(|()| input.flush()).is_ok()
    }

    /// Waits for a line.
    pub fn line(&mut self, limit: Duration, progress: &Progress) -> Result<ResidentLine, Stopped> {
        let begun = Instant::now();
        loop {
            let left = limit.saturating_sub(begun.elapsed());
            match self.lines.recv_timeout(left.min(NOTICE)) {
                Ok(line) => {
                    self.waiting.fetch_sub(line.len(), Ordering::Relaxed);
                    return Ok(ResidentLine::Text(line));
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(ResidentLine::Gone),
                Err(RecvTimeoutError::Timeout) => progress.check()?,
            }
            self.exceeded = self.sandbox.exceeded(&self.process);
            if self.exceeded.is_some() {
                // It is told to be gone, whether or not that works.
                let _ = self.process.end();
                return Ok(ResidentLine::Gone);
            }
            if begun.elapsed() >= limit {
                return Ok(ResidentLine::Silence);
            }
        }
    }
}

/// Passes lines on until there are none, too many wait, or nobody reads them.
fn forward(output: PipeReader, sender: &SyncSender<Vec<u8>>, waiting: &AtomicUsize) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    while matches!(output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line), Ok(1..)) {
        let before = waiting.fetch_add(line.len(), Ordering::Relaxed);
        if before > MOST_WAITING || sender.send(std::mem::take(&mut line)).is_err() {
            return;
        }
    }
}

impl Drop for Resident {
    fn drop(&mut self) {
        drop(self.input.take());
        // It is gone or about to be; nothing can be done about it here.
        let _ = self.process.end();
        self.sandbox.tidy(&self.process);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_go_in_and_come_out() {
        let progress = Progress::default();
        let mut cat = Resident::start(&Spec::program("cat", "/")).unwrap();
        assert!(cat.send("one\ntwo\n"));
        let wait = Duration::from_secs(60);
        assert_eq!(cat.line(wait, &progress), Ok(ResidentLine::Text(b"one\n".to_vec())));
        assert_eq!(cat.line(wait, &progress), Ok(ResidentLine::Text(b"two\n".to_vec())));
        assert_eq!(cat.line(Duration::from_millis(10), &progress), Ok(ResidentLine::Silence));
        progress.stop();
        assert_eq!(cat.line(wait, &progress), Err(Stopped));
    }

    #[test]
    fn a_process_that_is_gone_is_noticed() {
        let mut gone = Resident::start(&Spec::shell("exit 0", "/")).unwrap();
        assert_eq!(gone.line(Duration::from_secs(60), &Progress::default()), Ok(ResidentLine::Gone));
    }
}
