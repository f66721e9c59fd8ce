//! Prints a ranking of inputs: which comes next, why, and how good the order is.

use std::fmt::Write;

use crate::analysis::tame::Distance;
use crate::analysis::tame::RankStep;
use crate::pipeline::tame::GivesUp;
use crate::pipeline::tame::TameEvaluation;
use crate::pipeline::tame::Taming;
use crate::report::Align;
use crate::report::Table;
use crate::report::counted;
use crate::report::left_out_text;
use crate::report::note_text;
use crate::report::thousands;
use crate::text::one_line;

use super::args::TameArgs;

/// How many members of a group are named.
const MEMBERS: usize = 8;

/// All of it as text.
pub fn as_text(args: &TameArgs, taming: &Taming) -> String {
    let inputs = &taming.inputs;
    let mut out = format!(
        "{} compared by {}, {} of them can be told apart\n",
        counted(inputs.names.len() as u64, "input"),
        inputs.distance.name(),
        thousands(taming.groups.len() as u64),
    );
    inputs.notes.iter().for_each(|note| out.push_str(&format!("{}\n", one_line(&note_text(note)))));
    inputs
        .left_out
        .iter()
        .for_each(|what| out.push_str(&format!("left out: {}\n", one_line(&left_out_text(what)))));
    if taming.order.is_empty() {
        return out;
    }
    out.push('\n');
    list(&mut out, args, taming);
    groups(&mut out, args, taming);
    blank(&mut out, taming);
    if let Some(evaluation) = &taming.evaluation {
        evaluate(&mut out, args, taming, evaluation);
    }
    out
}

fn limit(args: &TameArgs) -> usize {
    if args.show == 0 { usize::MAX } else { args.show }
}

/// The order, with what distinguishes each input from the nearest earlier one.
fn list(out: &mut String, args: &TameArgs, taming: &Taming) {
    let shown = limit(args).min(taming.worth_reading);
    let mut table = Table::new(&[
        ("", Align::Right),
        ("input", Align::Left),
        ("distance", Align::Right),
        ("nearest earlier", Align::Left),
        (if taming.evaluation.is_some() { "bugs" } else { "" }, Align::Left),
    ]);
    let name = |input: usize| taming.inputs.names[input].replace(['\n', '\r'], " ");
    for (at, ranked) in taming.order.iter().take(shown).enumerate() {
        table.row(vec![
            (at + 1).to_string(),
            name(ranked.input),
            ranked.nearest.map_or(String::new(), |(_, distance)| format!("{distance:.2}")),
            ranked.nearest.map_or(String::new(), |(nearest, _)| name(nearest)),
            bugs(taming, ranked.input, at),
        ]);
    }
    let text = table.to_string();
    let mut lines = text.lines();
    let _ = writeln!(out, "{}", lines.next().unwrap_or_default());
    for (line, ranked) in lines.zip(&taming.order) {
        let _ = writeln!(out, "{line}");
        reasons(out, args, taming, ranked);
    }
    let unlisted = taming.order.len() - shown;
    if unlisted > 0 {
        let nearest = taming.order[shown].nearest.map_or(0.0, |(_, distance)| distance);
        let _ = writeln!(
            out,
            "{} more, none further than {nearest:.2} from one above{}",
            thousands(unlisted as u64),
            if shown < taming.worth_reading { "; --show 0 lists all" } else { "" }
        );
    }
}

/// The bugs of an input, those first seen there marked.
pub fn bugs(taming: &Taming, input: usize, at: usize) -> String {
    let Some(TameEvaluation { truth, curve, .. }) = &taming.evaluation else { return String::new() };
    let bug = |bug: &u32| {
        let new = if curve.first[*bug as usize] == Some(at + 1) { " (new)" } else { "" };
        format!("{}{new}", truth.bugs[*bug as usize])
    };
    truth.of[input].iter().map(bug).collect::<Vec<_>>().join(", ")
}

fn reasons(out: &mut String, args: &TameArgs, taming: &Taming, ranked: &RankStep) {
    let (Some((nearest, _)), true) = (ranked.nearest, args.explain > 0) else { return };
    let Some(apart) = taming.inputs.space.apart(ranked.input, nearest) else { return };
    let space = &taming.inputs.space.of;
    for (whose, only) in [("only it", apart.only_first), ("only that", apart.only_second)] {
        if only.is_empty() {
            continue;
        }
        let named: Vec<String> = only.iter().take(args.explain).map(|number| space.label(*number)).collect();
        let more = if only.len() > named.len() { "; …" } else { "" };
        let count = counted(only.len() as u64, space.what());
        let _ = writeln!(out, "        {whose}: {count}: {}{more}", named.join("; "));
    }
}

/// The inputs that cannot be told apart.
fn groups(out: &mut String, args: &TameArgs, taming: &Taming) {
    let several: Vec<&Vec<usize>> = taming.groups.iter().filter(|group| group.len() > 1).collect();
    if several.is_empty() {
        return;
    }
    let _ = writeln!(out, "\ncannot be told apart, so probably one bug (check before you close duplicates):");
    for group in several.iter().take(limit(args)) {
        let _ = writeln!(out, "  {}", members(taming, group));
    }
    if several.len() > limit(args) {
        let _ = writeln!(out, "  {}", counted((several.len() - limit(args)) as u64, "more such group"));
    }
}

fn blank(out: &mut String, taming: &Taming) {
    let blank = taming.inputs.blank();
    if !blank.is_empty() {
        let what = taming.inputs.space.of.blank();
        let _ =
            writeln!(out, "\n{what} these, so their distances are meaningless: {}", members(taming, &blank));
    }
}

fn members(taming: &Taming, inputs: &[usize]) -> String {
    let names = inputs.iter().take(MEMBERS).map(|input| one_line(&taming.inputs.names[*input]));
    let mut text = names.collect::<Vec<_>>().join("  ");
    if inputs.len() > MEMBERS {
        let _ = write!(text, "  and {} more", thousands((inputs.len() - MEMBERS) as u64));
    }
    text
}

/// How soon the bugs are seen.
fn evaluate(out: &mut String, args: &TameArgs, taming: &Taming, evaluation: &TameEvaluation) {
    let bugs = evaluation.truth.bugs.len();
    let inputs = taming.order.len();
    let at: Vec<usize> = args.evaluation.at.iter().copied().filter(|at| (1..=inputs).contains(at)).collect();
    let mut headings = vec![(format!("of {}, seen after", counted(bugs as u64, "bug")), Align::Left)];
    headings.extend(at.iter().map(|at| (at.to_string(), Align::Right)));
    headings.extend(["all after", "APFD"].map(|name| (name.to_owned(), Align::Right)));
    let headings: Vec<(&str, Align)> = headings.iter().map(|(name, align)| (name.as_str(), *align)).collect();
    let mut table = Table::new(&headings);
    let percent = |apfd: Option<f64>| apfd.map_or("–".into(), |apfd| format!("{:.2} %", apfd * 100.0));
    let seen = evaluation.curve.seen();
    let mut row = vec![format!("from {}", taming.inputs.names[taming.order[0].input])];
    row.extend(at.iter().map(|at| seen[at - 1].to_string()));
    row.push(evaluation.curve.complete_at().map_or("–".into(), |at| at.to_string()));
    row.push(percent(evaluation.curve.apfd()));
    table.row(row);
    if let Some(all) = &evaluation.all_starts {
        let mean = all.mean_seen();
        let mut row = vec![format!("mean of {} starts", thousands(inputs as u64))];
        row.extend(at.iter().map(|at| format!("{:.2}", mean[at - 1])));
        row.push(all.complete_at().map_or("–".into(), |(mean, _)| format!("{mean:.1}")));
        row.push(percent(all.apfd().map(|(_, mean, _)| mean)));
        table.row(row);
        let mut row = vec!["starts that show all bugs".to_owned()];
        row.extend(at.iter().map(|at| thousands(all.perfect(*at) as u64)));
        row.push(all.complete_at().map_or("–".into(), |(_, worst)| format!("{worst} at worst")));
        row.push(percent(all.apfd().map(|(worst, ..)| worst)) + " at worst");
        table.row(row);
    }
    let mut row = vec!["chance".to_owned()];
    row.extend(at.iter().map(|at| format!("{:.2}", evaluation.chance[at - 1])));
    row.extend([String::new(), percent(evaluation.chance_apfd)]);
    table.row(row);
    let _ = write!(out, "\n{table}");
    remarks(out, evaluation);
}

fn remarks(out: &mut String, evaluation: &TameEvaluation) {
    let near = &evaluation.neighbours;
    if let Some(rate) = near.rate() {
        let _ = writeln!(
            out,
            "the nearest other input shows the same bug: {:.1} % of {} (not counting {} whose bugs no other input \
             shows)",
            rate * 100.0,
            counted(near.inputs as u64, "input"),
            thousands(near.alone as u64),
        );
    }
    if let Some(GivesUp { patience, read, seen }) = evaluation.gives_up {
        let _ = writeln!(
            out,
            "stopping after {} without a new bug: {read} read, {seen} of {} seen",
            counted(patience as u64, "input"),
            counted(evaluation.truth.bugs.len() as u64, "bug"),
        );
    }
}
