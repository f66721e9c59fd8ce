//! Markdown, for a comment on a pull request or the summary of a job.

use std::fmt::Write;

use crate::matrix::Fate;
use crate::text::one_line;

use super::super::svg::escape;
use super::super::table::thousands;
use super::missed::Documented;
use super::missed::Missed;

/// Missed mutants that are shown whole.
const SHOWN: usize = 10;
/// Files in the table.
const FILES: usize = 15;

/// A heading, figures, files, and the most worthwhile missed mutants as diffs.
pub fn markdown(documented: &Documented) -> String {
    let matrix = documented.matrix;
    let score = matrix.score().map_or_else(|| "–".to_owned(), |score| format!("{:.1} %", score * 100.0));
    let (open, accepted) = documented.counts();
    let mut out = format!("## Mutation score: {score}\n\n");
    let counts: Vec<String> = matrix
        .counts()
        .iter()
        .map(|(fate, count)| format!("{} {}", thousands(*count), fate.name()))
        .collect();
    let _ = writeln!(out, "{}{}\n", counts.join(" · "), accepted_note(accepted));
    if open == 0 {
        out.push_str("The tests killed every mutant that was tested.\n");
        return out;
    }
    files(documented, &mut out);
    let _ = writeln!(out, "### Most useful to test\n");
    documented.missed_at_most(SHOWN).iter().for_each(|one| mutant(one, &mut out));
    if open > SHOWN {
        let _ = writeln!(out, "{} more are in the report.", thousands((open - SHOWN) as u64));
    }
    out
}

fn accepted_note(accepted: usize) -> String {
    if accepted == 0 {
        String::new()
    } else {
        format!(" ({} of the missed mutants are accepted)", thousands(accepted as u64))
    }
}

fn files(documented: &Documented, out: &mut String) {
    let mut tallies = documented.matrix.by_file();
    let count = |counts: &crate::matrix::FateCounts, fate| counts.get(&fate).copied().unwrap_or(0);
    tallies.retain(|tally| tally.counts.keys().any(|fate| fate.is_missed()));
    tallies.sort_by_key(|tally| {
        std::cmp::Reverse(count(&tally.counts, Fate::Survived) + count(&tally.counts, Fate::NotCovered))
    });
    out.push_str("| file | score | survived | not covered |\n|---|--:|--:|--:|\n");
    for tally in tallies.iter().take(FILES) {
        let score = tally.score.map_or_else(|| "–".to_owned(), |score| format!("{:.0} %", score * 100.0));
        let (survived, uncovered) =
            (count(&tally.counts, Fate::Survived), count(&tally.counts, Fate::NotCovered));
        let _ = writeln!(out, "| {} | {score} | {survived} | {uncovered} |", cell(&tally.name));
    }
    if tallies.len() > FILES {
        let _ = writeln!(out, "\n{} more files have missed mutants.", tallies.len() - FILES);
    }
    out.push('\n');
}

fn mutant(one: &Missed, out: &mut String) {
    let place = format!("{}:{}", one.row.file, one.row.line);
    let _ = writeln!(
        out,
        "<details><summary><code>{}</code> {} ({})</summary>\n\n{}\n",
        escape(&place),
        escape(&one.words.replace('`', "")),
        one.fate.name(),
        plain(&one.observe())
    );
    let fence = fence(&one.diff);
    let _ = writeln!(out, "{fence}diff\n{}{fence}\n\n`{}`\n</details>\n", one.diff, one.row.id);
}

/// A fence that no line inside of it can close.
fn fence(text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(3.max(longest + 1))
}

/// A cell of a table.
fn cell(text: &str) -> String {
    plain(text).replace('|', "\\|")
}

/// Text of a project in a line, in which nothing is markup but code between back quotes.
fn plain(text: &str) -> String {
    let part =
        |(at, part): (usize, &str)| if at % 2 == 0 { escape(part) } else { format!("`{}`", one_line(part)) };
    text.split('`').enumerate().map(part).collect()
}
