//! `wildcaught localize`: first what is known, then rankings, then reasons and how good they are.

use std::fmt::Write;
use std::path::Path;

use anyhow::Result;
use anyhow::bail;

use crate::analysis::localize::Evaluation;
use crate::analysis::localize::FaultLine;
use crate::analysis::localize::LocalizeError;
use crate::analysis::localize::Method;
use crate::analysis::localize::Ranking;
use crate::analysis::localize::Scores;
use crate::analysis::localize::Subject;
use crate::analysis::localize::TestNames;
use crate::analysis::localize::Wish;
use crate::analysis::localize::evaluate;
use crate::analysis::localize::rank;
use crate::report::Align;
use crate::report::Table;
use crate::report::counted;

use super::super::exit::Exit;
use super::super::gather::Gather;
use super::super::output::print_painted;
use super::super::output::write_out;
use super::super::settings::settings;
use super::super::target::ALL;
use super::args::ByArg;
use super::args::LocalizeArgs;
use super::args::ViewArgs;
use super::compare;
use super::input;
use super::input::Input;
use super::json;
use super::page;
use super::show;
use super::truth;

/// A method's answer.
pub struct Localized<'a> {
    pub method: Method,
    pub subject: &'a Subject<'a>,
    pub scores: Scores,
    pub ranking: Ranking,
    /// How good it is, if the fault is known.
    pub evaluation: Option<Evaluation>,
}

/// Runs the command.
pub fn run(args: &LocalizeArgs) -> Result<Exit> {
    if args.methods {
        return list_methods();
    }
    if !args.compare.is_empty() {
        return compare::run(&args.compare, args.view.json);
    }
    let mut view = args.view.clone();
    let input = match &args.matrix {
        Some(matrix) => input::from_files(matrix, &args.tests, view.root())?,
        None => match from_source(args, &mut view)? {
            Ok(input) => input,
            Err(exit) => return Ok(exit),
        },
    };
    let faults = truth::faults(&args.truth, &input.spectrum, view.root())?;
    localize(input, &view, args.tests.test.as_deref(), faults.as_deref())
}

/// Runs the mutants of a project in which tests fail.
fn from_source(args: &LocalizeArgs, view: &mut ViewArgs) -> Result<Result<Input, Exit>> {
    let settings = settings(&args.run.config)?;
    view.root.get_or_insert_with(|| settings.root.clone());
    let mut target = args.target.clone();
    if target.ops.is_empty() {
        // Classic ones reach most statements; what was mined from fixes repairs more.
        target.ops.push(ALL.into());
    }
    let methods = methods(&view.method, false)?;
    let gather = Gather {
        args: &args.run,
        target: &target,
        settings: &settings,
        operators: &[],
        mutants: methods.iter().any(|method| method.asks_mutants()),
        thorough: methods.iter().any(|method| method.needs_all_tests()),
    };
    Ok(match gather.run()? {
        Ok(gathered) => Ok(input::from_run(gathered, view.root())),
        Err(exit) => Err(exit),
    })
}

/// Ranks, explains and evaluates what is known, wherever it comes from.
pub fn localize(
    mut input: Input,
    view: &ViewArgs,
    test: Option<&str>,
    faults: Option<&[FaultLine]>,
) -> Result<Exit> {
    let mut warnings = std::mem::take(&mut input.warnings);
    let all = Subject::new(&input.matrix, &input.spectrum)?;
    let test = test.map(|name| number(&input, name)).transpose()?;
    let alone = test.map(|test| Subject::about(&input.matrix, &input.spectrum, test)).transpose()?;
    let wish = Wish { test, coverage: input.changes.as_ref() };
    let mut found = Vec::new();
    for method in methods(&view.method, input.changes.is_some())? {
        let subject = alone.as_ref().filter(|_| !method.is_single()).unwrap_or(&all);
        let scores = method.scores(subject, wish)?;
        let ranking = rank(&input.spectrum, &scores, view.by.into());
        let evaluation = faults.map(|faults| evaluate(subject, &ranking, faults));
        found.push(Localized { method, subject, scores, ranking, evaluation });
    }
    warnings.extend(shortcomings(&found, view.by)?);
    warnings.iter().for_each(|warning| anstream::eprintln!("warning: {warning}"));
    if let Some(file) = &view.html {
        write_out(Some(file), &page::page(&found, view))?;
    }
    match view.json {
        true => write_out(None, &json::document(&found, view, &warnings)?)?,
        false => print_painted(&show::text(&found, view))?,
    }
    Ok(if warnings.is_empty() { Exit::Fine } else { Exit::Incomplete })
}

fn number(input: &Input, name: &str) -> Result<u32> {
    let known = TestNames::new(input.matrix.tests.iter().map(|test| test.name.as_str()));
    Ok(known.find(name).ok_or_else(|| LocalizeError::NoSuchTest(name.to_owned()))?)
}

/// The methods that were asked for, each once. `all` are those for which there is what they need.
fn methods(names: &[String], changes: bool) -> Result<Vec<Method>> {
    let mut methods: Vec<Method> = Vec::new();
    for name in names.iter().map(|name| name.trim().to_lowercase()) {
        let wanted: Vec<Method> = match name.as_str() {
            "all" => Method::all().filter(|method| method.name() != "coverage" || changes).collect(),
            name => vec![Method::called(name)?],
        };
        for method in wanted {
            if !methods.iter().any(|known| known.name() == method.name()) {
                methods.push(method);
            }
        }
    }
    Ok(methods)
}

/// What the answers could not go by.
fn shortcomings(found: &[Localized], by: ByArg) -> Result<Vec<String>> {
    let mut warnings = Vec::new();
    let Some(first) = found.first() else { return Ok(warnings) };
    if by == ByArg::Function && first.ranking.places.is_empty() {
        bail!("--by function: nothing says where functions are; give --root, or coverage that names them");
    }
    if first.ranking.outside > 0 {
        let count = counted(first.ranking.outside as u64, "statement");
        warnings.push(format!("{count} in no function that is known; they are not ranked"));
    }
    let only_repairs = !found.iter().any(|one| one.method.needs_all_tests());
    let partial = first.subject.partial_mutants(only_repairs);
    if partial > 0 {
        warnings.push(format!(
            "{} not run with all tests that reach them; `wildcaught test --matrix full` does that",
            counted(partial as u64, "mutant")
        ));
    }
    if first.subject.targets() == 0 {
        warnings.push("failing tests execute no statement that is known; every ranking is blind".to_owned());
    }
    if let Some(evaluation) = first.evaluation.as_ref().filter(|found| !found.missing.is_empty()) {
        let missing = input::some(evaluation.missing.iter().map(String::as_str));
        warnings.push(format!("faults where nothing is ranked: {missing}"));
    }
    Ok(warnings)
}

fn list_methods() -> Result<Exit> {
    let mut table = Table::new(&[("method", Align::Left), ("goes by", Align::Left)]);
    Method::all().for_each(|method| table.row(vec![method.name().to_owned(), method.says().to_owned()]));
    let mut text = table.to_string();
    let _ = writeln!(
        text,
        "\nef, ep: failing and passing tests that execute a statement; nf, np: those that do not. 0/0 is 0."
    );
    write_out(None, &text)?;
    Ok(Exit::Fine)
}

/// The lines of a file under the root, if it is there.
pub fn source_lines(root: &Path, file: &str) -> Option<Vec<String>> {
    let text = std::fs::read(root.join(file)).ok()?;
    Some(String::from_utf8_lossy(&text).lines().map(str::to_owned).collect())
}
