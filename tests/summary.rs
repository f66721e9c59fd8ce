//! The last line of `cargo test`: how many tests were skipped because a tool is missing.
//!
//! Cargo runs test programs in the order of their names, so that this one comes after `suite`. It has no tests.

#[path = "suite/skips.rs"]
mod skips;

use std::collections::BTreeMap;
use std::fs;

fn main() {
    if std::env::args().any(|argument| argument == "--list") {
        return;
    }
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for tool in fs::read_to_string(skips::file()).unwrap_or_default().lines() {
        *counts.entry(tool.to_owned()).or_default() += 1;
    }
    // If it cannot be removed, another run with the same process id counts too many.
    let _ = fs::remove_file(skips::file());
    let tools: Vec<String> = counts.iter().map(|(tool, count)| format!("{tool} ({count})")).collect();
    let skipped: u32 = counts.values().sum();
    let reason = if skipped == 0 { String::new() } else { format!(", which need {}", tools.join(", ")) };
    println!("\nskipped: {skipped} tests{reason}");
}
