//! Progress of submitted work.

use std::fmt::Write;

use indicatif::ProgressBar;
use indicatif::ProgressStyle;

use super::scripts::Desk;
use super::scripts::Standing;
use super::scripts::ranges;
use super::scripts::shown;

/// A bar with the parts that ended.
pub struct PartsBar(ProgressBar);

impl PartsBar {
    pub fn new(parts: u32, quiet: bool) -> Self {
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(parts.into()) };
        let style = ProgressStyle::with_template("{bar:24} {human_pos}/{human_len} parts{msg} ({elapsed})");
        bar.set_style(style.expect("the template is a constant"));
        Self(bar)
    }

    pub fn show(&self, standing: &Standing) {
        self.0.set_position((standing.done.len() + standing.failed.len()) as u64);
        if !standing.failed.is_empty() {
            self.0.set_message(format!(", {} failed", standing.failed.len()));
        }
        self.0.tick();
    }
}

impl Drop for PartsBar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

impl Standing {
    /// The outcome of the parts; `queued` are those that wait or run.
    pub fn text(&self, desk: &Desk, queued: &[u32]) -> String {
        let mut text = format!("{} of {} parts are done\n", self.done.len(), desk.work.parts);
        let (waiting, lost): (Vec<u32>, Vec<u32>) = self.open.iter().partition(|part| queued.contains(part));
        if !waiting.is_empty() {
            let _ = writeln!(text, "waiting or running: {}", ranges(&waiting));
        }
        if !lost.is_empty() {
            let _ = writeln!(text, "lost (no exit code) or never ran: {}", ranges(&lost));
        }
        for (part, code) in &self.failed {
            let log = shown(&desk.log(&part.to_string()));
            let _ = writeln!(text, "part {part} failed: exit code {code}, {log}");
        }
        text
    }
}
