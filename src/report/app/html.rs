//! The page: its parts put together.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::analysis::Dominators;
use crate::analysis::one_per_function;
use crate::matrix::Fate;
use crate::matrix::KillMatrix;

use super::super::page::STYLE;
use super::super::svg::escape;
use super::super::svg::script_json;
use super::columns::Columns;
use super::columns::Gathered;
use super::columns::gather;
use super::functions::FunctionMap;
use super::notes::AcceptedNote;
use super::notes::HistoryRow;
use super::notes::OperatorNote;
use super::notes::RunNotes;

const CSS: &str = include_str!("app.css");
const SCRIPT: &str = concat!(
    include_str!("data.js"),
    include_str!("dom.js"),
    include_str!("overview.js"),
    include_str!("mutants.js"),
    include_str!("source.js"),
    include_str!("mutant.js"),
    include_str!("tables.js"),
    include_str!("matrix.js"),
    include_str!("main.js"),
);
/// Survivors on the first page.
const FIRST: usize = 10;
/// What groups of survivors are, for people.
const GROUPS: &str = "Survivors of one function that the same tests reach: a test that kills the first probably \
    kills the others.";

/// What is shown.
pub struct RunReport<'a> {
    /// The name of the project.
    pub title: &'a str,
    pub matrix: &'a KillMatrix,
    pub functions: &'a FunctionMap,
    pub notes: &'a RunNotes,
    /// Runs before and this one, the oldest first.
    pub history: &'a [HistoryRow],
    pub accepted: &'a [AcceptedNote],
    /// What the fates mean, in the order of the legend.
    pub meanings: &'a [(Fate, &'a str)],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PageData<'a> {
    format: u32,
    version: &'a str,
    title: &'a str,
    at: &'a str,
    seconds: f64,
    fates: Vec<FateName<'a>>,
    tests: Vec<&'a str>,
    millis: Vec<f64>,
    files: Vec<FileText<'a>>,
    operators: Vec<OperatorText<'a>>,
    repositories: Vec<&'a str>,
    mutants: Columns,
    sets: Vec<String>,
    logs: Vec<String>,
    /// Missed mutants, the most worthwhile first.
    ranked: Vec<u32>,
    /// The same, one per function before a second, and only the first.
    first: Vec<u32>,
    groups: Vec<GroupText>,
    groups_say: &'a str,
    dominator: Option<f64>,
    full: bool,
    history: &'a [HistoryRow],
    accepted: &'a [AcceptedNote],
}

#[derive(Serialize)]
struct FateName<'a> {
    name: &'a str,
    means: &'a str,
}

#[derive(Serialize)]
struct FileText<'a> {
    path: &'a str,
    source: Option<String>,
    language: &'a str,
    functions: Vec<(u32, u32, &'a str)>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OperatorText<'a> {
    id: &'a str,
    text: &'a str,
    words: String,
    name: &'a str,
    count: u64,
    repo_count: usize,
    repos: Vec<usize>,
    fixes: f64,
    first: Option<&'a str>,
    last: Option<&'a str>,
    examples: &'a [String],
}

#[derive(Serialize)]
struct GroupText {
    of: u32,
    others: Vec<u32>,
}

impl RunReport<'_> {
    /// The whole page.
    pub fn html(&self) -> String {
        let data = serde_json::to_string(&self.data()).expect("names and numbers are JSON");
        let title = escape(self.title);
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
             script-src 'unsafe-inline'; img-src data:\">\n\
             <title>{title}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n{STYLE}{CSS}</style>\n</head>\n<body>\n{HEAD}\
             <script type=\"application/json\" id=\"data\">{}</script>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
            script_json(&data)
        )
    }

    fn data(&self) -> PageData<'_> {
        let matrix = self.matrix;
        let Gathered { columns, files, operators, sets, logs } = gather(matrix, self.functions);
        let ranked = matrix.survivors_ranked();
        let key = |mutant: u32| self.functions.key(matrix, mutant);
        let survived: Vec<u32> =
            ranked.iter().copied().filter(|at| matrix.fate(*at as usize) == Fate::Survived).collect();
        let dominators = Dominators::new(matrix, &survived, key);
        let mut first = one_per_function(&ranked, key);
        first.truncate(FIRST);
        let (operators, repositories) = self.operators(&operators);
        let groups = dominators.groups.iter().filter(|group| !group.others.is_empty());
        PageData {
            format: 1,
            version: env!("CARGO_PKG_VERSION"),
            title: self.title,
            at: &self.notes.at,
            seconds: self.notes.seconds,
            fates: self.fates(),
            tests: matrix.tests.iter().map(|test| test.name.as_str()).collect(),
            millis: matrix.tests.iter().map(|test| (test.millis.max(0.0) * 10.0).round() / 10.0).collect(),
            files: self.files(&files),
            operators,
            repositories,
            mutants: columns,
            sets: sets.texts,
            logs,
            ranked,
            first,
            groups: groups.map(|group| GroupText { of: group.of, others: group.others.clone() }).collect(),
            groups_say: GROUPS,
            dominator: dominators.score(),
            full: dominators.killed.is_some(),
            history: self.history,
            accepted: self.accepted,
        }
    }

    /// Names and meanings, in the order in which mutants number fates.
    fn fates(&self) -> Vec<FateName<'_>> {
        let means =
            |fate: Fate| self.meanings.iter().find(|(known, _)| *known == fate).map_or("", |(_, text)| text);
        Fate::ALL.into_iter().map(|fate| FateName { name: fate.name(), means: means(fate) }).collect()
    }

    fn files(&self, paths: &[String]) -> Vec<FileText<'_>> {
        let file = |path: &String| {
            let (path, known) = self.functions.named(path);
            let functions = known.functions.iter().map(|one| (one.first, one.last, one.name.as_str()));
            FileText {
                path,
                source: known.text.as_deref().map(|text| String::from_utf8_lossy(text).into_owned()),
                language: &known.language,
                functions: functions.collect(),
            }
        };
        paths.iter().map(file).collect()
    }

    /// The operators by their first mutants, and the repositories that they name.
    fn operators(&self, first: &[usize]) -> (Vec<OperatorText<'_>>, Vec<&str>) {
        static UNKNOWN: OperatorNote = OperatorNote::UNKNOWN;
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        let mut names = Vec::new();
        let mut number = |name| {
            *numbers.entry(name).or_insert_with(|| {
                names.push(name);
                names.len() - 1
            })
        };
        let operators = first.iter().map(|at| {
            let row = &self.matrix.mutants[*at];
            let id = row.operators.first().map_or("", String::as_str);
            let note = self.notes.operators.get(id).unwrap_or(&UNKNOWN);
            OperatorText {
                id,
                text: &row.operator,
                words: row.words(),
                name: &note.name,
                count: note.count,
                repo_count: note.repos.len().max(row.repos as usize),
                repos: note.repos.iter().map(|name| number(name)).collect(),
                fixes: if note.count > 0 { note.fixes } else { row.fix_share },
                first: note.first.as_deref(),
                last: note.last.as_deref(),
                examples: &note.examples,
            }
        });
        let operators = operators.collect();
        (operators, names)
    }
}

/// What stands before the data.
const HEAD: &str = "<a class=\"skip\" href=\"#main\">Skip to content</a>\n<header><h1>wildcaught</h1>\
    <nav aria-label=\"pages\"></nav><div class=\"end\"><button type=\"button\" id=\"keys\">Keys</button>\
    <button type=\"button\" id=\"theme\">Light / dark</button></div></header>\n\
    <main id=\"main\" tabindex=\"-1\"><noscript>This report needs JavaScript; the numbers are also in \
    <code>wildcaught show</code>.</noscript></main>\n\
    <dialog aria-label=\"keys\"><form method=\"dialog\"><h2>Keys</h2>\
    <p><kbd>1</kbd>–<kbd>6</kbd> pages · <kbd>/</kbd> search · <kbd>j</kbd> <kbd>k</kbd> next and previous mutant · \
    <kbd>↑</kbd> <kbd>↓</kbd> move in lists and in the matrix · <kbd>Enter</kbd> open · <kbd>?</kbd> this</p>\
    <button>Close</button></form></dialog>\n";
