//! The result of a build.

/// What make says of a command that failed.
const MAKE_FAILED: &str = ": *** [";
/// What one of these is in was said by a compiler or a linker.
const COMPILERS_SAY: [&str; 5] = ["error:", "Error:", "[ERROR]", "error CS", ".go:"];

/// The result of a build.
pub struct Built {
    pub fine: bool,
    pub said: Vec<u8>,
}

impl Built {
    /// Whether make failed though no compiler refused anything: a program that the build runs failed, such as a test.
    pub fn ran_what_failed(&self) -> bool {
        let says = |text: &&str| memchr::memmem::find(&self.said, text.as_bytes()).is_some();
        !self.fine && says(&MAKE_FAILED) && !COMPILERS_SAY.iter().any(says)
    }

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

/// What cargo would print for a message that is an error.
pub(super) fn rendered(line: &str) -> Option<String> {
    let read: serde_json::Value = serde_json::from_str(line).ok()?;
    let message = read.get("message")?;
    let error = message.get("level")?.as_str()?.starts_with("error");
    error.then(|| message.get("rendered")?.as_str().map(str::to_owned)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_that_runs_tests_fails_by_them_or_by_its_compiler() {
        let built = |said: &str| Built { fine: false, said: said.into() };
        assert!(built("cc a.c\n./a\nFAILED: 3\nmake: *** [Makefile:6: test] Error 1\n").ran_what_failed());
        let refused = "a.c:3: error: expected ';'\nmake: *** [Makefile:6: a] Error 1\n";
        assert!(!built(refused).ran_what_failed() && !built("FAILED: 3\n").ran_what_failed());
    }
}
