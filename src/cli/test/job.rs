//! `wildcaught test`: arguments → request → run → result.

use std::fmt::Write;
use std::path::Path;
use std::path::PathBuf;

use anyhow::Result;
use anyhow::bail;
use clap::Parser;

use crate::control::Events;
use crate::control::Shard;
use crate::engine::EngineChoice;
use crate::engine::Until;
use crate::insert::Description;
use crate::insert::FileMutants;
use crate::insert::Mutant;
use crate::insert::describe;
use crate::matrix::Earlier;
use crate::matrix::RunDir;
use crate::pipeline::Prepared;
use crate::pipeline::TargetRequest;
use crate::pipeline::test::AuditChoice;
use crate::pipeline::test::MutantChoice;
use crate::pipeline::test::Remember;
use crate::pipeline::test::TestPlan;
use crate::pipeline::test::TestRequest;
use crate::report::RunNotes;
use crate::report::TestDocument;
use crate::report::counted;
use crate::report::thousands;
use crate::runner::plain_line;
use crate::text::one_line;

use super::super::args::Cli;
use super::super::args::Command;
use super::super::exit::Exit;
use super::super::mutate::ChoiceArgs;
use super::super::output::print_text;
use super::super::output::write_json;
use super::super::report::Finished;
use super::super::report::after_test;
use super::super::sandbox::contain;
use super::super::settings::OUT;
use super::super::settings::Settings;
use super::super::settings::part_results;
use super::super::settings::results;
use super::super::settings::settings;
use super::super::settings::with_settings;
use super::super::target::TargetArgs;
use super::super::target::find_mutants;
use super::super::target::prepare;
use super::super::watch::ended;
use super::super::watch::watch;
use super::args::EngineArg;
use super::args::HowArgs;
use super::args::MatrixArg;
use super::args::PlanArgs;
use super::args::TestArgs;
use super::gate::Gate;
use super::on_save::run as on_save;
use super::pull_request::as_in_ci;
use super::show::View;
use super::show::result;

/// Mutants that a dry run lists.
const LISTED: usize = 10;
/// A plan, where results are kept.
pub const PLAN: &str = "plan.wc";

/// Runs the command.
pub fn run(typed: &TestArgs) -> Result<Exit> {
    if typed.run.watch {
        return on_save(typed);
    }
    let args = &as_in_ci(typed);
    let place = Place::of(args)?;
    let args = &place.with_plan(args)?;
    let job = Job::prepare(&args.target, &args.run.how)?;
    let Some(job) = job else { return Ok(Exit::Interrupted) };
    let inserter = job.prepared.inserter();
    let choice = choice(&args.choice, &args.run.how);
    if args.run.dry_run {
        return dry_run(args, &place, &job, &choice);
    }
    let chosen = choice.mutants(&inserter, &job.all)?;
    if chosen.is_empty() && place.plan.is_none() {
        return nothing(args);
    }
    let out = RunDir::lock(&place.out)?;
    if let (None, Some(_)) = (&place.plan, place.shard) {
        let wanted = Wanted { mutants: chosen.clone(), part: None };
        let made = job.with_request(&args.run.how, &out, wanted, |request, events| {
            watch(events, args.run.how.quiet, || request.plan(&place.own_plan(), &[], events))
        })?;
        if let Err(exit) = ended(made)? {
            return Ok(exit);
        }
    }
    let part = place.part()?;
    let mutants = match &part {
        Some(part) => part.mutants(&inserter, &job.all)?,
        None => chosen,
    };
    let own = own(part.as_ref(), &mutants);
    if !args.run.how.quiet {
        announce(&choice, &job, part.as_ref(), own.len());
    }
    let is_diff = args.target.files.diff().is_some();
    let whole = !choice.is_selected() && !is_diff;
    let wanted = Wanted { mutants, part: part.as_ref() };
    let tested = job.with_request(&args.run.how, &out, wanted, |mut request, events| {
        request.earlier = earlier(args, &choice);
        request.remember = remember(args);
        request.keep = args.run.keep;
        request.audit = audit(args);
        let notes = RunNotes::new(request.inserter, &own);
        let tested = ended(watch(events, args.run.how.quiet, || request.run(events)))?;
        Ok::<_, anyhow::Error>(tested.map(|tested| (tested, notes)))
    })??;
    let (tested, mut notes) = match tested {
        Ok(tested) => tested,
        Err(exit) => return Ok(exit),
    };
    notes.seconds = tested.took.as_secs_f64();
    let finished =
        Finished { root: &job.settings.root, out: out.path(), matrix: &tested.matrix, notes, whole };
    let kept = after_test(finished)?;
    let everything = whole && args.run.how.all && part.is_none() && args.target.paths.is_empty();
    let gate = Gate::new(&args.run.gate, &tested.matrix, &kept, everything)?;
    let view = View { root: &job.settings.root, out: out.path(), shard: place.shard, most: args.run.show };
    result(args, &tested, &gate, &view)
}

/// Where the results of a run go, and which part of which plan it is.
struct Place {
    shard: Option<Shard>,
    plan: Option<PathBuf>,
    out: PathBuf,
}

impl Place {
    fn of(args: &TestArgs) -> Result<Self> {
        let typed = &args.run.how.out;
        let shard = args.run.shared.part.shard()?;
        let usual = || results(Path::new(OUT)).join(PLAN);
        let plan = args.run.shared.plan.clone().map(|plan| plan.unwrap_or_else(usual));
        Ok(Self { shard, plan, out: part_results(typed, shard) })
    }

    /// What was typed, with the target and the operators of the plan, if there is one.
    fn with_plan(&self, typed: &TestArgs) -> Result<TestArgs> {
        let Some(file) = &self.plan else { return Ok(typed.clone()) };
        let PlanArgs { target, choice, how, .. } = plan_args(&TestPlan::arguments(file)?)?;
        let (mut run, HowArgs { config, all, engine, matrix, no_tce, .. }) = (typed.run.clone(), how);
        run.how = HowArgs { config, all, engine, matrix, no_tce, ..run.how };
        Ok(TestArgs { target, choice, run })
    }

    /// The plan of a part that makes its own.
    fn own_plan(&self) -> PathBuf {
        self.out.join(PLAN)
    }

    /// The part that is tested; none if the run is not shared.
    fn part(&self) -> Result<Option<TestPlan>> {
        let file = match (&self.plan, self.shard) {
            (None, None) => return Ok(None),
            (Some(plan), _) => plan.clone(),
            (None, Some(_)) => self.own_plan(),
        };
        Ok(Some(TestPlan::read(&file, self.shard.unwrap_or(Shard::WHOLE))?))
    }
}

/// Reads the arguments of a plan as they were typed.
fn plan_args(arguments: &[String]) -> Result<PlanArgs> {
    let line = ["wildcaught", "plan"].into_iter().map(str::to_owned).chain(arguments.iter().cloned());
    match Cli::try_parse_from(line).map(|cli| cli.command) {
        Ok(Command::Plan(args)) => Ok(*args),
        _ => bail!(
            "the plan was made with arguments that this version does not know: {}; make it again with \
             `wildcaught plan`",
            arguments.join(" ")
        ),
    }
}

/// A project and the mutants in it.
pub struct Job {
    pub settings: Settings,
    pub prepared: Prepared,
    pub all: Vec<FileMutants>,
    paths: Vec<PathBuf>,
    sources: Option<(Prepared, Vec<PathBuf>)>,
}

/// What is tested.
pub struct Wanted<'a> {
    pub mutants: Vec<&'a Mutant>,
    /// What was decided about them before, if others share the run.
    pub part: Option<&'a TestPlan>,
}

impl Job {
    /// Finds the mutants; none if Ctrl-C was pressed.
    pub fn prepare(target: &TargetArgs, how: &HowArgs) -> Result<Option<Self>> {
        let settings = settings(&how.config)?;
        let prepared = prepare(&with_settings(target, &settings))?;
        let Some(all) = find_mutants(&prepared.inserter(), how.quiet)? else { return Ok(None) };
        let paths = settings.paths(&prepared.target)?;
        let sources = sources(target, &settings);
        Ok(Some(Self { settings, prepared, all, paths, sources }))
    }

    /// A file of the target, seen from the project's root.
    pub fn path(&self, file: usize) -> &Path {
        &self.paths[file]
    }

    /// Does something with a request to test these mutants.
    pub fn with_request<T>(
        &self,
        how: &HowArgs,
        out: &RunDir,
        wanted: Wanted,
        work: impl FnOnce(TestRequest, &Events) -> T,
    ) -> Result<T> {
        let inserter = self.prepared.inserter();
        let sources = self.sources.as_ref().map(|(whole, paths)| (whole.inserter(), &paths[..]));
        let events = Events::default();
        let containment = contain(&how.sandbox.over(&self.settings.config.sandbox), how.quiet)?;
        let request = TestRequest {
            project: &self.settings.project(out, containment, &events.progress)?,
            out,
            inserter: &inserter,
            mutants: wanted.mutants,
            paths: &self.paths,
            sources: sources.as_ref().map(|(inserter, paths)| (inserter, *paths)),
            earlier: Earlier::Replaced,
            remember: Remember::Nothing,
            engine: engine(how.engine),
            until: if how.matrix == MatrixArg::Full { Until::All } else { Until::FirstKill },
            jobs: self.settings.jobs(how.jobs),
            compare: !how.no_tce,
            keep: false,
            audit: None,
            plan: wanted.part,
        };
        Ok(work(request, &events))
    }
}

/// All sources that the settings name, where the user named some of them; none if there are none.
fn sources(target: &TargetArgs, settings: &Settings) -> Option<(Prepared, Vec<PathBuf>)> {
    let mut request = TargetRequest::of_settings(&settings.root, &settings.config);
    request.language = target.language.language.clone().or(request.language);
    let whole = (!target.paths.is_empty()).then(|| request.run().ok()).flatten()?;
    let paths = whole.inside(&settings.root);
    Some((whole, paths))
}

fn audit(args: &TestArgs) -> Option<AuditChoice> {
    let count = args.run.audit? as usize;
    Some(AuditChoice { count, seed: args.choice.seed })
}

/// Which mutants are meant.
pub fn choice(choice: &ChoiceArgs, how: &HowArgs) -> MutantChoice {
    MutantChoice { selection: choice.selection(), all: how.all }
}

/// Where nothing can be tested, that may be what the user wanted to know.
fn nothing(args: &TestArgs) -> Result<Exit> {
    if args.run.json && !args.run.dry_run {
        write_json(&TestDocument::empty())?;
    }
    if args.target.files.diff().is_some() {
        tell!("nothing to test: no mutant is on a line that the diff changes");
        return Ok(Exit::Fine);
    }
    tell!("no mutant to test; `wildcaught mutate` shows where mutants were lost");
    Ok(Exit::Incomplete)
}

fn earlier(args: &TestArgs, choice: &MutantChoice) -> Earlier {
    match args.run.resume {
        true => Earlier::Resumed,
        false if choice.is_selected() => Earlier::Updated,
        false => Earlier::Replaced,
    }
}

fn remember(args: &TestArgs) -> Remember {
    match (args.run.fresh, args.run.survived) {
        (true, _) => Remember::Nothing,
        (_, true) => Remember::AllButMissed,
        _ => Remember::WhatHolds,
    }
}

fn engine(choice: EngineArg) -> EngineChoice {
    match choice {
        EngineArg::Auto => EngineChoice::Auto,
        EngineArg::Switch => EngineChoice::Switch,
        EngineArg::Classic => EngineChoice::Classic,
    }
}

/// Says what is going to be tested.
pub fn announce(choice: &MutantChoice, job: &Job, part: Option<&TestPlan>, chosen: usize) {
    let there = match part {
        Some(part) => part.mutants,
        None => job.all.iter().map(|file| file.mutants.len()).sum(),
    };
    let drawn = if chosen == there {
        counted(there as u64, "mutant")
    } else {
        format!("{} of {}", thousands(chosen as u64), counted(there as u64, "mutant"))
    };
    let more = match part {
        None if choice.selection.per_function.is_some() && chosen < there => {
            format!("; at most {} per function", choice.selection.per_function.unwrap_or_default())
        }
        None if chosen < there && choice.is_default_draw() => "; --all tests all".to_owned(),
        Some(part) if part.shard != Shard::WHOLE => format!("; part {} of the plan", part.shard),
        _ => String::new(),
    };
    tell!("{drawn}, settings from {}{more}", job.settings.from);
}

/// The mutants that are tested here, of those that are built into one program.
fn own<'m>(part: Option<&TestPlan>, mutants: &[&'m Mutant]) -> Vec<&'m Mutant> {
    let Some(part) = part else { return mutants.to_vec() };
    let pairs = part.own.iter().zip(mutants).filter(|(own, _)| own.is_some());
    pairs.map(|(_, mutant)| *mutant).collect()
}

/// Says what would be done. Without a plan, nobody knows yet which mutants of a part need no test.
fn dry_run(args: &TestArgs, place: &Place, job: &Job, choice: &MutantChoice) -> Result<Exit> {
    let inserter = job.prepared.inserter();
    let part = place.plan.as_ref().map(|_| place.part()).transpose()?.flatten();
    let mutants = match &part {
        Some(part) => own(Some(part), &part.mutants(&inserter, &job.all)?),
        None => choice.mutants(&inserter, &job.all)?,
    };
    let described = describe(&inserter, &mutants);
    let is_own = |mutant: &&Description| place.shard.is_none_or(|shard| shard.owns(&mutant.id));
    let mine: Vec<&Description> = described.iter().filter(is_own).collect();
    if mine.is_empty() && place.shard.is_none() {
        return nothing(args);
    }
    if !args.run.how.quiet {
        announce(choice, job, part.as_ref(), mine.len());
    }
    let (settings, mutants, audit) = (&job.settings, mine.len(), args.run.audit);
    let config = &settings.config;
    let build = config.build.command.as_deref().unwrap_or("(none, or javac)");
    let test = config.tests.style.command().unwrap_or(config.tests.style.name());
    let mut text = format!("build:   {build}\ntest:    {test}\nmutants: {}\n", thousands(mutants as u64));
    if let Some(count) = audit {
        let line = plain_line(config, &settings.root, &[]).ok().flatten();
        let line = line.unwrap_or_else(|| format!("each test of {}", config.tests.style.name()));
        let _ = writeln!(text, "audit:   {count} verdicts of each fate, in fresh copies, by: {line}");
    }
    for mutant in mine.into_iter().take(LISTED) {
        let place = format!("{}:{}", mutant.file.display(), mutant.line);
        let line = format!("  {}  {place}  {} → {}", mutant.id, mutant.before, mutant.after);
        let _ = writeln!(text, "{}", one_line(&line));
    }
    print_text(&text)?;
    Ok(Exit::Fine)
}
