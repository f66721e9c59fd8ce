//! The options of `submit`, as typed.

use std::path::PathBuf;

use clap::Args;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub enum SubmitCommand {
    /// As an array of Slurm jobs, with a job that puts the parts together behind it.
    Slurm(SlurmArgs),
    /// As an Indexed Job of Kubernetes, with jobs before and behind it.
    Kubernetes(KubernetesArgs),
    /// On this machine, or those of a list, with GNU parallel.
    Parallel(ParallelArgs),
}

#[derive(Args, Clone, Debug)]
pub struct WorkArgs {
    /// Into how many parts the work is cut.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..))]
    pub array: u32,
    /// Where scripts, logs and parts go, seen by all machines; `submit` where results are kept if left out.
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Show what would be submitted, and submit nothing.
    #[arg(long)]
    pub print: bool,
    /// Print nothing but results, warnings and errors.
    #[arg(short, long)]
    pub quiet: bool,
    /// What to run: test, localize, harvest, coupling --test, with their options.
    #[arg(value_name = "COMMAND", last = true)]
    pub command: Vec<String>,
}

#[derive(Args, Clone, Debug)]
#[command(
    after_help = "EXIT CODES:\n  0  submitted; with --wait or --status: all parts are done and put together\n  1  wrong arguments, or Slurm refuses\n  5  with --wait or --status: parts failed, or are not done\n  130  stopped by Ctrl-C; the jobs go on\n  With --wait, otherwise the exit code of the command that puts the parts together."
)]
pub struct SlurmArgs {
    #[command(flatten)]
    pub work: WorkArgs,
    /// The partition.
    #[arg(short, long, value_name = "NAME")]
    pub partition: Option<String>,
    /// Another option of sbatch for all jobs (`--sbatch=--mem=4G`).
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub sbatch: Vec<String>,
    /// Wait until all is done, and show how far it is.
    #[arg(long)]
    pub wait: bool,
    /// Say what became of what was submitted last.
    #[arg(long, conflicts_with_all = ["wait", "print", "resubmit"])]
    pub status: bool,
    /// Submit the parts again that failed or never ran, and nothing else.
    #[arg(long)]
    pub resubmit: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "EXIT CODES:\n  0  printed or submitted\n  1  wrong arguments, or Kubernetes refuses")]
pub struct KubernetesArgs {
    #[command(flatten)]
    pub work: WorkArgs,
    /// The image: wildcaught, and what the project needs to be built and tested.
    #[arg(long, value_name = "IMAGE")]
    pub image: String,
    /// The volume claim with the project, which all pods may write to.
    #[arg(long, value_name = "CLAIM")]
    pub claim: String,
    /// Where the project is in that volume.
    #[arg(long, value_name = "DIR", default_value = "")]
    pub path: String,
    /// What the jobs are called.
    #[arg(long, value_name = "NAME", default_value = "wildcaught")]
    pub name: String,
    /// How often a part is tried again.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub retries: u32,
}

#[derive(Args, Debug)]
#[command(
    after_help = "What was done is not done again: until the end, the same command goes on with parts that failed or never ran.\n\nEXIT CODES:\n  1  wrong arguments, or GNU parallel cannot be run\n  5  parts failed\n  130  stopped by Ctrl-C; the same command goes on\n  Otherwise the exit code of the command that puts the parts together."
)]
pub struct ParallelArgs {
    #[command(flatten)]
    pub work: WorkArgs,
    /// Parts at a time on each machine; one if left out: a part uses all cores.
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    pub jobs: u32,
    /// Machines, as GNU parallel reads them (one `user@host` a line), that see the same files.
    #[arg(long, value_name = "FILE")]
    pub sshloginfile: Option<PathBuf>,
    /// Forget what was done, and begin anew.
    #[arg(long)]
    pub fresh: bool,
}
