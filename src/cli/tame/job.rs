//! `wildcaught tame`: arguments to inputs, inputs to an order, the order to text, picture or JSON.

use anyhow::Context;
use anyhow::Result;

use crate::pipeline::tame::InputSource;
use crate::pipeline::tame::Inputs;
use crate::pipeline::tame::TameEvaluation;
use crate::pipeline::tame::TameRequest;
use crate::pipeline::tame::Taming;
use crate::pipeline::tame::TruthFile;
use crate::pipeline::tame::group_into;
use crate::pipeline::tame::listed_inputs;
use crate::report::Axes;
use crate::report::CurveLine;
use crate::report::TameDocument;
use crate::report::curves_svg;

use super::super::exit::Exit;
use super::super::output::as_json;
use super::super::output::print_text;
use super::super::output::write_result;
use super::args::TameArgs;
use super::crashes;
use super::page::page;
use super::show::as_text;

/// Runs the command.
pub fn run(args: &TameArgs) -> Result<Exit> {
    with_threads(args.run.jobs, || tame(args))
}

/// Runs something on N threads; on all cores by default.
pub fn with_threads<T: Send>(threads: Option<usize>, run: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
    pool.context("cannot start threads")?.install(run)
}

fn tame(args: &TameArgs) -> Result<Exit> {
    let truth = args.evaluation.truth.as_deref().map(TruthFile::read).transpose()?;
    let source = match args.source.named() {
        Some(source) => source,
        None => match crashes::run(args)? {
            Ok(gathered) => InputSource::Run(gathered),
            Err(exit) => return Ok(exit),
        },
    };
    let remedy = match source {
        InputSource::Matrix { .. } => "; --all-failing treats every test as failing",
        _ => "",
    };
    let inputs = Inputs::read(source, args.source.distance.map(Into::into))?;
    let inputs = match &truth {
        Some(truth) => inputs.known_to(truth),
        None => inputs,
    };
    let incomplete = !inputs.left_out.is_empty() || inputs.names.is_empty();
    if inputs.names.is_empty() {
        tell!("no failing input{remedy}");
    }
    let request = TameRequest {
        inputs,
        start: args.start.as_deref(),
        patience: args.stop_after.map(|patience| patience as usize),
        truth: truth.as_ref(),
        all_starts: args.evaluation.all_starts,
    };
    let taming = request.run()?;
    if let (Some(into), Some(crashes)) = (&args.group_into, &args.crashes) {
        let files = listed_inputs(crashes)?;
        let groups =
            group_into(&taming, &files, into).with_context(|| format!("--group-into {}", into.display()))?;
        tell!("{groups} groups of inputs are in {}", into.display());
    }
    shown(args, &taming)?;
    Ok(if incomplete { Exit::Incomplete } else { Exit::Fine })
}

fn shown(args: &TameArgs, taming: &Taming) -> Result<()> {
    if let (Some(path), Some(evaluation)) = (&args.evaluation.svg, &taming.evaluation) {
        write_result(&args.run.out, Some(path), &picture(args, evaluation, taming))?;
    }
    if let Some(path) = &args.html {
        let curve = taming.evaluation.as_ref().map(|evaluation| picture(args, evaluation, taming));
        write_result(&args.run.out, Some(path), &page(taming, curve.as_deref()))?;
    }
    match args.json {
        true => write_result(&args.run.out, None, &as_json(&TameDocument::new(taming, args.explain))?),
        false => print_text(&as_text(args, taming)),
    }
}

fn picture(args: &TameArgs, evaluation: &TameEvaluation, taming: &Taming) -> String {
    let bugs = evaluation.truth.bugs.len();
    let end = args.evaluation.at.iter().copied().max().unwrap_or(50).min(taming.order.len());
    let line = |label: String, seen: Vec<f64>| CurveLine::of_steps(label, seen.into_iter().take(end));
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
