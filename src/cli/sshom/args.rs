//! What can be typed after `wildcaught sshom`.

use std::path::PathBuf;

use clap::Args;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub enum SshomCommand {
    /// Find all strongly subsuming higher-order mutants (SSHOMs) from failing conditions: for each test, the
    /// combinations with which it fails.
    Solve(SolveArgs),
}

#[derive(Args, Debug)]
#[command(
    after_help = "EXIT CODES:\n  0  there are some\n  1  wrong arguments or input, or the answer is too large to be held\n  5  there are none\n  130  stopped by Ctrl-C; nothing was printed"
)]
pub struct SolveArgs {
    /// A folder with a file per test: binary decision diagrams as JavaBDD saves them (*.txt), or formulas
    /// (*.cnf, *.dimacs); or one document of boxes (*.json).
    pub conditions: PathBuf,

    /// Which mutants are of one point and never combine: a line per point, with the names of its mutants, in
    /// the order of their variables. Boxes have their own points.
    #[arg(long, value_name = "FILE")]
    pub groups: Option<PathBuf>,

    /// The number of the first mutant's variable.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub first_variable: u32,

    /// Where mutants are, to see how far combinations spread: lines of `mutant,file,function`.
    #[arg(long, value_name = "FILE")]
    pub places: Option<PathBuf>,

    /// Combine at most so many mutants.
    #[arg(long, value_name = "K")]
    pub max_order: Option<usize>,

    /// Only strict ones: some test that kills each of their mutants does not kill them.
    #[arg(long)]
    pub strict: bool,

    /// List the first N, by order, then by mutants.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub list: usize,

    /// Print JSON. Counts are strings, since they may be larger than any number that JSON readers hold.
    #[arg(long)]
    pub json: bool,

    /// Show no progress.
    #[arg(short, long)]
    pub quiet: bool,

    /// Most nodes of a decision diagram before giving up.
    #[arg(long, value_name = "N", default_value_t = 20_000_000)]
    pub max_nodes: usize,
}
