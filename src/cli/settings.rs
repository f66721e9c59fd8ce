//! Settings from `wildcaught.toml`, or detected from the project.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;

use crate::control::Progress;
use crate::control::Shard;
use crate::engine::Project;
use crate::engine::tidy;
use crate::exec::Containment;
use crate::harness::CONFIG;
use crate::harness::Config;
use crate::harness::detect;
use crate::harness::find_config;
use crate::insert::Target;
use crate::matrix::RunDir;

use super::mutate::inside;
use super::target::TargetArgs;

/// A project's settings and where they come from.
pub struct Settings {
    pub root: PathBuf,
    pub config: Config,
    pub from: String,
}

impl Settings {
    /// The project, with what is kept from build to build in the directory of its results.
    pub fn project<'a>(
        &'a self,
        out: &RunDir,
        containment: Containment,
        progress: &'a Progress,
    ) -> Result<Project<'a>> {
        let cache = out.cache()?;
        tidy(&cache);
        Ok(Project {
            root: &self.root,
            config: &self.config,
            cache,
            out: Some(out.path().to_owned()),
            outer: outer(),
            strays: OnceLock::new(),
            usual_build: OnceLock::new(),
            containment,
            progress,
        })
    }

    /// The files of a target, seen from the project's root. A directory that copies only link to must not hold one.
    pub fn paths(&self, target: &Target) -> Result<Vec<PathBuf>> {
        let paths = inside(target, &self.root)?;
        let linked = |path: &Path| {
            let mut above = path.parent().into_iter().flat_map(Path::components);
            let name = |link: &str| link.split_once('=').map_or(link.to_owned(), |(name, _)| name.to_owned());
            above
                .find_map(|part| self.config.link.iter().find(|link| part.as_os_str() == name(link).as_str()))
        };
        if let Some((path, link)) = paths.iter().find_map(|path| Some((path, linked(path)?))) {
            bail!(
                "link = [\"{link}\"] in {}: {} is in this directory and would be mutated, but linked \
                 directories are never written to; remove {link:?} from link, or add it to exclude",
                self.from,
                path.display()
            );
        }
        Ok(paths)
    }

    /// How many workers there are: as requested, as the settings say, or as there are cores.
    pub fn jobs(&self, asked: Option<usize>) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let said = asked.or(self.config.limits.jobs.map(|jobs| jobs as usize));
        said.unwrap_or_else(cores).max(1)
    }
}

/// Where results are kept unless the user says otherwise.
pub const OUT: &str = "wildcaught.out";

/// Where results are kept: as typed, or beside the settings that hold here, wherever in the project the user stands.
pub fn results(typed: &Path) -> PathBuf {
    let config = find_config(Path::new(".")).filter(|_| typed == Path::new(OUT));
    let root = config.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    root.join(typed)
}

/// The results of parts, where those of the whole are kept.
pub const SHARDS: &str = "shards";

/// Where the results of a part are kept: as typed, or below those of the whole.
pub fn part_results(typed: &Path, shard: Option<Shard>) -> PathBuf {
    let home = results(typed);
    match shard.filter(|_| typed == Path::new(OUT)) {
        Some(shard) => home.join(SHARDS).join(format!("{}-of-{}", shard.part(), shard.parts())),
        None => home,
    }
}

/// Reads the settings, here or in a directory above, or finds them out.
pub fn settings(typed: &Path) -> Result<Settings> {
    let path = match typed == Path::new(CONFIG) {
        true => find_config(Path::new(".")).unwrap_or_else(|| typed.to_owned()),
        false => typed.to_owned(),
    };
    let path = path.as_path();
    let root = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    if path.exists() {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let config = Config::parse(&text, &path.display().to_string())?;
        return Ok(Settings { root, config, from: path.display().to_string() });
    }
    if path != Path::new(CONFIG) {
        bail!("{}: no such file; `wildcaught init` writes one", path.display());
    }
    let Some(best) = detect(&root).into_iter().next() else {
        bail!(
            "no wildcaught.toml, and no preset fits the project; write a wildcaught.toml with [tests] preset = \
             \"command\" and command = \"…\""
        );
    };
    Ok(Settings { root, from: best.why, config: best.config })
}

/// What was typed, with what the settings say where nothing was.
pub fn with_settings(typed: &TargetArgs, settings: &Settings) -> TargetArgs {
    let mut target = typed.clone();
    let config = &settings.config;
    let inside = |path: &String| match settings.root == Path::new(".") {
        true => PathBuf::from(path),
        false => settings.root.join(path),
    };
    if target.paths.is_empty() {
        target.paths = config.sources.iter().map(inside).collect();
    }
    if target.ops.is_empty() && config.ops != ["wild"] {
        target.ops.clone_from(&config.ops);
    }
    if target.language.language.is_none() {
        target.language.language.clone_from(&config.language);
    }
    target.files.exclude.extend(config.exclude.iter().cloned());
    target.files.exclude.push("**/wildcaught.out*/**".into());
    target.files.exclude_lines.extend(config.exclude_lines.iter().cloned());
    target.files.skip_calls.extend(config.skip_calls.iter().cloned());
    target.files.skip_ops.extend(config.skip_ops.iter().cloned());
    target
}

/// The environment; variables that are no text are left to whoever reads them.
pub fn outer() -> BTreeMap<String, String> {
    let text = |text: std::ffi::OsString| text.into_string().ok();
    std::env::vars_os().filter_map(|(key, value)| Some((text(key)?, text(value)?))).collect()
}

/// Reads `90s`, `30m` or `2h`, as typed behind an option.
pub fn duration(option: &str, text: &str) -> Result<Duration> {
    let unit = text.chars().last().and_then(|unit| match unit {
        's' => Some(1.0),
        'm' => Some(60.0),
        'h' => Some(3600.0),
        _ => None,
    });
    let number = text.get(..text.len().saturating_sub(1)).and_then(|number| number.parse::<f64>().ok());
    match (number, unit) {
        (Some(number), Some(unit)) if number > 0.0 && number < 1e9 => {
            Ok(Duration::from_secs_f64(number * unit))
        }
        _ => bail!("{option}: {text:?} is not a time; write 90s, 30m or 2h"),
    }
}

/// Reads `512M` or `2G`, as typed behind an option, as bytes.
pub fn size(option: &str, text: &str) -> Result<u64> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match text[digits.len()..].trim_end_matches(['B', 'b', 'i']) {
        "" => Some(1),
        "K" | "k" => Some(1 << 10),
        "M" | "m" => Some(1 << 20),
        "G" | "g" => Some(1 << 30),
        "T" | "t" => Some(1 << 40),
        _ => None,
    };
    let bytes = digits.parse::<u64>().ok().zip(unit).and_then(|(number, unit)| number.checked_mul(unit));
    bytes.with_context(|| format!("{option}: {text:?} is not a size; write 512M or 2G"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_that_is_none_is_refused_with_its_option() {
        for (text, bytes) in [("0", 0), ("4096", 4096), ("512M", 512 << 20), ("2G", 2 << 30), ("1KiB", 1024)]
        {
            assert_eq!(size("--memory", text).unwrap(), bytes, "{text}");
        }
        for wrong in ["", "G", "-1G", "2X", "1.5G", "99999999999T", "2 G", "é"] {
            let error = size("--memory", wrong).unwrap_err().to_string();
            assert!(error.starts_with("--memory") && error.contains("2G"), "{error}");
        }
    }

    #[test]
    fn a_time_that_is_none_is_refused_with_its_option() {
        assert_eq!(duration("--each", "1.5m").unwrap(), Duration::from_secs(90));
        for wrong in ["", "10", "m", "-1s", "é", "0s", "infh", "1e300s"] {
            let error = duration("--each", wrong).unwrap_err().to_string();
            assert!(error.starts_with("--each") && error.contains("30m"), "{error}");
        }
    }
}
