//! Tallies that are kept, and parts of the work: what is asked for, and what became of it.

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;

use crate::cli::args::HarvestArgs;
use crate::cli::args::HistoryArgs;
use crate::cli::sources::NamedSource;
use crate::cli::sources::is_whole_id;
use crate::control::Shard;
use crate::harvest::KeptTallies;
use crate::harvest::Reading;
use crate::harvest::TallyOptions;
use crate::history::GitOptions;
use crate::langdef::LangDef;

use super::options::history_text;

/// The directory of tallies, if one is named.
pub fn open_kept(
    args: &HarvestArgs,
    def: &LangDef,
    git: &GitOptions,
    options: &TallyOptions,
) -> Result<Option<KeptTallies>> {
    let Some(directory) = &args.scale.keep else { return Ok(None) };
    let kept = KeptTallies::open(directory, def, &history_text(&args.history, git), options);
    kept.map(Some).with_context(|| format!("cannot keep tallies in {}", directory.display()))
}

/// The part of the work that is asked for.
pub fn part(args: &HarvestArgs) -> Result<Option<Shard>> {
    let Some(shard) = args.scale.shard.shard()? else { return Ok(None) };
    if args.scale.keep.is_none() {
        bail!("--shard {shard} writes nothing but tallies; say with --keep DIR where to");
    }
    if args.output.is_some() || args.raw || args.shown.funnel.is_some() {
        bail!(
            "--shard {shard} makes no set, only tallies in --keep DIR; run all parts without -o, --raw and --funnel, then the \
             same command without --shard to put them together"
        );
    }
    if args.language.language.is_none() {
        bail!(
            "--shard {shard} does not look at the repositories of other parts; say the language of all with -l"
        );
    }
    Ok(Some(shard))
}

/// The head of a source that is known by it alone: a whole commit id.
pub fn named_head<'a>(source: &'a NamedSource, args: &'a HistoryArgs) -> Option<Reading<'a>> {
    let head = source.at.as_deref().or(args.branch.as_deref())?;
    is_whole_id(head).then_some(Reading { head, shallow: "" })
}

/// Repositories, by how their tallies were had.
#[derive(Clone, Copy, Debug, Default)]
pub struct Had {
    pub kept: usize,
    pub read: usize,
}

impl Had {
    /// Tells what became of a part of the work.
    pub fn tell_part(self, shard: Shard, repositories: usize, all: usize) {
        let Self { kept, read } = self;
        tell!(
            "part {shard}: {repositories} of {all} repositories; {read} read now, {kept} kept before\n\
             put the parts together with the same command without --shard"
        );
    }

    /// Tells where the tallies come from.
    pub fn tell_whole(self) {
        let Self { kept, read } = self;
        tell!("{kept} tallies kept before, {read} read now");
    }
}
