//! Prints the result of a harvest: the funnel, sample rejections, a summary.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;

use crate::cli::args::HarvestArgs;
use crate::cli::output::as_json;
use crate::cli::output::write_json;
use crate::cli::output::write_out;
use crate::harvest::Harvest;
use crate::operator::Filter;
use crate::operator::OperatorSet;
use crate::report::FunnelDocument;
use crate::report::counted;
use crate::report::funnel_table;
use crate::report::sankey;
use crate::report::thousands;
use crate::text::one_line;

/// Writes and prints the requested results.
pub fn show(args: &HarvestArgs, harvest: &Harvest) -> Result<()> {
    if let Some(path) = &args.shown.funnel {
        draw(path, &harvest.set)?;
    }
    if args.shown.explain.is_some() {
        explain(harvest);
    }
    if args.shown.json {
        write_json(&FunnelDocument::new(&harvest.set))?;
    } else if !args.shown.quiet {
        summary(harvest);
    }
    Ok(())
}

/// Why a set is empty, and what to do about it.
pub fn why_empty(harvest: &Harvest) -> String {
    let header = &harvest.set.header;
    let least = header.thresholds.min_repos;
    let passed = header.funnels.values().any(|funnel| funnel.kept() > 0) || harvest.shifts_seen > 0;
    if !passed || least < 2 {
        return "no change passed the filters; see the funnel for the reasons".into();
    }
    let names: BTreeSet<&str> = header.sources.iter().map(|source| &source.name[..]).collect();
    let repositories = match names.len() {
        1 => format!("there is one repository, {}", names.into_iter().next().unwrap_or_default()),
        many => format!("no operator was seen in {least} of these {many}"),
    };
    format!(
        "--min-repos {least} keeps only what is seen in {least} repositories, but {repositories}; harvest more \
         repositories together, or lower --min-repos"
    )
}

/// The funnel as a picture, or as JSON if the name ends so; with two directions, a picture of each.
fn draw(path: &Path, set: &OperatorSet) -> Result<()> {
    if path.extension().is_some_and(|ending| ending == "json") {
        return write_out(Some(path), &as_json(&FunnelDocument::new(set))?);
    }
    for (index, (direction, funnel)) in set.header.funnels.iter().enumerate() {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let second = path.with_file_name(format!("{stem}-{direction}.svg"));
        let place = if index == 0 { path } else { &second };
        write_out(Some(place), &sankey(funnel, &format!("{}, {direction}", set.header.name)))?;
    }
    Ok(())
}

fn summary(harvest: &Harvest) {
    let set = &harvest.set;
    for (direction, funnel) in &set.header.funnels {
        tell!("\n{direction}:\n{}", funnel_table(funnel));
    }
    for (name, count) in set.header.census.rows().into_iter().filter(|(_, count)| *count > 0) {
        tell!("{:>14}  {name}", thousands(count));
    }
    let several = set.operators.iter().filter(|operator| operator.evidence.repos.len() >= 2).count();
    tell!(
        "\n{} ({} seen in two or more repositories), {} from {}, {}",
        counted(set.operators.len() as u64, "operator"),
        thousands(several as u64),
        counted(set.shifts.len() as u64, "identifier shift"),
        counted(harvest.shifts_seen, "change"),
        counted(set.header.idioms.len() as u64, "idiom"),
    );
}

fn explain(harvest: &Harvest) {
    for filter in Filter::ALL {
        let samples: Vec<_> = harvest.samples.of(filter).collect();
        if samples.is_empty() {
            continue;
        }
        tell!("\n{}:", filter.title());
        for sample in samples {
            let commit = sample.commit.get(..12).unwrap_or(&sample.commit);
            tell!("  {}", one_line(&format!("{commit} {}", sample.path)));
            for (sign, text) in [('-', &sample.before), ('+', &sample.after)] {
                for line in text.lines() {
                    tell!("  {sign} {}", line.trim_end());
                }
            }
        }
    }
}
