//! Writes operator sets as canonical TOML: the same set gives the same bytes.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;

use super::Evidence;
use super::Granularity;
use super::Header;
use super::OperatorSet;
use super::notation::escape;
use super::notation::write_terms;
use super::source_numbers::SourceNumbers;

/// The set as a TOML document.
pub fn write_set(set: &OperatorSet) -> String {
    let mut out = String::new();
    let sources = SourceNumbers::new(&set.header);
    write_header(&mut out, &set.header);
    for operator in &set.operators {
        out.push_str("\n[[operator]]\n");
        line(&mut out, "id", &string(&operator.id()));
        if !operator.name.is_empty() {
            line(&mut out, "name", &string(&operator.name));
        }
        line(&mut out, "find", &string(&write_terms(operator.find())));
        line(&mut out, "put", &string(&write_terms(operator.put())));
        write_evidence(&mut out, &operator.evidence, &sources);
    }
    for shift in &set.shifts {
        out.push_str("\n[[shift]]\n");
        line(&mut out, "id", &string(&shift.id()));
        line(&mut out, "before", &string(&escape(&shift.before)));
        line(&mut out, "after", &string(&escape(&shift.after)));
        write_evidence(&mut out, &shift.evidence, &sources);
    }
    out
}

fn write_header(out: &mut String, header: &Header) {
    line(out, "format", "1");
    line(out, "name", &string(&header.name));
    line(out, "language", &string(&header.language));
    line(out, "direction", &string(header.direction.name()));
    match header.granularity {
        Granularity::Line => line(out, "granularity", "\"line\""),
        Granularity::Levels => line(out, "granularity", "\"levels\""),
        Granularity::Token { context } => {
            line(out, "granularity", "\"token\"");
            line(out, "context", &context.to_string());
        }
    }
    line(out, "tool", &string(&header.tool));
    if header.partial {
        line(out, "partial", "true");
    }
    if header.exposed > 0 {
        line(out, "exposed", &header.exposed.to_string());
    }
    if header.density > 0 {
        line(out, "density", &header.density.to_string());
    }
    let idioms: Vec<String> = header.idioms.iter().map(|idiom| string(&escape(idiom))).collect();
    line(out, "idioms", &format!("[{}]", idioms.join(", ")));
    write_thresholds(out, header);
    out.push_str("\n[corpus]\n");
    let census = serde_json::to_value(&header.census).expect("counts are plain numbers");
    for (key, count) in census.as_object().expect("a struct is an object") {
        line(out, key, &count.to_string());
    }
    for (direction, funnel) in &header.funnels {
        let _ = writeln!(out, "\n[funnel.{direction}]");
        line(out, "candidates", &funnel.candidates.to_string());
        for filter in funnel.shown() {
            line(out, filter.key(), &funnel.rejected(filter).to_string());
        }
    }
    for source in &header.sources {
        out.push_str("\n[[source]]\n");
        line(out, "name", &string(&source.name));
        for (key, value) in [("head", &source.head), ("license", &source.license), ("id", &source.id)] {
            if !value.is_empty() {
                line(out, key, &string(value));
            }
        }
    }
}

fn write_thresholds(out: &mut String, header: &Header) {
    let thresholds = &header.thresholds;
    out.push_str("\n[thresholds]\n");
    line(out, "max-tokens", &thresholds.max_tokens.to_string());
    line(out, "min-tokens", &thresholds.min_tokens.to_string());
    line(out, "ascii-art", &thresholds.ascii_art.to_string());
    line(out, "max-identifiers", &thresholds.max_identifiers.to_string());
    line(out, "max-adjacent", &thresholds.max_adjacent.to_string());
    line(out, "shift-min", &thresholds.shift_min.to_string());
    line(out, "min-count", &thresholds.min_count.to_string());
    line(out, "min-repos", &thresholds.min_repos.to_string());
    if thresholds.min_fixes > 0 {
        line(out, "min-fixes", &thresholds.min_fixes.to_string());
    }
    line(out, "idioms", &string(&thresholds.idioms));
    line(out, "fix-words", &string(&thresholds.fix_words));
}

fn write_evidence(out: &mut String, evidence: &Evidence, sources: &SourceNumbers) {
    let strings = |list: Vec<String>| format!("[{}]", list.join(", "));
    if evidence.is_wild() {
        line(out, "count", &evidence.count.to_string());
    }
    for (key, count) in
        [("forward", evidence.forward), ("fixes", evidence.fixes), ("commits", evidence.commits)]
    {
        if count > 0 {
            line(out, key, &count.to_string());
        }
    }
    if let Some(numbers) = sources.of(&evidence.repos) {
        line(out, "sources", &string(&numbers));
    } else if !evidence.repos.is_empty() {
        line(out, "repos", &strings(evidence.repos.iter().map(|repo| string(repo)).collect()));
    }
    for (key, date) in [("first", evidence.first), ("last", evidence.last)] {
        if let Some(date) = date {
            line(out, key, &string(&date.to_string()));
        }
    }
    if !evidence.examples.is_empty() {
        let examples = evidence.examples.iter().map(|(id, repo)| string(&format!("{repo}@{id}"))).collect();
        line(out, "examples", &strings(examples));
    }
    if evidence.sites > 0 {
        line(out, "sites", &evidence.sites.to_string());
        line(out, "viable", &evidence.viable.to_string());
    }
    if evidence.matches > 0 {
        line(out, "matches", &evidence.matches.to_string());
    }
    if !evidence.binds.is_empty() {
        let binds =
            evidence.binds.iter().map(|bind| table(bind.iter().map(|(kind, n)| (kind.name(), n)))).collect();
        line(out, "binds", &strings(binds));
    }
    let habitat = &evidence.habitat;
    for (key, counts) in [
        ("left", &habitat.left),
        ("right", &habitat.right),
        ("bracket", &habitat.bracket),
        ("position", &habitat.position),
    ] {
        write_counts(out, key, counts);
    }
}

fn write_counts(out: &mut String, key: &str, counts: &BTreeMap<String, u64>) {
    if !counts.is_empty() {
        line(out, key, &table(counts.iter().map(|(name, count)| (name.as_str(), count))));
    }
}

fn table<'a>(rows: impl Iterator<Item = (&'a str, &'a u64)>) -> String {
    let mut out = String::from("{");
    for (index, (name, count)) in rows.enumerate() {
        out.push_str(if index == 0 { " " } else { ", " });
        out.push_str(&key_text(name));
        out.push_str(" = ");
        out.push_str(&count.to_string());
    }
    out.push_str(if out.len() > 1 { " }" } else { "}" });
    out
}

fn key_text(name: &str) -> Cow<'_, str> {
    let bare = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    if bare { name.into() } else { string(name).into() }
}

fn line(out: &mut String, key: &str, value: &str) {
    for part in [key, " = ", value, "\n"] {
        out.push_str(part);
    }
}

/// A TOML string, literal where that reads better.
fn string(text: &str) -> String {
    let plain = text.bytes().all(|byte| (b' '..0x7f).contains(&byte) && byte != b'"' && byte != b'\\');
    if plain {
        return ["\"", text, "\""].concat();
    }
    let needs_escape = text.contains(['"', '\\']) || text.contains(char::is_control);
    if needs_escape && !text.contains('\'') && !text.contains(char::is_control) {
        return format!("'{text}'");
    }
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
