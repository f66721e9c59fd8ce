//! Harvests of growing histories, and growing numbers of tallies put together: time and memory, as CSV.
//!
//! Histories and tallies are made on the spot. Each measurement runs in a process of its own, so that its peak is its own.

use std::fs;
use std::io::BufWriter;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::process::Stdio;
use std::time::Instant;

use wildcaught::control::Progress;
use wildcaught::harvest::FinishOptions;
use wildcaught::harvest::IdiomRule;
use wildcaught::harvest::TallyMerge;
use wildcaught::harvest::read_raw;
use wildcaught::harvest::tally_git;
use wildcaught::harvest::tally_patch;
use wildcaught::harvest::write_raw;
use wildcaught::history::PatchText;
use wildcaught::operator::Direction;
use wildcaught::operator::Granularity;
use wildcaught::operator::Source;
use wildcaught::operator::Thresholds;
use wildcaught::operator::write_set;

use super::git_options;
use super::language;
use super::measure::peak_kilobytes;
use super::tally_options;

/// Files of a made history, and lines of each.
const FILES: u64 = 300;
const LINES: u64 = 40;
/// Changes in a made tally.
const CHANGES: u64 = 2000;
/// How often operators are seen at least: a set of all, whose size is most of the memory, and one of the frequent ones.
const LEAST: [&str; 2] = ["1", "10"];

/// Numbers that look random, the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % sides
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }

    /// A name; few are frequent and many are rare.
    fn name(&mut self) -> String {
        let most = 1 << self.below(16);
        format!("n{}", self.below(most))
    }

    fn expression(&mut self, depth: u64, tokens: &mut Vec<String>) {
        let shape = if depth == 0 { self.below(2) } else { self.below(8) };
        match shape {
            0 => tokens.push(self.name()),
            1 => tokens.push(self.below(10).to_string()),
            2 | 3 => {
                self.expression(depth - 1, tokens);
                tokens.push(
                    self.one(&["+", "-", "*", "/", "<", "<=", "==", "!=", "&&", "||", "&", ">>"]).into(),
                );
                self.expression(depth - 1, tokens);
            }
            4 => {
                tokens.extend([self.name(), "(".into()]);
                self.expression(depth - 1, tokens);
                tokens.push(")".into());
            }
            5 => tokens.extend([self.name(), self.one(&["->", "."]).into(), self.name()]),
            6 => {
                tokens.extend([self.name(), "[".into()]);
                self.expression(depth - 1, tokens);
                tokens.push("]".into());
            }
            _ => {
                tokens.push(self.one(&["!", "-", "~", "*", "&"]).into());
                self.expression(depth - 1, tokens);
            }
        }
    }

    fn statement(&mut self) -> Vec<String> {
        let mut tokens = Vec::new();
        match self.below(4) {
            0 => {
                tokens.extend([self.one(&["if", "while"]).into(), "(".into()]);
                self.expression(2, &mut tokens);
                tokens.extend([")".into(), self.name(), "++".into()]);
            }
            1 => {
                tokens.push("return".into());
                self.expression(2, &mut tokens);
            }
            _ => {
                tokens.extend([self.name(), self.one(&["=", "+=", "-=", "|="]).into()]);
                self.expression(2, &mut tokens);
            }
        }
        tokens.push(";".into());
        tokens
    }

    /// A statement with one thing changed.
    fn changed(&mut self, statement: &[String]) -> Vec<String> {
        let mut tokens = statement.to_vec();
        let at = self.below(tokens.len() as u64) as usize;
        match self.below(4) {
            0 => tokens[at] = self.one(&["+", "-", "<", "<=", "==", "&&", "||", "0", "1", "NULL"]).into(),
            1 => tokens[at] = self.name(),
            2 => drop(tokens.remove(at)),
            _ => drop(tokens.splice(at..at, [self.one(&["+", "-", "&&", "*"]).into(), self.name()])),
        }
        tokens
    }
}

/// Harvests of these numbers of commits, and tallies of these numbers of sources.
pub fn scale(commits: &[u64], tallies: &[u64]) {
    println!(
        "what,size,mode,min_count,candidates,operators,seconds,peak_mb,us_per_candidate,kb_per_1000_candidates"
    );
    for &count in commits {
        let place = tempfile::tempdir().expect("a temporary directory");
        history(place.path(), count);
        measured(&["one-harvest", &count.to_string(), &place.path().to_string_lossy()]);
    }
    let Some(&most) = tallies.iter().max() else { return };
    let place = tempfile::tempdir().expect("a temporary directory");
    (0..most).for_each(|number| tally(place.path(), number));
    for count in tallies.iter().map(u64::to_string) {
        measured(&["one-merge", &count, &place.path().to_string_lossy(), "none", "1"]);
        for least in LEAST {
            for mode in ["memory", "256M", "files"] {
                measured(&["one-merge", &count, &place.path().to_string_lossy(), mode, least]);
            }
        }
    }
}

/// Runs one measurement in a process of its own, which prints its line.
fn measured(words: &[&str]) {
    let own = std::env::current_exe().expect("a program");
    let status = Command::new(own).arg("scale").args(words).status().expect("it can be started");
    assert!(status.success(), "{words:?}: {status}");
}

fn tell([what, size, mode, least]: [&str; 4], (candidates, operators): (u64, usize), begun: Instant) {
    let (seconds, kilobytes) = (begun.elapsed().as_secs_f64(), peak_kilobytes());
    println!(
        "{what},{size},{mode},{least},{candidates},{operators},{seconds:.2},{},{:.1},{:.0}",
        kilobytes / 1024,
        seconds * 1e6 / candidates.max(1) as f64,
        kilobytes as f64 * 1000.0 / candidates.max(1) as f64
    );
}

/// Harvests a repository.
pub fn one_harvest(commits: &str, place: &str) {
    let def = language("c");
    let begun = Instant::now();
    let options = tally_options(Granularity::Token { context: 2 });
    let source = Source { name: "made".into(), ..Source::default() };
    let tallied =
        tally_git(Path::new(place), &source, &def, &git_options(&def), &options, &Progress::default());
    let mut merge = TallyMerge::new(u64::MAX);
    merge.add(tallied.expect("a repository").tally).expect("memory");
    let harvest = merge.finish(&def, &finish_options()).expect("memory").expect("a tally");
    assert!(!write_set(&harvest.set).is_empty());
    let funnel = &harvest.set.header.funnels["backward"];
    tell(["harvest", commits, "memory", "1"], (funnel.candidates, harvest.set.operators.len()), begun);
}

/// Puts tallies together: in memory, in memory up to 256 MB, or in files. Mode `none` only reads them, to show what the
/// rest costs.
pub fn one_merge(count: &str, place: &str, mode: &str, least: &str) {
    let def = language("c");
    let number: u64 = count.parse().expect("a number");
    let begun = Instant::now();
    let mut merge = TallyMerge::new(match mode {
        "files" => 0,
        "256M" => 256 << 20,
        _ => u64::MAX,
    });
    for number in 0..number {
        let text = fs::read_to_string(Path::new(place).join(format!("{number}.tally"))).expect("a tally");
        let tally = read_raw(&text, "made").expect("a tally");
        if mode != "none" {
            merge.add(tally).expect("room for temporary files");
        }
    }
    let mut options = finish_options();
    options.limits.min_count = least.parse().expect("a number");
    let harvest = merge.finish(&def, &options).expect("room for temporary files");
    let operators = harvest.as_ref().map_or(0, |harvest| harvest.set.operators.len());
    tell(["merge", count, mode, least], (number * CHANGES, operators), begun);
    if let Some(harvest) = harvest {
        // Both ways give the same set: whoever compares the runs sees it by its hash.
        let hash = xxhash_rust::xxh3::xxh3_64(write_set(&harvest.set).as_bytes());
        eprintln!("merge of {count} tallies, {mode}, {least}: set {hash:016x}");
    }
}

fn finish_options() -> FinishOptions {
    FinishOptions {
        name: "bench".into(),
        tool: String::new(),
        direction: Direction::Backward,
        idioms: IdiomRule::Top(50),
        limits: Thresholds::default(),
    }
}

/// Makes a repository with this number of commits, one changed line each.
fn history(place: &Path, commits: u64) {
    let git = |words: &[&str]| {
        let mut command = Command::new("git");
        command.arg("-C").arg(place).args(words).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    assert!(git(&["init", "-q", "--bare"]).status().expect("git is installed").success());
    let mut import =
        git(&["fast-import", "--quiet"]).stdin(Stdio::piped()).spawn().expect("git is installed");
    let mut out = BufWriter::new(import.stdin.take().expect("a pipe"));
    let mut dice = Dice(commits);
    let mut files: Vec<Vec<Vec<String>>> =
        (0..FILES).map(|_| (0..LINES).map(|_| dice.statement()).collect()).collect();
    let all: Vec<u64> = (0..FILES).collect();
    commit(&mut out, 0, &files, &all);
    for number in 1..commits {
        let file = dice.below(FILES);
        let line = dice.below(LINES) as usize;
        let changed = dice.changed(&files[file as usize][line]);
        // What was changed too often is written anew.
        let keeps = (3..20).contains(&changed.len());
        files[file as usize][line] = if keeps { changed } else { dice.statement() };
        commit(&mut out, number, &files, &[file]);
    }
    drop(out);
    assert!(import.wait().expect("it was started").success());
    assert!(git(&["symbolic-ref", "HEAD", "refs/heads/made"]).status().expect("git is installed").success());
}

fn commit(out: &mut impl Write, number: u64, files: &[Vec<Vec<String>>], changed: &[u64]) {
    let message = if number.is_multiple_of(3) { "Fix it" } else { "Change it" };
    let time = 1_000_000_000 + number * 60;
    let mut text = format!(
        "commit refs/heads/made\ncommitter A <a@b> {time} +0000\ndata {}\n{message}\n",
        message.len()
    );
    for &file in changed {
        let lines: Vec<String> =
            files[file as usize].iter().map(|tokens| format!("    {}\n", tokens.join(" "))).collect();
        let body = format!("void f{file}(void)\n{{\n{}}}\n", lines.concat());
        text.push_str(&format!("M 100644 inline src/{file}.c\ndata {}\n{body}", body.len()));
    }
    out.write_all(text.as_bytes()).expect("git reads");
}

/// Makes the tally of a source of its own.
fn tally(place: &Path, number: u64) {
    let def = language("c");
    let mut dice = Dice(number << 32);
    let mut text = String::new();
    for change in 0..CHANGES {
        let (second, minute) = (change % 60, change / 60);
        let before = dice.statement();
        let after = dice.changed(&before);
        text.push_str(&format!(
            "commit {number:020x}{change:020x}\nAuthor: A{number} <a{number}@b>\n\
             Date:   Thu Jan 1 01:{minute:02}:{second:02} 2015 +0000\n\n    Fix it\n\n\
             diff --git a/f.c b/f.c\n--- a/f.c\n+++ b/f.c\n@@ -1,1 +1,1 @@\n-{}\n+{}\n",
            before.join(" "),
            after.join(" ")
        ));
    }
    let source = Source { name: format!("made/{number}"), ..Source::default() };
    let options = tally_options(Granularity::Token { context: 2 });
    let size = Some(text.len() as u64);
    let text = PatchText { name: "made", input: text.as_bytes(), size };
    let tallied = tally_patch(text, &source, &def, &git_options(&def), &options, &Progress::default());
    let mut tally = tallied.expect("readable patch text").tally;
    fs::write(place.join(format!("{number}.tally")), write_raw(&mut tally))
        .expect("room for temporary files");
}
