//! The harvest itself, source by source.

use std::fs;
use std::path::Path;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;

use crate::cli::args::GranularityArg;
use crate::cli::args::HarvestArgs;
use crate::cli::exit::Exit;
use crate::cli::output::write_out;
use crate::cli::progress;
use crate::cli::sources;
use crate::cli::sources::NamedSource;
use crate::cli::sources::SourceOrigin;
use crate::control::Progress;
use crate::harvest::FinishOptions;
use crate::harvest::Tally;
use crate::harvest::TallyOptions;
use crate::harvest::finish;
use crate::harvest::read_raw;
use crate::harvest::tally_git;
use crate::harvest::tally_patch;
use crate::harvest::write_raw;
use crate::history::GitOptions;
use crate::history::PatchText;
use crate::history::identify;
use crate::langdef::LangDef;
use crate::operator::Granularity;
use crate::operator::Source;
use crate::operator::Thresholds;
use crate::operator::write_set;

use super::fetch::described;
use super::fetch::fetch_all;
use super::fetch::open_patch;
use super::options::choose_language;
use super::options::direction;
use super::options::git_options;
use super::options::idiom_rule;
use super::options::limits;
use super::show::show;
use super::show::why_empty;

/// Runs the command.
pub fn run(args: &HarvestArgs) -> Result<Exit> {
    if let Some(threads) = args.shown.threads {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build_global()
            .context("cannot set the number of threads")?;
    }
    progress::catch_interrupt().context("cannot catch Ctrl-C")?;
    let mut job = Job::prepare(args)?;
    let mut total: Option<Tally> = None;
    for source in std::mem::take(&mut job.sources) {
        if progress::interrupted() {
            job.interrupted = true;
            break;
        }
        let Some(tally) = job.tally(&source)? else { continue };
        match &mut total {
            None => total = Some(tally),
            Some(known) => {
                check_same_kind(known, &tally, &source.name)?;
                known.merge(tally);
            }
        }
    }
    let Some(mut tally) = total else { bail!("nothing was harvested: no source could be read") };
    if job.interrupted {
        tally.mark_partial();
    }
    job.write(tally)
}

/// What is meant by what was typed.
struct Job<'a> {
    args: &'a HarvestArgs,
    sources: Vec<NamedSource>,
    def: LangDef,
    git: GitOptions,
    tally: TallyOptions,
    /// Something had to be left out.
    incomplete: bool,
    interrupted: bool,
}

impl<'a> Job<'a> {
    fn prepare(args: &'a HarvestArgs) -> Result<Self> {
        let mut sources = sources::parse(&args.sources, &args.patches)?;
        let (interrupted, incomplete) = fetch_all(&mut sources, &args.history, args.shown.quiet)?;
        sources::name_repositories(&mut sources, |path| identify(path, None).ok().and_then(|who| who.origin));
        let def = choose_language(&args.language, args.history.branch.as_deref(), &sources)?;
        let git = git_options(&args.history, &def)?;
        let tally = TallyOptions {
            granularity: match args.granularity {
                GranularityArg::Line => Granularity::Line,
                GranularityArg::Levels => Granularity::Levels,
                GranularityArg::Token => Granularity::Token { context: args.context },
            },
            limits: limits(args, &git.fixes),
            samples: args.shown.explain.unwrap_or(0),
        };
        Ok(Self { args, sources, def, git, tally, incomplete, interrupted })
    }

    /// Reads one source; a source that cannot be read at all is a warning, not the end.
    fn tally(&mut self, source: &NamedSource) -> Result<Option<Tally>> {
        let progress = Progress::default();
        let quiet = self.args.shown.quiet;
        let result = match &source.origin {
            SourceOrigin::Repository(path) => {
                let origin = described(&source.name, path, self.args.history.branch.as_deref());
                progress::watch(&progress, &source.name, "commits", quiet, || {
                    tally_git(path, &origin, &self.def, &self.git, &self.tally, &progress)
                })
            }
            SourceOrigin::Tally(path) => return self.read_tally(path).map(Some),
            SourceOrigin::Patch(path) => {
                let origin = Source { name: source.name.clone(), ..Source::default() };
                let (size, input) = open_patch(path)?;
                progress::watch(&progress, &source.name, "bytes", quiet, || {
                    let text = PatchText { name: &source.name, input, size };
                    tally_patch(text, &origin, &self.def, &self.git, &self.tally, &progress)
                })
            }
            SourceOrigin::Remote(_) => unreachable!("remotes were fetched before"),
        };
        self.interrupted |= progress.stopped();
        match result {
            Ok(tallied) => {
                for warning in &tallied.warnings {
                    tell!("warning: {}: {warning}", source.name);
                    self.incomplete = true;
                }
                Ok(Some(tallied.tally))
            }
            Err(error) => {
                tell!("warning: left out: {error}");
                self.incomplete = true;
                Ok(None)
            }
        }
    }

    fn read_tally(&self, path: &Path) -> Result<Tally> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(read_raw(&text, &path.display().to_string())?)
    }

    fn write(&mut self, mut tally: Tally) -> Result<Exit> {
        if self.args.raw {
            write_out(self.args.output.as_deref(), &write_raw(&mut tally))?;
            return Ok(self.exit());
        }
        let mut limits = self.tally.limits.clone();
        let early = &tally.options().limits;
        (limits.max_tokens, limits.min_tokens, limits.ascii_art) =
            (early.max_tokens, early.min_tokens, early.ascii_art);
        let options = FinishOptions {
            name: self.set_name(),
            tool: concat!("wildcaught ", env!("CARGO_PKG_VERSION")).into(),
            direction: direction(self.args.direction),
            idioms: idiom_rule(self.args, &self.def)?,
            limits,
        };
        let harvest = finish(tally, &self.def, &options);
        write_out(self.args.output.as_deref(), &write_set(&harvest.set))?;
        show(self.args, &harvest)?;
        if harvest.set.operators.is_empty() && harvest.set.shifts.is_empty() {
            tell!("warning: no operators: {}", why_empty(&harvest));
            self.incomplete = true;
        }
        Ok(self.exit())
    }

    fn set_name(&self) -> String {
        let stem = self.args.output.as_deref().and_then(Path::file_stem);
        let stem = stem.map(|stem| stem.to_string_lossy().into_owned());
        self.args.name.clone().or(stem).unwrap_or_else(|| format!("harvest-{}", self.def.name()))
    }

    fn exit(&self) -> Exit {
        if self.interrupted {
            Exit::Interrupted
        } else if self.incomplete {
            Exit::Incomplete
        } else {
            Exit::Fine
        }
    }
}

/// Refuses to put tallies together that count different things.
pub fn check_same_kind(known: &Tally, tally: &Tally, name: &str) -> Result<()> {
    let (a, b) = (known.options(), tally.options());
    let early = |limits: &Thresholds| (limits.max_tokens, limits.min_tokens, limits.ascii_art);
    if known.language() != tally.language() {
        bail!(
            "{name} is {}, the sources before it are {}; harvest one language at a time",
            tally.language(),
            known.language()
        );
    }
    if a.granularity != b.granularity || early(&a.limits) != early(&b.limits) {
        bail!(
            "{name} was tallied with another granularity or other token limits; harvest it again with the same"
        );
    }
    Ok(())
}
