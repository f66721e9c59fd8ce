//! `wildcaught ops learn-fit`: learns which mutants compile by compiling projects with them.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;
use clap::Args;

use crate::control::Progress;
use crate::insert::ModelFile;
use crate::insert::Rules;
use crate::operator::shipped_model_text;
use crate::operator::write_set;
use crate::pipeline::ALL_SETS;
use crate::pipeline::learn_fit::Estimate;
use crate::pipeline::learn_fit::FitPlan;
use crate::pipeline::learn_fit::Judged;
use crate::pipeline::learn_fit::PlanProject;
use crate::pipeline::learn_fit::Sample;
use crate::pipeline::learn_fit::SampleRequest;
use crate::pipeline::learn_fit::Sampled;
use crate::pipeline::learn_fit::Training;
use crate::pipeline::learn_fit::Verdicts;
use crate::pipeline::learn_fit::judge_by;
use crate::pipeline::learn_fit::point;
use crate::report::Align;
use crate::report::Table;
use crate::report::thousands;

use super::super::args::LanguageArgs;
use super::super::exit::Exit;
use super::super::output::write_out;
use super::super::progress::interrupted;
use super::super::progress::watch;
use super::super::sandbox::CompilerSandboxArgs;
use super::super::target::FileArgs;
use super::super::target::FitArg;
use super::super::target::FitArgs;
use super::super::target::TargetArgs;
use super::super::target::find_mutants;
use super::super::target::prepare;
use super::source;

#[derive(Args, Debug)]
#[command(
    after_help = "Samples mutants of every project, compiles them, many in one build, and learns the weights of named features that `--fit learned` uses. The figures are of models that have not seen the project.\n\nExit codes:\n  0  \
                  success\n  1  wrong arguments or input; nothing was written\n  130  stopped by Ctrl-C; verdicts are kept"
)]
pub struct LearnFitArgs {
    /// Read the projects and how to compile them from this TOML file: `language`, then `[[project]]` with `name`,
    /// `check`, `paths`.
    pub plan: PathBuf,
    /// Find the projects in this directory; each is copied, and compiled in the copy.
    #[arg(long = "in", value_name = "DIR", default_value = ".")]
    pub within: PathBuf,
    /// Use these operator sets, as for `mutate`.
    #[arg(long, value_name = "SET", value_delimiter = ',', default_value = ALL_SETS)]
    pub ops: Vec<String>,
    /// Sample N mutants of mined operators in each project, and half as many of operators written by hand.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub draw: usize,
    /// Use this random seed (MT19937).
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u32,
    /// Keep verdicts in this directory, and compile only mutants without one.
    #[arg(long, value_name = "DIR")]
    pub verdicts: PathBuf,
    /// Keep at most N weights in the model.
    #[arg(long, value_name = "N", default_value_t = 400)]
    pub weights: usize,
    /// Choose the lowest threshold at which this share (0 to 1) of what is kept compiles.
    #[arg(long, value_name = "SHARE", default_value_t = 0.65)]
    pub viability: f64,
    /// Keep mutants with at least this chance (0 to 1), instead of choosing the threshold.
    #[arg(long, value_name = "CHANCE", conflicts_with = "viability")]
    pub threshold: Option<f64>,
    /// Only measure how good the shipped model is on the projects.
    #[arg(long)]
    pub measure: bool,
    /// Record in this set how often its operators compiled.
    #[arg(long, value_name = "SET", conflicts_with = "measure")]
    pub note: Option<PathBuf>,
    /// Stop a build after this many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    pub timeout: u64,
    /// Write the model to this file. Default: standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub sandbox: CompilerSandboxArgs,
    /// Print only warnings, errors and the figures.
    #[arg(short, long)]
    pub quiet: bool,
}

/// Runs the command.
pub fn run(args: &LearnFitArgs) -> Result<Exit> {
    let plan = read_plan(&args.plan)?;
    let mut projects = Vec::new();
    for project in &plan.projects {
        let mut samples = Vec::new();
        // Among the likeliest mutants, those that only operators written by hand make are rare: they are drawn apart.
        for ops in [args.ops.clone(), written(&args.ops)?] {
            if !ops.is_empty() {
                samples.extend(sample(args, &plan, project, ops)?);
            }
            if interrupted() {
                return Ok(Exit::Interrupted);
            }
        }
        projects.push(Sampled { name: project.name.clone(), samples });
    }
    if args.measure {
        let text = shipped_model_text(&plan.language);
        let Some(text) = text else { bail!("no model ships for {}; train one first", plan.language) };
        let file = ModelFile::read(text, &format!("viability-{}", plan.language))?;
        let judged: Vec<Judged> = projects.iter().map(|project| judge_by(&file, project)).collect();
        tell!(
            "With the shipped model, at its threshold {}:\n{}",
            file.threshold,
            figures(&judged, file.threshold)
        );
        return Ok(Exit::Fine);
    }
    let training = Training { most: args.weights, viability: args.viability, threshold: args.threshold };
    let learnt = training.run(&plan.language, &projects);
    let file = &learnt.file;
    tell!(
        "Each project with a model that has not seen it, at the threshold {}:\n{}\n{} weights",
        file.threshold,
        figures(&learnt.judged, file.threshold),
        file.weights.len()
    );
    write_out(args.output.as_deref(), &toml::to_string(file)?)?;
    if let Some(set) = &args.note {
        note(set, &projects)?;
    }
    Ok(Exit::Fine)
}

/// Adds to a set how often its operators compiled.
fn note(path: &Path, projects: &[Sampled]) -> Result<()> {
    let mut set = source::read(path)?;
    let mut figures: HashMap<&str, (u64, u64)> = HashMap::new();
    for sample in projects.iter().flat_map(|project| &project.samples) {
        for operator in &sample.operators {
            let (sites, viable) = figures.entry(operator).or_default();
            *sites += 1;
            *viable += u64::from(sample.viable);
        }
    }
    let found = |id: String| figures.get(id.as_str()).copied().unwrap_or_default();
    for operator in &mut set.operators {
        let (sites, viable) = found(operator.id());
        operator.evidence.sites += sites;
        operator.evidence.viable += viable;
    }
    for shift in &mut set.shifts {
        let (sites, viable) = found(shift.id());
        shift.evidence.sites += sites;
        shift.evidence.viable += viable;
    }
    write_out(Some(path), &write_set(&set))
}

fn read_plan(path: &Path) -> Result<FitPlan> {
    let name = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    toml::from_str(&text).with_context(|| format!("{name} is not a list of projects"))
}

/// Of some sets, those that were written by hand.
fn written(ops: &[String]) -> Result<Vec<String>> {
    let mut written = Vec::new();
    for name in ops {
        let file = Path::new(name);
        if name == ALL_SETS || name.starts_with("classic") {
            written.push(if name == ALL_SETS { "classic".to_owned() } else { name.clone() });
        } else if file.is_file() && source::read(file)?.header.sources.is_empty() {
            written.push(name.clone());
        }
    }
    Ok(written)
}

/// Draws mutants of a project and compiles them; none if that was stopped.
fn sample(
    args: &LearnFitArgs,
    plan: &FitPlan,
    project: &PlanProject,
    ops: Vec<String>,
) -> Result<Vec<Sample>> {
    let root = args.within.join(&project.name);
    let paths = match &project.paths[..] {
        [] => vec![root.clone()],
        paths => paths.iter().map(|path| root.join(path)).collect(),
    };
    let fit = FitArgs::of(FitArg::Off);
    let files = FileArgs {
        exclude: project.exclude.clone(),
        exclude_lines: vec![],
        skip_calls: vec![],
        skip_ops: vec![],
        tests: false,
        everything: false,
        in_diff: None,
    };
    let language = LanguageArgs { language: Some(plan.language.clone()) };
    let mut prepared = prepare(&TargetArgs { paths, ops, language, fit, files })?;
    prepared.fit.rules = Rules::hard();
    let inserter = prepared.inserter();
    let Some(check) = project.check.as_ref().or(inserter.def.file.check.as_ref()) else {
        bail!("{}: no compile command is known; set `check`", project.name);
    };
    let Some(all) = find_mutants(&inserter, args.quiet)? else { return Ok(vec![]) };
    let request = SampleRequest {
        inserter: &inserter,
        all: &all,
        root: &root,
        check,
        whole: project.whole.as_ref().unwrap_or(check),
        draw: args.draw,
        seed: args.seed,
        limit: Duration::from_secs(args.timeout),
        compilers: &args.sandbox.compilers(true)?,
    };
    let mutants = request.draw();
    let path = args.verdicts.join(format!("{}.verdicts", project.name));
    let mut verdicts = Verdicts::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let progress = Progress::default();
    watch(&progress, "compiling", "mutants", args.quiet, || {
        request.compile(&mutants, &mut verdicts, &progress)
    })?;
    fs::create_dir_all(&args.verdicts)?;
    fs::write(&path, verdicts.text()).with_context(|| format!("cannot write {}", path.display()))?;
    let sites = request.sites(&mutants);
    let known = sites.iter().zip(&mutants);
    let known = known.filter_map(|(site, mutant)| Some((*mutant, verdicts.get(site).flatten()?)));
    let samples: Vec<Sample> = known.map(|(mutant, viable)| Sample::new(&inserter, mutant, viable)).collect();
    let viable = samples.iter().filter(|sample| sample.viable).count();
    tell!(
        "{}: {} of {} mutants compile; {} more are in code that the build does not compile",
        project.name,
        thousands(viable as u64),
        thousands(samples.len() as u64),
        thousands((mutants.len() - samples.len()) as u64)
    );
    Ok(samples)
}

/// How good a model is on projects that it has not seen: by who wrote the operators, then at other thresholds.
fn figures(judged: &[Judged], threshold: f64) -> String {
    let points = [("of viable mutants kept", Align::Right), ("of kept mutants viable", Align::Right)];
    let columns = [
        ("project", Align::Left),
        ("operators", Align::Left),
        ("mutants", Align::Right),
        ("viable", Align::Right),
    ];
    let mut table = Table::new(&[&columns[..], &points].concat());
    let mut row = |name: &str, chances: &[Estimate]| {
        for (operators, written) in [("caught", false), ("written", true)] {
            let own: Vec<Estimate> = chances.iter().copied().filter(|one| one.written == written).collect();
            let viable = own.iter().filter(|one| one.viable).count() as f64;
            let point = point(&own, threshold);
            table.row(vec![
                name.to_owned(),
                operators.to_owned(),
                thousands(own.len() as u64),
                percent(viable / own.len().max(1) as f64),
                percent(point.kept),
                percent(point.viability),
            ]);
        }
    };
    let all: Vec<Estimate> = judged.iter().flat_map(|judged| judged.chances.iter().copied()).collect();
    judged.iter().for_each(|judged| row(&judged.project, &judged.chances));
    row("all", &all);
    let mut curve = Table::new(&[&[("threshold", Align::Right)], &points[..]].concat());
    for step in 1..20 {
        let point = point(&all, f64::from(step) / 20.0);
        curve.row(vec![format!("{:.2}", point.threshold), percent(point.kept), percent(point.viability)]);
    }
    format!("{table}\n{curve}")
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}
