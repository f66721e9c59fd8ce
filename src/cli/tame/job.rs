//! `wildcaught tame`: get inputs, rank them, hold the order against the truth, show it.

use anyhow::Context;
use anyhow::Result;

use crate::analysis::tame::AllStarts;
use crate::analysis::tame::Curve;
use crate::analysis::tame::Distance;
use crate::analysis::tame::DistanceTable;
use crate::analysis::tame::FurthestFirst;
use crate::analysis::tame::Neighbours;
use crate::analysis::tame::Ranked;
use crate::analysis::tame::Truth;
use crate::analysis::tame::TruthFile;
use crate::analysis::tame::expected_apfd;
use crate::analysis::tame::expected_seen;
use crate::analysis::tame::from_all_starts;
use crate::analysis::tame::groups;
use crate::analysis::tame::match_neighbours;
use crate::report::Axes;
use crate::report::Line;
use crate::report::curves_svg;

use super::super::exit::Exit;
use super::super::output::print_painted;
use super::super::output::write_out;
use super::args::DistanceArg;
use super::args::TameArgs;
use super::crashes;
use super::json::as_json;
use super::show::as_text;
use super::source::Inputs;
use super::source::inputs;

/// An order of inputs, and what can be said about it.
pub struct Taming {
    pub inputs: Inputs,
    pub order: Vec<Ranked>,
    pub groups: Vec<Vec<usize>>,
    /// How many inputs of the order are worth reading.
    pub worth_reading: usize,
    pub evaluation: Option<Evaluation>,
}

/// An order held against the truth.
pub struct Evaluation {
    pub truth: Truth,
    pub curve: Curve,
    pub all_starts: Option<AllStarts>,
    pub neighbours: Neighbours,
    pub chance: Vec<f64>,
    pub chance_apfd: Option<f64>,
    /// Where somebody gives up: patience, inputs read, bugs seen.
    pub gives_up: Option<(usize, usize, usize)>,
}

/// Runs the command.
pub fn run(args: &TameArgs) -> Result<Exit> {
    with_threads(args.run.jobs, || tame(args))
}

/// Runs something on so many threads.
pub fn with_threads<T: Send>(threads: Option<usize>, run: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
    pool.context("cannot start threads")?.install(run)
}

fn tame(args: &TameArgs) -> Result<Exit> {
    let truth = args.evaluation.truth.as_deref().map(TruthFile::read).transpose()?;
    let mut source = args.source.clone();
    if !source.from.is_given() {
        let out = match crashes::run(args)? {
            Ok(out) => out,
            Err(exit) => return Ok(exit),
        };
        match source.distance {
            Some(DistanceArg::CoverageJaccard | DistanceArg::CoverageEuclid) => {
                source.from.coverage = Some(out.join("coverage.info"));
            }
            _ => source.from.matrix = Some(out),
        }
    }
    let inputs = inputs(&source, truth.as_ref())?;
    let incomplete = !inputs.left_out.is_empty() || inputs.names.is_empty();
    if inputs.names.is_empty() {
        let remedy =
            if source.from.matrix.is_some() { "; --all-failing takes every test as one" } else { "" };
        anstream::eprintln!("there is no failing input{remedy}");
    }
    let taming = ranked(args, inputs, truth.as_ref())?;
    if let (Some(path), Some(evaluation)) = (&args.evaluation.svg, &taming.evaluation) {
        write_out(Some(path), &picture(args, evaluation, &taming))?;
    }
    if args.json {
        write_out(None, &format!("{}\n", serde_json::to_string_pretty(&as_json(args, &taming))?))?;
    } else {
        print_painted(&as_text(args, &taming))?;
    }
    Ok(if incomplete { Exit::Incomplete } else { Exit::Fine })
}

/// Ranks the inputs. With a truth all pairs are looked at, and then each is measured only once.
fn ranked(args: &TameArgs, inputs: Inputs, truth: Option<&TruthFile>) -> Result<Taming> {
    let start = args.start.as_deref().map_or(Ok(0), |name| inputs.number(name))?;
    let (order, evaluation) = match truth {
        None => (FurthestFirst::new(&inputs.space, start).collect(), None),
        Some(truth) => {
            let table = DistanceTable::of(&inputs.space);
            let order: Vec<Ranked> = FurthestFirst::new(&table, start).collect();
            let evaluation = evaluate(args, truth.of(&inputs.names), &order, &table);
            (order, Some(evaluation))
        }
    };
    let groups = groups(&order);
    let patience = args.stop_after.map_or(usize::MAX, |patience| patience as usize);
    let worth_reading = groups.len().saturating_add(patience).min(inputs.space.inputs());
    Ok(Taming { inputs, order, groups, worth_reading, evaluation })
}

fn evaluate(args: &TameArgs, truth: Truth, order: &[Ranked], table: &DistanceTable) -> Evaluation {
    let curve = Curve::of(order.iter().map(|ranked| ranked.input), &truth);
    let gives_up = args.stop_after.map(|patience| {
        let (read, seen) = curve.gives_up(patience as usize);
        (patience as usize, read, seen)
    });
    Evaluation {
        all_starts: args.evaluation.all_starts.then(|| from_all_starts(table, &truth)),
        neighbours: match_neighbours(table, &truth),
        chance: expected_seen(&truth),
        chance_apfd: expected_apfd(&truth),
        curve,
        truth,
        gives_up,
    }
}

fn picture(args: &TameArgs, evaluation: &Evaluation, taming: &Taming) -> String {
    let bugs = evaluation.truth.bugs.len();
    let end = args.evaluation.at.iter().copied().max().unwrap_or(50).min(taming.order.len());
    let line = |label: String, seen: Vec<f64>| Line::of_steps(label, seen.into_iter().take(end));
    let first = taming.order.first().map_or("", |ranked| &taming.inputs.names[ranked.input]);
    let seen = evaluation.curve.seen().into_iter().map(|seen| seen as f64).collect();
    let mut lines = vec![line(format!("from {first}"), seen)];
    if let Some(all) = &evaluation.all_starts {
        lines.push(line(format!("mean of {} starts", all.curves.len()), all.mean_seen()));
    }
    lines.push(line("chance".into(), evaluation.chance.clone()));
    let title = format!("{bugs} bugs in {} inputs, by {}", taming.order.len(), taming.inputs.distance.name());
    let axes = Axes {
        title: &title,
        across: "inputs read",
        upward: "bugs seen",
        end: end as f64,
        most: bugs as f64,
    };
    curves_svg(&lines, &axes)
}
