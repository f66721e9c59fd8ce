//! `wildcaught harvest`: sources in, an operator set or a raw tally out.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::path::PathBuf;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;

use crate::harvest::FinishOptions;
use crate::harvest::Harvest;
use crate::harvest::IdiomRule;
use crate::harvest::Tally;
use crate::harvest::TallyOptions;
use crate::harvest::count_words;
use crate::harvest::finish;
use crate::harvest::read_raw;
use crate::harvest::tally_git;
use crate::harvest::tally_patch;
use crate::harvest::write_raw;
use crate::history::Cloning;
use crate::history::FixWords;
use crate::history::GitOptions;
use crate::history::Identity;
use crate::history::Meter;
use crate::history::PatchText;
use crate::history::Selection;
use crate::history::detect_language;
use crate::history::identify;
use crate::langdef::LangDef;
use crate::operator::Date;
use crate::operator::Direction;
use crate::operator::Filter;
use crate::operator::Granularity;
use crate::operator::Source;
use crate::operator::Thresholds;
use crate::operator::write_set;
use crate::report::funnel_json;
use crate::report::funnel_table;
use crate::report::sankey;
use crate::report::thousands;

use super::args::DirectionArg;
use super::args::GranularityArg;
use super::args::HarvestArgs;
use super::exit::Exit;
use super::languages;
use super::output::write_out;
use super::progress;
use super::sources;
use super::sources::NamedSource;
use super::sources::Origin;

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
                job.check_same_kind(known, &tally, &source.name)?;
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
        for source in &mut sources {
            fetch(source, args)?;
        }
        sources::name_repositories(&mut sources, |path| identify(path, None).ok().and_then(|who| who.origin));
        let def = choose_language(args, &sources)?;
        let selection = Selection::new(&def, &args.history.paths, args.history.everything)?;
        let git = GitOptions {
            since: args.history.since.as_deref().map(day).transpose()?.map(Date::seconds),
            until: args.history.until.as_deref().map(day).transpose()?.map(|day| day.seconds() + 86_399),
            max_commits: args.history.max_commits,
            branch: args.history.branch.clone(),
            selection,
            fixes: fix_words(args)?,
        };
        let tally = TallyOptions {
            granularity: match args.granularity {
                GranularityArg::Line => Granularity::Line,
                GranularityArg::Token => Granularity::Token { context: args.context },
            },
            limits: limits(args, &git.fixes),
            samples: args.shown.explain.unwrap_or(0),
        };
        Ok(Self { args, sources, def, git, tally, incomplete: false, interrupted: false })
    }

    /// Reads one source; a source that cannot be read at all is a warning, not the end.
    fn tally(&mut self, source: &NamedSource) -> Result<Option<Tally>> {
        let meter = Meter::default();
        let quiet = self.args.shown.quiet;
        let result = match &source.origin {
            Origin::Repository(path) => {
                let who = identify(path, self.args.history.branch.as_deref()).unwrap_or_default();
                let origin = described(&source.name, who);
                progress::watch(&meter, &source.name, "commits", quiet, || {
                    tally_git(path, &origin, &self.def, &self.git, &self.tally, &meter)
                })
            }
            Origin::Tally(path) => return self.read_tally(path).map(Some),
            Origin::Patch(path) => {
                let origin = described(&source.name, Identity::default());
                let (size, input) = open_patch(path)?;
                progress::watch(&meter, &source.name, "bytes", quiet, || {
                    let text = PatchText { name: &source.name, input, size };
                    tally_patch(text, &origin, &self.def, &self.git, &self.tally, &meter)
                })
            }
            Origin::Remote(_) => unreachable!("remotes were fetched before"),
        };
        self.interrupted |= meter.stopped();
        match result {
            Ok(tallied) => {
                for warning in &tallied.warnings {
                    anstream::eprintln!("warning: {}: {warning}", source.name);
                    self.incomplete = true;
                }
                Ok(Some(tallied.tally))
            }
            Err(error) => {
                anstream::eprintln!("warning: left out: {error}");
                self.incomplete = true;
                Ok(None)
            }
        }
    }

    fn read_tally(&self, path: &Path) -> Result<Tally> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(read_raw(&text, &path.display().to_string())?)
    }

    fn check_same_kind(&self, known: &Tally, tally: &Tally, name: &str) -> Result<()> {
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
        self.show(&harvest)?;
        if harvest.set.operators.is_empty() && harvest.set.shifts.is_empty() {
            anstream::eprintln!("warning: no operators: no change passed the filters; see the funnel");
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

    fn show(&self, harvest: &Harvest) -> Result<()> {
        let set = &harvest.set;
        if let Some(path) = &self.args.shown.funnel {
            let drawn = match path.extension() {
                Some(ending) if ending == "json" => format!("{:#}\n", funnel_json(set)),
                _ => {
                    let funnel = set.header.funnels.values().next().expect("there is a direction");
                    sankey(funnel, &set.header.name)
                }
            };
            write_out(Some(path), &drawn)?;
        }
        if self.args.shown.json {
            anstream::eprintln!("{:#}", funnel_json(set));
            return Ok(());
        }
        if self.args.shown.explain.is_some() {
            explain(harvest);
        }
        if !self.args.shown.quiet {
            summary(harvest);
        }
        Ok(())
    }
}

fn described(name: &str, who: Identity) -> Source {
    Source { name: name.into(), head: who.head, license: who.license }
}

/// Opens patch text; `-` is standard input. Gives its size where it has one.
fn open_patch(path: &Path) -> Result<(Option<u64>, Box<dyn Read + Send>)> {
    if path == Path::new("-") {
        return Ok((None, Box::new(std::io::stdin())));
    }
    let file = fs::File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let size = file.metadata().ok().map(|data| data.len());
    Ok((size, Box::new(file)))
}

/// Brings a remote repository into the cache, if it is one.
fn fetch(source: &mut NamedSource, args: &HarvestArgs) -> Result<()> {
    let Origin::Remote(remote) = &source.origin else { return Ok(()) };
    let cache = match &args.history.cache {
        Some(cache) => cache.clone(),
        None => default_cache().context("cannot tell where the cache is; say it with --cache DIR")?,
    };
    let options = Cloning { offline: args.history.offline };
    let path = progress::cloning(&source.name, args.shown.quiet, |report| {
        remote.fetch_into(&cache, &options, report)
    })?;
    source.origin = Origin::Repository(path);
    source.given = true;
    Ok(())
}

/// `$XDG_CACHE_HOME/wildcaught`, or `~/.cache/wildcaught`.
fn default_cache() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")));
    Some(base?.join("wildcaught"))
}

fn choose_language(args: &HarvestArgs, sources: &[NamedSource]) -> Result<LangDef> {
    if let Some(name) = &args.language.language {
        return languages::language(name);
    }
    let all = languages::all();
    let mut found: BTreeMap<String, &str> = BTreeMap::new();
    for source in sources {
        match &source.origin {
            Origin::Repository(path) => {
                if let Ok(Some(def)) = detect_language(path, args.history.branch.as_deref(), &all) {
                    found.entry(def.name().to_owned()).or_insert(&source.name);
                }
            }
            Origin::Tally(path) => {
                let text =
                    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
                let tally = read_raw(&text, &path.display().to_string())?;
                found.entry(tally.language().to_owned()).or_insert(&source.name);
            }
            Origin::Patch(_) | Origin::Remote(_) => {}
        }
    }
    let mut names = found.iter();
    match (names.next(), names.next()) {
        (Some((name, _)), None) => languages::language(name),
        (None, _) => bail!("cannot tell the language; say it with -l (see `wildcaught langdef list`)"),
        (Some((a, in_a)), Some((b, in_b))) => {
            bail!("{in_a} is {a}, {in_b} is {b}; a set has one language: choose it with -l")
        }
    }
}

fn day(text: &str) -> Result<Date> {
    Date::parse(text).with_context(|| format!("{text:?} is no date; write YYYY-MM-DD"))
}

fn fix_words(args: &HarvestArgs) -> Result<FixWords> {
    let Some(words) = &args.history.fix_words else { return Ok(FixWords::default()) };
    let references = words.iter().any(|word| word == "#reference");
    let words: Vec<String> =
        words.iter().filter(|word| *word != "#reference" && !word.is_empty()).cloned().collect();
    FixWords::new(&words, references).context("--fix-words")
}

fn limits(args: &HarvestArgs, fixes: &FixWords) -> Thresholds {
    Thresholds {
        max_tokens: args.filters.max_tokens.min(u8::MAX as usize / 2),
        min_tokens: args.filters.min_tokens,
        ascii_art: args.filters.ascii_art,
        max_identifiers: args.filters.max_identifiers,
        max_adjacent: args.filters.max_adjacent,
        shift_min: args.filters.shift_min,
        min_count: args.filters.min_count,
        min_repos: args.filters.min_repos,
        idioms: String::new(),
        fix_words: fixes.describe(),
    }
}

fn direction(arg: DirectionArg) -> Direction {
    match arg {
        DirectionArg::Backward => Direction::Backward,
        DirectionArg::Forward => Direction::Forward,
        DirectionArg::Both => Direction::Both,
    }
}

/// How many idioms there are if the user does not say.
const DEFAULT_TOP: usize = 50;

fn idiom_rule(args: &HarvestArgs, def: &LangDef) -> Result<IdiomRule> {
    let choice = &args.idioms.choice;
    let rule = if choice.no_idioms {
        IdiomRule::None
    } else if let Some(list) = &choice.idioms {
        IdiomRule::Given(list.iter().map(|word| word.as_bytes().to_vec()).collect())
    } else if let Some(least) = choice.idioms_min {
        IdiomRule::Incidence(least)
    } else if let Some(share) = choice.idioms_share {
        IdiomRule::Frequency(share)
    } else {
        IdiomRule::Top(choice.idioms_top.unwrap_or(DEFAULT_TOP))
    };
    let Some(directory) = &args.idioms.idioms_from else { return Ok(rule) };
    let mut counts = BTreeMap::new();
    for file in files_under(directory)? {
        if def.owns(file.as_os_str().as_encoded_bytes()) {
            let text = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
            count_words(def, &text, &mut counts);
        }
    }
    if counts.is_empty() {
        bail!("{}: no {} files to take idioms from", directory.display(), def.name());
    }
    Ok(IdiomRule::Given(rule.choose(&counts).into_iter().map(|(_, word)| word).collect()))
}

fn files_under(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        let entries =
            fs::read_dir(&directory).with_context(|| format!("cannot read {}", directory.display()))?;
        for entry in entries {
            let entry = entry.with_context(|| format!("cannot read {}", directory.display()))?;
            let kind =
                entry.file_type().with_context(|| format!("cannot read {}", entry.path().display()))?;
            if kind.is_dir() {
                open.push(entry.path());
            } else if kind.is_file() {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

fn summary(harvest: &Harvest) {
    let set = &harvest.set;
    for (direction, funnel) in &set.header.funnels {
        anstream::eprintln!("\n{direction}:\n{}", funnel_table(funnel));
    }
    for (name, count) in set.header.census.rows().into_iter().filter(|(_, count)| *count > 0) {
        anstream::eprintln!("{:>14}  {name}", thousands(count));
    }
    let several = set.operators.iter().filter(|operator| operator.evidence.repos.len() >= 2).count();
    anstream::eprintln!(
        "\n{} operators ({} seen in two or more repositories), {} identifier shifts from {} changes, {} idioms",
        thousands(set.operators.len() as u64),
        thousands(several as u64),
        thousands(set.shifts.len() as u64),
        thousands(harvest.shifts_seen),
        set.header.idioms.len(),
    );
}

fn explain(harvest: &Harvest) {
    for filter in Filter::ALL {
        let samples: Vec<_> = harvest.samples.of(filter).collect();
        if samples.is_empty() {
            continue;
        }
        anstream::eprintln!("\n{}:", filter.title());
        for sample in samples {
            let commit = &sample.commit[..sample.commit.len().min(12)];
            anstream::eprintln!("  {commit} {}", sample.path);
            for (sign, text) in [('-', &sample.before), ('+', &sample.after)] {
                for line in text.lines() {
                    anstream::eprintln!("  {sign} {}", line.trim_end());
                }
            }
        }
    }
}
