//! `--keep` and `--shard` of `harvest`: stored tallies, and parts of the work.

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

/// The requested part of the work.
pub fn part(args: &HarvestArgs) -> Result<Option<Shard>> {
    let Some(shard) = args.scale.shard.shard()? else { return Ok(None) };
    if args.scale.keep.is_none() {
        bail!("--shard {shard} writes only tallies; name their directory with --keep DIR");
    }
    if args.output.is_some() || args.raw || args.shown.funnel.is_some() {
        bail!(
            "--shard {shard} writes only tallies to --keep DIR, no set; run all parts without -o, --raw and \
             --funnel, then run the same command without --shard to merge them"
        );
    }
    if args.language.language.is_none() {
        bail!(
            "--shard {shard} cannot detect the language of all parts, since it reads only its own repositories; \
             name it with -l"
        );
    }
    Ok(Some(shard))
}

/// The head of a source that is known by it alone: a whole commit id.
pub fn named_head<'a>(source: &'a NamedSource, args: &'a HistoryArgs) -> Option<Reading<'a>> {
    let head = source.at.as_deref().or(args.branch.as_deref())?;
    is_whole_id(head).then_some(Reading { head, shallow: "" })
}

/// Repositories, by where their tallies came from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Had {
    pub kept: usize,
    pub read: usize,
}

impl Had {
    /// Prints the result of a part of the work.
    pub fn tell_part(self, shard: Shard, repositories: usize, all: usize) {
        let Self { kept, read } = self;
        tell!(
            "part {shard}: {repositories} of {all} repositories; {read} read now, {kept} already kept\n\
             to merge all parts, run the same command without --shard"
        );
    }

    /// Tells where the tallies come from.
    pub fn tell_whole(self) {
        let Self { kept, read } = self;
        tell!("{kept} tallies already kept, {read} read now");
    }
}
