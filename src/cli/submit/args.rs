//! The options of `submit`, as typed.

use std::path::PathBuf;

use clap::Args;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub enum SubmitCommand {
    /// Run as an array of Slurm jobs, followed by a job that merges the parts.
    Slurm(SlurmArgs),
    /// Run as an Indexed Job of Kubernetes, with a job before it that prepares and one after it that merges.
    Kubernetes(KubernetesArgs),
    /// Run with GNU parallel, on this machine or on those of a list.
    Parallel(ParallelArgs),
}

#[derive(Args, Clone, Debug)]
pub struct WorkArgs {
    /// Split the work into N parts.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..))]
    pub array: u32,
    /// Write scripts, logs and parts to this directory, which all machines must see. Default: `submit` in the results
    /// directory.
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Show what would be submitted, without submitting it.
    #[arg(long)]
    pub print: bool,
    /// Print only results, warnings and errors.
    #[arg(short, long)]
    pub quiet: bool,
    /// Run this command: test, localize, harvest or coupling --test, with its options.
    #[arg(value_name = "COMMAND", last = true)]
    pub command: Vec<String>,
}

#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Exit codes:\n  0  submitted; with --wait or --status: all parts are done and merged\n  1  wrong arguments, or Slurm rejects the jobs\n  5  with --wait or --status: parts failed or are not done yet\n  130  stopped by Ctrl-C; the jobs keep running\n  With --wait, otherwise the exit code of the command that merges the parts."
)]
pub struct SlurmArgs {
    #[command(flatten)]
    pub work: WorkArgs,
    /// Submit to this partition.
    #[arg(short, long, value_name = "NAME")]
    pub partition: Option<String>,
    /// Pass this option to sbatch for all jobs (`--sbatch=--mem=4G`).
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub sbatch: Vec<String>,
    /// Wait until all jobs have ended, and show progress.
    #[arg(long)]
    pub wait: bool,
    /// Show the state of the last submission.
    #[arg(long, conflicts_with_all = ["wait", "print", "resubmit"])]
    pub status: bool,
    /// Submit only the parts again that failed or never ran.
    #[arg(long)]
    pub resubmit: bool,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes:\n  0  printed or submitted\n  1  wrong arguments, or Kubernetes rejects the jobs"
)]
pub struct KubernetesArgs {
    #[command(flatten)]
    pub work: WorkArgs,
    /// Use this container image; it must hold wildcaught and all that the project needs to build and test.
    #[arg(long, value_name = "IMAGE")]
    pub image: String,
    /// Use this volume claim, which holds the project; all pods must be able to write to it.
    #[arg(long, value_name = "CLAIM")]
    pub claim: String,
    /// Find the project at this path in the volume.
    #[arg(long, value_name = "DIR", default_value = "")]
    pub path: String,
    /// Name the jobs like this.
    #[arg(long, value_name = "NAME", default_value = "wildcaught")]
    pub name: String,
    /// Retry a failed part up to N times.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub retries: u32,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Until all parts are done, running the same command again continues with parts that failed or never ran.\n\nExit codes:\n  1  wrong arguments, or GNU parallel cannot be run\n  5  parts failed\n  130  stopped by Ctrl-C; the same command continues\n  Otherwise the exit code of the command that merges the parts."
)]
pub struct ParallelArgs {
    #[command(flatten)]
    pub work: WorkArgs,
    /// Run N parts at a time on each machine. A part uses all cores, so the default is one.
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    pub jobs: u32,
    /// Run on the machines listed in FILE, in the format of GNU parallel (one `user@host` per line). They must see
    /// the same files.
    #[arg(long, value_name = "FILE")]
    pub sshloginfile: Option<PathBuf>,
    /// Discard finished parts and start over.
    #[arg(long)]
    pub fresh: bool,
}
