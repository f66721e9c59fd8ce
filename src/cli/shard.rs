//! `--shard`: which part of the work this machine does, as typed or from the environment of a scheduler.

use anyhow::Result;
use anyhow::bail;
use clap::Args;

use crate::control::Shard;

#[derive(Args, Clone, Debug)]
pub struct ShardArgs {
    /// Run only part K of N (`2/4`). Parts are split by name, so they stay the same when other code changes. `auto`
    /// reads K and N from the environment of a Slurm or AWS Batch array, GitLab's `parallel`, CircleCI or Buildkite;
    /// `auto/N` reads only K, also from Kubernetes Indexed Jobs and GNU parallel.
    #[arg(long, value_name = "K/N", env = "WILDCAUGHT_SHARD")]
    pub shard: Option<String>,
}

/// An engine that runs the same command many times, and the variables in which it says which time this is.
struct ShardEngine {
    name: &'static str,
    index: &'static str,
    /// The first index.
    first: usize,
    /// How many there are; none if it does not say.
    count: Option<&'static str>,
}

const fn engine(
    name: &'static str,
    index: &'static str,
    first: usize,
    count: Option<&'static str>,
) -> ShardEngine {
    ShardEngine { name, index, first, count }
}

const ENGINES: [ShardEngine; 7] = [
    // Of an array of which only some tasks are run again, the highest is not the count: see `shard`.
    engine("Slurm", "SLURM_ARRAY_TASK_ID", 1, Some("SLURM_ARRAY_TASK_COUNT")),
    engine("AWS Batch", "AWS_BATCH_JOB_ARRAY_INDEX", 0, Some("AWS_BATCH_JOB_ARRAY_SIZE")),
    engine("Kubernetes", "JOB_COMPLETION_INDEX", 0, None),
    engine("GitLab", "CI_NODE_INDEX", 1, Some("CI_NODE_TOTAL")),
    engine("CircleCI", "CIRCLE_NODE_INDEX", 0, Some("CIRCLE_NODE_TOTAL")),
    engine("Buildkite", "BUILDKITE_PARALLEL_JOB", 0, Some("BUILDKITE_PARALLEL_JOB_COUNT")),
    engine("GNU parallel", "PARALLEL_SEQ", 1, None),
];

impl ShardArgs {
    /// The part that is meant; none if all of the work is.
    pub fn shard(&self) -> Result<Option<Shard>> {
        self.shard_by(|name| std::env::var(name).ok())
    }

    fn shard_by(&self, variable: impl Fn(&str) -> Option<String>) -> Result<Option<Shard>> {
        match self.shard.as_deref() {
            None => Ok(None),
            Some("auto") => found(&variable, None).map(Some),
            Some(text) => match text.strip_prefix("auto/").map(str::parse) {
                None => Ok(Some(text.parse()?)),
                Some(Ok(parts)) => found(&variable, Some(parts)).map(Some),
                Some(Err(_)) => bail!("--shard {text}: not a part; write K/N, auto/N or auto"),
            },
        }
    }
}

/// The part that the environment names, of that many if the user said so.
fn found(variable: &dyn Fn(&str) -> Option<String>, parts: Option<usize>) -> Result<Shard> {
    let mut all = Vec::new();
    for engine in ENGINES {
        let Some(text) = variable(engine.index) else { continue };
        all.push((engine.name, engine.shard(&text, variable, parts)?));
    }
    match &all[..] {
        [] => {
            let names: Vec<&str> = ENGINES.iter().map(|engine| engine.index).collect();
            bail!("--shard auto: none of {} is set; write K/N", names.join(", "))
        }
        [(_, shard), others @ ..] if others.iter().all(|(_, other)| other == shard) => Ok(*shard),
        [(one, shard), others @ ..] => {
            let (two, other) = others.iter().find(|(_, other)| other != shard).expect("one differs");
            bail!("--shard auto: {one} says {shard}, {two} says {other}; write K/N")
        }
    }
}

impl ShardEngine {
    fn shard(
        &self,
        index: &str,
        variable: &dyn Fn(&str) -> Option<String>,
        parts: Option<usize>,
    ) -> Result<Shard> {
        let number = |name: &str| variable(name).and_then(|text| text.trim().parse::<usize>().ok());
        let Ok(index) = index.trim().parse::<usize>() else {
            bail!("--shard auto: {}={index} is not a number; write K/N", self.index);
        };
        let Some(count) = parts.or_else(|| number(self.count?)) else {
            bail!("--shard auto: {} does not say how many parts there are; write auto/N", self.name);
        };
        let highest = number("SLURM_ARRAY_TASK_MAX").filter(|_| self.name == "Slurm" && parts.is_none());
        if highest.is_some_and(|highest| highest != count) {
            bail!("--shard auto: these are not all tasks of a Slurm array from 1 to N; write auto/N");
        }
        let last = self.first + count.saturating_sub(1);
        match Shard::new((index + 1).saturating_sub(self.first), count) {
            Ok(shard) => Ok(shard),
            Err(_) => bail!(
                "--shard auto: {}={index}, but parts are numbered from {} to {last}; number them so, or write K/N",
                self.index,
                self.first
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shard(typed: &str, variables: &[(&str, &str)]) -> Result<Option<Shard>> {
        let args = ShardArgs { shard: Some(typed.to_owned()) };
        args.shard_by(|name| Some(variables.iter().find(|(known, _)| *known == name)?.1.to_owned()))
    }

    #[test]
    fn one_recipe_serves_all_engines() {
        for (typed, variables) in [
            ("2/3", &[][..]),
            (
                "auto",
                &[
                    ("SLURM_ARRAY_TASK_ID", "2"),
                    ("SLURM_ARRAY_TASK_COUNT", "3"),
                    ("SLURM_ARRAY_TASK_MAX", "3"),
                ],
            ),
            ("auto/3", &[("SLURM_ARRAY_TASK_ID", "2"), ("SLURM_ARRAY_TASK_COUNT", "1")]),
            ("auto", &[("AWS_BATCH_JOB_ARRAY_INDEX", "1"), ("AWS_BATCH_JOB_ARRAY_SIZE", "3")]),
            ("auto/3", &[("JOB_COMPLETION_INDEX", "1")]),
            ("auto", &[("CI_NODE_INDEX", "2"), ("CI_NODE_TOTAL", "3")]),
            ("auto", &[("CIRCLE_NODE_INDEX", "1"), ("CIRCLE_NODE_TOTAL", "3")]),
            ("auto", &[("BUILDKITE_PARALLEL_JOB", "1"), ("BUILDKITE_PARALLEL_JOB_COUNT", "3")]),
            ("auto/3", &[("PARALLEL_SEQ", "2")]),
            ("auto/3", &[("PARALLEL_SEQ", "2"), ("JOB_COMPLETION_INDEX", "1")]),
        ] {
            let found = shard(typed, variables).unwrap().unwrap();
            assert_eq!(found.to_string(), "2/3", "{typed} {variables:?}");
        }
        assert_eq!(ShardArgs { shard: None }.shard().unwrap(), None);
    }

    #[test]
    fn what_is_not_clear_is_said() {
        for (typed, variables, remedy) in [
            ("auto", &[][..], "write K/N"),
            ("auto/x", &[("PARALLEL_SEQ", "2")], "auto/N"),
            ("auto", &[("PARALLEL_SEQ", "2")], "does not say how many"),
            ("auto", &[("CI_NODE_INDEX", "two"), ("CI_NODE_TOTAL", "3")], "is not a number"),
            ("auto/3", &[("SLURM_ARRAY_TASK_ID", "0")], "from 1 to 3"),
            ("auto/3", &[("JOB_COMPLETION_INDEX", "3")], "from 0 to 2"),
            (
                "auto",
                &[
                    ("SLURM_ARRAY_TASK_ID", "7"),
                    ("SLURM_ARRAY_TASK_COUNT", "2"),
                    ("SLURM_ARRAY_TASK_MAX", "9"),
                ],
                "not all tasks",
            ),
            ("auto/3", &[("PARALLEL_SEQ", "2"), ("JOB_COMPLETION_INDEX", "0")], "says 1/3"),
        ] {
            let refusal = shard(typed, variables).unwrap_err().to_string();
            assert!(refusal.contains(remedy), "{typed}: {refusal}");
        }
    }
}
