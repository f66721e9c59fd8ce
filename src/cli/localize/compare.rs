//! Compares methods over many results in one table.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use anyhow::Result;

use crate::pipeline::localize::ComparedMethod;
use crate::pipeline::localize::FaultResult;
use crate::pipeline::localize::compare;
use crate::report::Align;
use crate::report::CompareDocument;
use crate::report::LocalizeDocument;
use crate::report::Table;
use crate::report::counted;

use super::super::exit::Exit;
use super::super::output::print_text;
use super::super::output::write_json;

/// Runs the comparison of these methods, or of all if there are none.
pub fn run(files: &[PathBuf], methods: &[String], as_json: bool) -> Result<Exit> {
    let results: Vec<FaultResult> = files.iter().map(read).collect::<Result<_>>()?;
    let compared = compare(results, methods)?;
    match as_json {
        true => write_json(&CompareDocument::new(&compared))?,
        false => print_text(&table(&compared, files.len()))?,
    }
    Ok(Exit::Fine)
}

fn read(file: &PathBuf) -> Result<FaultResult> {
    let origin = file.display().to_string();
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {origin}"))?;
    Ok(LocalizeDocument::read(&text, &origin)?.into_fault_result(&origin))
}

fn table(compared: &[ComparedMethod], files: usize) -> String {
    let tops = compared.first().map(|first| first.summary.top.clone()).unwrap_or_default();
    let tops: Vec<String> = tops.iter().map(|(limit, _)| format!("top {limit}")).collect();
    let versus = compared.first().map_or(String::new(), |first| format!("p against {}", first.name));
    let mut columns = vec![("method", Align::Left), ("found", Align::Right)];
    columns.extend(tops.iter().map(|top| (top.as_str(), Align::Right)));
    columns.extend(["MFR", "MAR", "expense", "LIL"].map(|name| (name, Align::Right)));
    columns.push((versus.as_str(), Align::Right));
    let mut table = Table::new(&columns);
    let figure = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.2}"));
    for ComparedMethod { name, summary, wilcoxon, .. } in compared {
        let mut row = vec![name.clone(), summary.found.to_string()];
        row.extend(summary.top.iter().map(|(_, count)| count.to_string()));
        row.extend([summary.mfr, summary.mar].map(figure));
        row.push(summary.expense.map_or("–".to_owned(), |value| format!("{value:.2} %")));
        row.push(figure(summary.lil));
        row.push(wilcoxon.map_or("–".to_owned(), |test| format!("{:.3}", test.p)));
        table.row(row);
    }
    format!("{}\n{table}", counted(files as u64, "fault"))
}
