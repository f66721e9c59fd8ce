//! Many results, one table: which method finds faults sooner.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::path::PathBuf;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;

use crate::analysis::localize::Evaluation;
use crate::analysis::localize::Summary;
use crate::analysis::localize::Wilcoxon;
use crate::analysis::localize::wilcoxon;
use crate::report::Align;
use crate::report::Table;
use crate::report::counted;

use super::super::exit::Exit;
use super::super::output::write_out;
use super::json::FORMAT;

/// What is needed of a result.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ResultFile {
    format: u32,
    methods: Vec<MethodResult>,
    #[serde(rename = "failing")]
    _failing: IgnoredAny,
    #[serde(rename = "passing")]
    _passing: IgnoredAny,
    #[serde(rename = "statements")]
    _statements: IgnoredAny,
    #[serde(rename = "executed")]
    _executed: IgnoredAny,
    #[serde(rename = "warnings")]
    _warnings: IgnoredAny,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MethodResult {
    name: String,
    evaluation: Option<Evaluation>,
    #[serde(rename = "figures")]
    _figures: IgnoredAny,
    #[serde(rename = "test")]
    _test: IgnoredAny,
    #[serde(rename = "ranking")]
    _ranking: IgnoredAny,
}

/// A method and how it did on each file.
struct Compared {
    name: String,
    evaluations: Vec<Evaluation>,
    summary: Summary,
    /// Against the first method: over files in which both found the fault.
    test: Option<Wilcoxon>,
}

/// Runs the comparison.
pub fn run(files: &[PathBuf], as_json: bool) -> Result<Exit> {
    let mut order: Vec<String> = Vec::new();
    let mut found: BTreeMap<String, Vec<Evaluation>> = BTreeMap::new();
    for file in files {
        for method in read(file)?.methods {
            let Some(evaluation) = method.evaluation else {
                bail!("{}: it has no evaluation; say where the fault is with --faults", file.display());
            };
            if !order.contains(&method.name) {
                order.push(method.name.clone());
            }
            found.entry(method.name).or_default().push(evaluation);
        }
    }
    if let Some((name, _)) = found.iter().find(|(_, evaluations)| evaluations.len() != files.len()) {
        bail!("{name} is not in all of the files; rank them all by the same methods");
    }
    let compared = compared(&order, found);
    let text = if as_json { document(&compared)? } else { table(&compared, files.len()) };
    write_out(None, &text)?;
    Ok(Exit::Fine)
}

fn read(file: &Path) -> Result<ResultFile> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let result: ResultFile = serde_json::from_str(&text)
        .with_context(|| format!("{}: no result of `wildcaught localize --json`", file.display()))?;
    if result.format != FORMAT {
        bail!("{}: format {}, but this wildcaught reads format {FORMAT}", file.display(), result.format);
    }
    Ok(result)
}

fn compared(order: &[String], mut found: BTreeMap<String, Vec<Evaluation>>) -> Vec<Compared> {
    let mut compared: Vec<Compared> = Vec::new();
    for name in order {
        let evaluations = found.remove(name).unwrap_or_default();
        let pair = |(one, other): (&Evaluation, &Evaluation)| Some((one.first? as f64, other.first? as f64));
        let test = compared.first().and_then(|first| {
            let pairs: Vec<(f64, f64)> =
                first.evaluations.iter().zip(&evaluations).filter_map(pair).collect();
            wilcoxon(&pairs)
        });
        compared.push(Compared { name: name.clone(), summary: Summary::of(&evaluations), evaluations, test });
    }
    compared
}

fn document(compared: &[Compared]) -> Result<String> {
    let methods = compared
        .iter()
        .map(|method| json!({ "name": method.name, "summary": method.summary, "wilcoxon": method.test }));
    let document = json!({ "format": FORMAT, "methods": methods.collect::<Vec<_>>() });
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn table(compared: &[Compared], files: usize) -> String {
    let tops = compared.first().map(|first| first.summary.top.clone()).unwrap_or_default();
    let tops: Vec<String> = tops.iter().map(|(limit, _)| format!("top {limit}")).collect();
    let versus = compared.first().map_or(String::new(), |first| format!("p against {}", first.name));
    let mut columns = vec![("method", Align::Left), ("found", Align::Right)];
    columns.extend(tops.iter().map(|top| (top.as_str(), Align::Right)));
    columns.extend(["MFR", "MAR", "expense", "LIL"].map(|name| (name, Align::Right)));
    columns.push((versus.as_str(), Align::Right));
    let mut table = Table::new(&columns);
    let figure = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.2}"));
    for Compared { name, summary, test, .. } in compared {
        let mut row = vec![name.clone(), summary.found.to_string()];
        row.extend(summary.top.iter().map(|(_, count)| count.to_string()));
        row.extend([summary.mfr, summary.mar].map(figure));
        row.push(summary.expense.map_or("–".to_owned(), |value| format!("{value:.2} %")));
        row.push(figure(summary.lil));
        row.push(test.map_or("–".to_owned(), |test| format!("{:.3}", test.p)));
        table.row(row);
    }
    format!("{}\n{table}", counted(files as u64, "fault"))
}
