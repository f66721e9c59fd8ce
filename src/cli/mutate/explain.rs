//! `wildcaught explain`: everything known about a mutant or an operator.

use anyhow::Result;

use crate::insert::Describer;
use crate::insert::Inserter;
use crate::insert::Tool;
use crate::insert::by_id;
use crate::report::EntryText;
use crate::report::counted;

use super::super::exit::Exit;
use super::super::output::print_text;
use super::super::target::find_mutants;
use super::super::target::prepare;
use super::args::ExplainArgs;
use super::job::diff;
use crate::pipeline::Prepared;

/// Places of an operator that are shown.
const PLACES: usize = 10;

/// Runs the command.
pub fn explain(args: &ExplainArgs) -> Result<Exit> {
    let Prepared { def, arsenal, target, fit, .. } = prepare(&args.target)?;
    let inserter = Inserter { def: &def, arsenal: &arsenal, target: &target, fit };
    let Some(all) = find_mutants(&inserter, false)? else { return Ok(Exit::Interrupted) };
    let mut text = String::new();
    let entries: Vec<u32> = if args.id.contains('-') {
        let mutant = by_id(&args.id, &inserter, &all)?;
        let shown = Describer::new(&inserter, mutant.file).describe(mutant);
        text.push_str(&format!(
            "mutant    {}\nat        {}:{}:{}\n\n",
            shown.id,
            shown.file.display(),
            shown.line,
            shown.column
        ));
        text.push_str(&String::from_utf8_lossy(&diff(&shown, &inserter)));
        text.push('\n');
        mutant.entries.to_vec()
    } else {
        let id = args.id.to_ascii_lowercase();
        (0..arsenal.entries.len() as u32)
            .filter(|entry| arsenal.entries[*entry as usize].id.starts_with(&id))
            .collect()
    };
    if entries.is_empty() {
        anyhow::bail!(
            "no operator or shift in these sets has an id that begins with {:?}; `wildcaught ops show` lists \
             the ids",
            args.id
        );
    }
    for entry in entries {
        let known = &arsenal.entries[entry as usize];
        let shown = match &known.tool {
            Tool::Operator(operator) => EntryText::Operator(operator),
            Tool::Shift(shift) => EntryText::Shift(shift),
        };
        text.push_str(&format!("{shown}set       {}\n", known.sets.join(", ")));
        text.push_str(&places(entry, &inserter, &all));
        text.push('\n');
    }
    print_text(&text)?;
    Ok(Exit::Fine)
}

/// Where an operator fits in the target.
fn places(entry: u32, inserter: &Inserter, all: &[crate::insert::FileMutants]) -> String {
    let mut count = 0usize;
    let mut lines = Vec::new();
    for (file, found) in all.iter().enumerate() {
        let mut describer = None;
        for mutant in found.mutants.iter().filter(|mutant| mutant.entries.contains(&entry)) {
            count += 1;
            if lines.len() < PLACES {
                let describer = describer.get_or_insert_with(|| Describer::new(inserter, file));
                let shown = describer.describe(mutant);
                lines.push(format!(
                    "  {}  {}:{}:{}  {} → {}\n",
                    shown.id,
                    shown.file.display(),
                    shown.line,
                    shown.column,
                    shown.before,
                    shown.after
                ));
            }
        }
    }
    let more = count.saturating_sub(lines.len());
    let rest = if more > 0 { format!("  and {more} more\n") } else { String::new() };
    format!("here      {}\n{}{rest}", counted(count as u64, "mutant"), lines.concat())
}
