//! What came of a build.

/// What came of a build.
pub struct Built {
    pub fine: bool,
    pub said: Vec<u8>,
}

impl Built {
    /// The last lines of what it said, cargo's messages as cargo would print them.
    pub fn last_lines(&self) -> String {
        tail(&self.said)
    }
}

/// The last lines of what a build said.
fn tail(said: &[u8]) -> String {
    const LINES: usize = 12;
    let text = String::from_utf8_lossy(said);
    let rendered = text.lines().map(|line| rendered(line).unwrap_or_else(|| line.to_owned()));
    let lines: Vec<String> = rendered.filter(|line| !line.starts_with('{')).collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}

/// What cargo would print for a message.
fn rendered(line: &str) -> Option<String> {
    let read: serde_json::Value = serde_json::from_str(line).ok()?;
    let message = read.get("message")?;
    let error = message.get("level")?.as_str()?.starts_with("error");
    error.then(|| message.get("rendered")?.as_str().map(str::to_owned)).flatten()
}
