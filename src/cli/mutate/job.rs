//! `wildcaught mutate`: finds mutants, then lists, checks or writes them.

use std::fmt::Write;

use anyhow::Result;
use anyhow::bail;

use crate::insert::Description;
use crate::insert::FileMutants;
use crate::insert::Inserter;
use crate::insert::Mutant;
use crate::insert::RULES;
use crate::insert::Rules;
use crate::insert::describe;
use crate::report::Figures;
use crate::report::MutateDocument;
use crate::report::Table;
use crate::report::counted;
use crate::report::list;
use crate::report::tables;
use crate::report::thousands;
use crate::report::unified;

use super::super::exit::Exit;
use super::super::output::print_text;
use super::super::output::write_bytes;
use super::super::output::write_json;
use super::super::output::write_out;
use super::super::target::find_mutants;
use super::super::target::prepare;
use super::args::MutateArgs;
use super::args::OutputArgs;
use super::in_place;
use super::trial;
use super::write;
use crate::pipeline::Prepared;

/// Runs the command.
pub fn run(args: &MutateArgs) -> Result<Exit> {
    if args.output.rules {
        write_out(None, &rules())?;
        return Ok(Exit::Fine);
    }
    if args.output.revert {
        return in_place::revert();
    }
    if args.output.in_place {
        in_place::check_free()?;
    }
    if let Some(threads) = args.output.threads {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    }
    let mut prepared = prepare(&args.target)?;
    if args.output.keep_unfit {
        prepared.fit.rules = Rules::all();
        prepared.fit.learned = None;
        prepared.fit.keep_unfit = true;
    }
    let Prepared { def, arsenal, target, fit, .. } = &prepared;
    let inserter = Inserter { def, arsenal, target, fit: fit.clone() };
    let Some(all) = find_mutants(&inserter, args.output.quiet)? else { return Ok(Exit::Interrupted) };
    if args.output.left_out {
        print_text(&left_out(&prepared))?;
    }
    let mutants = args.choice.selection().select(&inserter, &all)?;
    if mutants.is_empty() {
        nothing(&inserter, &all);
        return Ok(Exit::Incomplete);
    }
    let asked = Asked { args, prepared: &prepared, inserter: &inserter, all: &all, mutants: &mutants };
    asked.serve()
}

struct Asked<'a> {
    args: &'a MutateArgs,
    prepared: &'a Prepared,
    inserter: &'a Inserter<'a>,
    all: &'a [FileMutants],
    mutants: &'a [&'a Mutant],
}

impl Asked<'_> {
    fn serve(&self) -> Result<Exit> {
        let output = &self.args.output;
        if output.in_place {
            return in_place::put(&self.only_one()?, self.inserter);
        }
        let listed = output.list || output.diff || output.out.is_some() || output.check.is_some();
        let chosen = self.args.choice.count.is_some()
            || self.args.choice.per_function.is_some()
            || self.args.choice.op.is_some()
            || self.args.choice.id.is_some();
        if !listed && !chosen {
            return self.summary(output);
        }
        let mut shown = self.shown();
        let mut exit = Exit::Fine;
        if let Some(command) = &output.check {
            exit = trial::run(command, output, self.inserter, &mut shown)?;
        }
        if let Some(directory) = &output.out {
            write::run(directory, output.form, self.inserter, &shown)?;
            return Ok(exit);
        }
        if output.json {
            write_json(&MutateDocument::new(&shown))?;
        } else if output.diff {
            write_bytes(None, &self.diffs(&shown))?;
        } else if output.list || output.check.is_none() {
            print_text(&list(&shown))?;
        }
        Ok(exit)
    }

    fn shown(&self) -> Vec<Description> {
        describe(self.inserter, self.mutants)
    }

    fn only_one(&self) -> Result<Description> {
        match self.shown().as_mut_slice() {
            [one] => Ok(one.clone()),
            many => bail!(
                "--in-place writes one mutant, but {} are chosen; choose one with --id ID, --op ID --site N, or \
                 --count 1",
                thousands(many.len() as u64)
            ),
        }
    }

    fn diffs(&self, shown: &[Description]) -> Vec<u8> {
        let mut out = Vec::new();
        for mutant in shown {
            out.extend(write::patch(mutant, self.inserter));
        }
        out
    }

    fn summary(&self, output: &OutputArgs) -> Result<Exit> {
        let figures = Figures::new(self.inserter, self.all);
        if output.json {
            write_json(&figures)?;
            return Ok(Exit::Fine);
        }
        let (files, operators) = tables(self.inserter, self.all, output.top);
        let mut text = format!("{}\n{files}\n{operators}\n", figures.funnel());
        let _ = writeln!(
            text,
            "{} in {} ({}), by {} of {}",
            counted(figures.mutants, "mutant"),
            counted(figures.files as u64, "file"),
            counted(figures.tokens as u64, "token"),
            thousands(figures.operators_used as u64),
            counted(figures.operators as u64, "operator")
        );
        if !self.prepared.left_out.is_empty() {
            let files = counted(self.prepared.left_out.len() as u64, "file");
            let _ = writeln!(text, "skipped: {files} (--left-out says why)");
        }
        print_text(&text)?;
        Ok(Exit::Fine)
    }
}

fn rules() -> String {
    let mut table = Table::new(&[
        ("rule", crate::report::Align::Left),
        ("sane", crate::report::Align::Left),
        ("strict", crate::report::Align::Left),
        ("skips what", crate::report::Align::Left),
    ]);
    for (place, rule) in RULES.iter().enumerate() {
        let among = |rules: Rules| {
            let has = rules.iter().any(|rule| usize::from(rule.0) == place);
            if has { "yes".to_owned() } else { "no".to_owned() }
        };
        table.row(vec![rule.name.into(), among(Rules::sane()), among(Rules::strict()), rule.says.into()]);
    }
    table.to_string()
}

fn left_out(prepared: &Prepared) -> String {
    let mut out = String::new();
    for (name, count) in &prepared.skipped_ops {
        let _ = writeln!(out, "--skip-ops {name}: {}", counted(*count as u64, "operator"));
    }
    for (path, why) in &prepared.left_out {
        let _ = writeln!(out, "{}: {}", path.display(), why.name());
    }
    for (file, parts) in prepared.target.files.iter().zip(&prepared.skipped) {
        for part in parts {
            let reason = if part.reason.is_empty() { String::new() } else { format!(": {}", part.reason) };
            let _ = writeln!(
                out,
                "{}:{}-{}: {}{reason}",
                file.path.display(),
                part.first,
                part.last,
                part.why.name()
            );
        }
    }
    out
}

fn nothing(inserter: &Inserter, all: &[FileMutants]) {
    let figures = Figures::new(inserter, all);
    tell!("no mutants; where sites were lost:\n{}", figures.funnel());
    if figures.sites == 0 {
        tell!(
            "There is no match for {} in {}.",
            counted(figures.operators as u64, "operator"),
            counted(figures.files as u64, "file")
        );
    } else if figures.mutants == 0 {
        tell!("Try --fit off, or another set.");
    }
}

/// A mutant as a diff, used by all that write one.
pub fn diff(mutant: &Description, inserter: &Inserter) -> Vec<u8> {
    let file = inserter.target.files.iter().find(|file| file.path == mutant.file).expect("it is one of them");
    unified(&mutant.file, &file.text, std::slice::from_ref(&mutant.edit))
}
