//! Where a program was when it crashed: from addresses to functions.
//!
//! In: what the library that catches signals wrote: the program's path, then a line per frame as `backtrace_symbols` has
//! it. Out: functions, the
//! innermost first. `addr2line` is asked once for each address.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;

use crate::exec::Spec;
use crate::exec::Streams;

/// Functions of the system at the inner end of a stack.
const SYSTEM: [&str; 6] = ["__GI_", "__pthread_", "__restore_rt", "gsignal", "on_signal", "note_stack"];

/// An address in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Frame {
    file: String,
    address: u64,
}

/// Names of functions by their addresses, as far as they were asked for.
#[derive(Default)]
pub struct Symbols {
    known: Mutex<BTreeMap<Frame, Option<String>>>,
}

impl Symbols {
    /// The functions that a run was in when it crashed, the innermost first; none if it did not.
    pub fn stack(&self, written: &Path) -> Vec<String> {
        let Ok(text) = fs::read_to_string(written) else { return vec![] };
        let (program, lines) = text.split_once('\n').unwrap_or_default();
        let frames: Vec<_> = lines.lines().filter_map(|line| frame(line, program)).collect();
        let mut known = self.known.lock().expect("the lock is not poisoned");
        let mut asked: BTreeMap<&str, Vec<&Frame>> = BTreeMap::new();
        for frame in
            frames.iter().filter_map(|frame| frame.as_ref().err()).filter(|frame| !known.contains_key(*frame))
        {
            asked.entry(&frame.file).or_default().push(frame);
        }
        for (file, frames) in asked {
            let names = names(file, &frames);
            known.extend(frames.into_iter().cloned().zip(names));
        }
        let named = frames.iter().filter_map(|frame| match frame {
            Ok(name) => Some(name.clone()),
            Err(frame) => known.get(frame).cloned().flatten(),
        });
        named.filter(|name| !SYSTEM.iter().any(|known| name.starts_with(known))).collect()
    }
}

/// A line: the name of a function that is exported, or an address in a file. What has no whole path is the program.
fn frame(line: &str, program: &str) -> Option<Result<String, Frame>> {
    let (file, rest) = line.split_once('(')?;
    let (inside, rest) = rest.split_once(')')?;
    let hexadecimal = |text: &str| u64::from_str_radix(text.trim_start_matches("0x"), 16).ok();
    let (name, offset) = inside.split_once('+').unwrap_or((inside, ""));
    if !name.is_empty() {
        return Some(Ok(name.to_owned()));
    }
    // A program that is loaded where it was linked for has no offset.
    let whole = rest.trim().trim_start_matches('[').trim_end_matches(']');
    let address = hexadecimal(if offset.is_empty() { whole } else { offset })?;
    // A call that does not return may be the last of its function: one before what it would return to.
    let file = if file.starts_with('/') { file } else { program };
    Some(Err(Frame { file: file.to_owned(), address: address.saturating_sub(1) }))
}

/// What `addr2line` calls addresses of a file; nothing where it is missing or does not know.
fn names(file: &str, frames: &[&Frame]) -> Vec<Option<String>> {
    let addresses = frames.iter().map(|frame| format!("{:#x}", frame.address));
    let spec = Spec::program("addr2line", Path::new("/")).args(["-f", "-e", file]).args(addresses);
    let said = spec.keep(1 << 20).streams(Streams::Apart).run().map(|seen| seen.stdout).unwrap_or_default();
    let said = String::from_utf8_lossy(&said).into_owned();
    let mut names: Vec<Option<String>> =
        said.lines().step_by(2).map(|name| (name != "??").then(|| name.to_owned())).collect();
    names.resize(frames.len(), None);
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_stack_are_names_or_addresses() {
        let frame = |line| frame(line, "/usr/bin/jerry");
        assert_eq!(frame("/lib/libc.so.6(abort+0xd3)[0x7f00]"), Some(Ok("abort".into())));
        let at = |file: &str, address| Some(Err(Frame { file: file.into(), address }));
        assert_eq!(frame("./jerry(+0x1f00)[0x55001f00]"), at("/usr/bin/jerry", 0x1eff));
        assert_eq!(frame("/bin/tcc() [0x401000]"), at("/bin/tcc", 0x400fff));
        assert_eq!(frame("nothing"), None);
    }
}
