//! Runs a harvest, source by source.

use std::path::Path;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;

use crate::cli::args::GranularityArg;
use crate::cli::args::HarvestArgs;
use crate::cli::exit::Exit;
use crate::cli::manifest::read_manifest;
use crate::cli::output::write_out;
use crate::cli::progress;
use crate::cli::settings::size;
use crate::cli::sources;
use crate::cli::sources::NamedSource;
use crate::control::Shard;
use crate::harvest::FinishOptions;
use crate::harvest::KeptTallies;
use crate::harvest::Tally;
use crate::harvest::TallyMerge;
use crate::harvest::TallyOptions;
use crate::harvest::write_raw;
use crate::history::GitOptions;
use crate::history::identify;
use crate::langdef::LangDef;
use crate::operator::Granularity;
use crate::operator::Thresholds;
use crate::operator::write_set;

use super::fetch::fetch_all;
use super::keep::Had;
use super::keep::named_head;
use super::keep::open_kept;
use super::keep::part;
use super::options::choose_language;
use super::options::direction;
use super::options::git_options;
use super::options::idiom_rule;
use super::options::limits;
use super::show::show;
use super::show::why_empty;

/// What to do where temporary files cannot be written.
const NO_ROOM: &str = "cannot use temporary files; set TMPDIR to a directory with room, or use more --memory";

/// Runs the command.
pub fn run(args: &HarvestArgs) -> Result<Exit> {
    if let Some(threads) = args.shown.threads {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build_global()
            .context("cannot set the number of threads")?;
    }
    progress::catch_interrupt().context("cannot catch Ctrl-C")?;
    let shard = part(args)?;
    let memory = size("--memory", &args.scale.memory)?;
    let mut job = Job::prepare(args, shard)?;
    let sources = std::mem::take(&mut job.sources);
    if let Some(shard) = shard {
        return job.keep_part(sources, shard);
    }
    let merge = job.merge(sources, if args.raw { u64::MAX } else { memory })?;
    if args.scale.keep.is_some() && !args.shown.quiet {
        job.had.tell_whole();
    }
    job.write(merge)
}

/// Resolved options.
pub struct Job<'a> {
    pub args: &'a HarvestArgs,
    sources: Vec<NamedSource>,
    /// How many repositories a part has, and how many all parts have.
    mine: usize,
    repositories: usize,
    pub def: LangDef,
    pub git: GitOptions,
    pub tally: TallyOptions,
    pub kept: Option<KeptTallies>,
    pub had: Had,
    /// Something had to be left out.
    pub incomplete: bool,
    pub interrupted: bool,
}

impl<'a> Job<'a> {
    fn prepare(args: &'a HarvestArgs, shard: Option<Shard>) -> Result<Self> {
        let listed = args.scale.manifest.as_deref().map(read_manifest).transpose()?.unwrap_or_default();
        // Sources that are no repositories are read when the parts are put together.
        let (mut sources, repositories) = match shard {
            Some(shard) => sources::parse_part(shard, &args.sources, &listed)?,
            None => (sources::parse(&args.sources, &listed, &args.patches)?, 0),
        };
        let mine = sources.len();
        let options = |def: &LangDef| -> Result<_> {
            let git = git_options(&args.history, def)?;
            let tally = tally_options(args, &git);
            Ok((open_kept(args, def, &git, &tally)?, git, tally))
        };
        // A language that is named is known before anything is fetched.
        let named = args.language.language.is_some();
        let early = named.then(|| choose_language(&args.language, None, &[])).transpose()?;
        let early = early.map(|def| Ok::<_, anyhow::Error>((options(&def)?, def))).transpose()?;
        let is_known = |source: &NamedSource| {
            let kept = early.as_ref().and_then(|((kept, ..), _)| kept.as_ref());
            kept.zip(named_head(source, &args.history)).is_some_and(|(kept, head)| kept.has(head))
        };
        let (interrupted, incomplete) = fetch_all(&mut sources, &args.history, args.shown.quiet, is_known)?;
        sources::name_repositories(&mut sources, |path| identify(path, None).ok().and_then(|who| who.origin));
        let ((kept, git, tally), def) = match early {
            Some(known) => known,
            None => {
                let def = choose_language(&args.language, args.history.branch.as_deref(), &sources)?;
                (options(&def)?, def)
            }
        };
        let had = Had::default();
        Ok(Self { args, sources, mine, repositories, def, git, tally, kept, had, incomplete, interrupted })
    }

    /// Reads source by source and puts their tallies together.
    fn merge(&mut self, sources: Vec<NamedSource>, memory: u64) -> Result<TallyMerge> {
        let mut merge = TallyMerge::new(memory);
        for source in sources {
            if self.is_stopped() {
                break;
            }
            let name = source.name.clone();
            let Some(tally) = self.tally(source)? else { continue };
            if let Some(known) = merge.known() {
                check_same_kind(known, &tally, &name)?;
            }
            let before = merge.is_spilled();
            merge.add(tally).context(NO_ROOM)?;
            if merge.is_spilled() && !before && !self.args.shown.quiet {
                tell!(
                    "note: tallies need more than --memory {}; merging them in temporary files",
                    self.args.scale.memory
                );
            }
        }
        if self.interrupted {
            merge.mark_partial();
        }
        Ok(merge)
    }

    /// Reads the repositories of a part, and keeps their tallies.
    fn keep_part(&mut self, sources: Vec<NamedSource>, shard: Shard) -> Result<Exit> {
        for source in sources {
            if self.is_stopped() {
                break;
            }
            self.tally(source)?;
        }
        if !self.args.shown.quiet {
            self.had.tell_part(shard, self.mine, self.repositories);
        }
        Ok(self.exit())
    }

    fn is_stopped(&mut self) -> bool {
        self.interrupted |= progress::interrupted();
        self.interrupted
    }

    fn write(&mut self, merge: TallyMerge) -> Result<Exit> {
        let Some(known) = merge.known() else {
            bail!("nothing was harvested: no source could be read; see the warnings above")
        };
        let mut limits = self.tally.limits.clone();
        let early = &known.options().limits;
        (limits.max_tokens, limits.min_tokens, limits.ascii_art) =
            (early.max_tokens, early.min_tokens, early.ascii_art);
        if self.args.raw {
            let mut tally = merge.into_tally().context("raw tallies are merged in memory")?;
            write_out(self.args.output.as_deref(), &write_raw(&mut tally))?;
            return Ok(self.exit());
        }
        let options = FinishOptions {
            name: self.set_name(),
            tool: concat!("wildcaught ", env!("CARGO_PKG_VERSION")).into(),
            direction: direction(self.args.direction),
            idioms: idiom_rule(self.args, &self.def)?,
            limits,
        };
        let harvest = merge.finish(&self.def, &options).context(NO_ROOM)?;
        let harvest = harvest.context("nothing was harvested")?;
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

fn tally_options(args: &HarvestArgs, git: &GitOptions) -> TallyOptions {
    TallyOptions {
        granularity: match args.granularity {
            GranularityArg::Line => Granularity::Line,
            GranularityArg::Levels => Granularity::Levels,
            GranularityArg::Token => Granularity::Token { context: args.context },
        },
        limits: limits(args, &git.fixes),
        samples: args.shown.explain.unwrap_or(0),
    }
}

/// Refuses to put tallies together that count different things.
pub fn check_same_kind(known: &Tally, tally: &Tally, name: &str) -> Result<()> {
    let (a, b) = (known.options(), tally.options());
    let early = |limits: &Thresholds| (limits.max_tokens, limits.min_tokens, limits.ascii_art);
    if known.language() != tally.language() {
        bail!(
            "{name} is in {}, but the sources before it are in {}; harvest one language at a time",
            tally.language(),
            known.language()
        );
    }
    if a.granularity != b.granularity || early(&a.limits) != early(&b.limits) {
        bail!(
            "{name} was tallied with a different granularity or token limit; harvest it again with the options \
             of the other sources"
        );
    }
    Ok(())
}
