//! `wildcaught onion`: inputs by their distance from one of them.

use std::fmt::Write;

use anyhow::Result;

use crate::analysis::tame::Failing;
use crate::analysis::tame::rings;
use crate::pipeline::tame::InputSource;
use crate::pipeline::tame::Inputs;
use crate::report::OnionDocument;
use crate::report::left_out_text;

use super::super::exit::Exit;
use super::super::output::print_text;
use super::super::output::write_json;
use super::args::OnionArgs;
use super::job::with_threads;

/// Runs the command.
pub fn run(args: &OnionArgs) -> Result<Exit> {
    with_threads(args.jobs, || onion(args))
}

fn onion(args: &OnionArgs) -> Result<Exit> {
    let results = || InputSource::Matrix { path: args.out.clone(), failing: Failing::AsRecorded };
    let source = args.source.named().unwrap_or_else(results);
    let inputs = Inputs::read(source, args.source.distance.map(Into::into))?;
    let centre = inputs.number(&args.centre)?;
    let rings = rings(&inputs.space, centre);
    let document = OnionDocument::new(&inputs, centre, &rings);
    if args.json {
        write_json(&document)?;
    } else {
        let mut out = String::new();
        for ring in &document.rings {
            let _ = writeln!(out, "{:.2}: {}", ring.distance, ring.inputs.join(" "));
        }
        print_text(&out)?;
        inputs.left_out.iter().for_each(|what| tell!("left out: {}", left_out_text(what)));
        if document.blank {
            let what = inputs.space.of.blank();
            tell!("{what} {}, so its distances are meaningless", args.centre);
        }
    }
    Ok(if inputs.left_out.is_empty() { Exit::Fine } else { Exit::Incomplete })
}
