//! `wildcaught onion`: inputs by their distance from one of them.

use std::fmt::Write;

use anyhow::Result;
use serde_json::json;

use crate::analysis::tame::rings;

use super::super::exit::Exit;
use super::super::output::print_painted;
use super::super::output::write_out;
use super::args::OnionArgs;
use super::job::with_threads;
use super::source::inputs;

/// Runs the command.
pub fn run(args: &OnionArgs) -> Result<Exit> {
    with_threads(args.jobs, || onion(args))
}

fn onion(args: &OnionArgs) -> Result<Exit> {
    let mut source = args.source.clone();
    if !source.from.is_given() {
        source.from.matrix = Some(args.out.clone());
    }
    let inputs = inputs(&source, None)?;
    let centre = inputs.number(&args.centre)?;
    let rings = rings(&inputs.space, centre);
    let blank = inputs.blank().contains(&centre);
    let names = |ring: &[usize]| ring.iter().map(|input| inputs.names[*input].as_str()).collect::<Vec<_>>();
    if args.json {
        let rings =
            rings.iter().map(|ring| json!({ "distance": ring.distance, "inputs": names(&ring.inputs) }));
        let document = json!({
            "centre": args.centre,
            "distance": inputs.distance.name(),
            "rings": rings.collect::<Vec<_>>(),
            "blank": blank,
            "left_out": inputs.left_out,
        });
        write_out(None, &format!("{}\n", serde_json::to_string_pretty(&document)?))?;
    } else {
        let mut out = String::new();
        for ring in &rings {
            let _ = writeln!(out, "{:.2}: {}", ring.distance, names(&ring.inputs).join(" "));
        }
        print_painted(&out)?;
        inputs.left_out.iter().for_each(|what| anstream::eprintln!("left out: {what}"));
        if blank {
            let what = inputs.space.of.blank();
            anstream::eprintln!("{what} {}, so its distances say nothing", args.centre);
        }
    }
    Ok(if inputs.left_out.is_empty() { Exit::Fine } else { Exit::Incomplete })
}
