//! The options of the sandbox.

use anyhow::Result;
use clap::Args;
use clap::ValueEnum;

use crate::engine::Compilers;
use crate::exec::Containment;
use crate::exec::SandboxMode;
use crate::exec::SandboxPolicy;

use super::settings::outer;

#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Sandbox")]
pub struct SandboxArgs {
    /// Stop mutants from writing outside of their copy, using the network, signalling other processes and using too
    /// much memory. Default: auto.
    #[arg(long, value_enum, value_name = "MODE")]
    pub sandbox: Option<SandboxArg>,
    /// Let tests use the network. Default: only loopback. Builds may always use it.
    #[arg(long)]
    pub network: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SandboxArg {
    /// Limit only time and output.
    Off,
    /// Use what the system offers, and print what that is.
    Auto,
    /// Use all of it, or stop with an error that names what is missing.
    Require,
}

/// As above, where only compilers are run.
#[derive(Args, Clone, Copy, Debug)]
pub struct CompilerSandboxArgs {
    /// Stop the command from writing outside of its copy and the caches of build tools. Default: auto.
    #[arg(long, value_enum, value_name = "MODE")]
    pub sandbox: Option<SandboxArg>,
}

impl CompilerSandboxArgs {
    /// What compilers may do, which is said.
    pub fn compilers(self, quiet: bool) -> Result<Compilers> {
        let typed = SandboxArgs { sandbox: self.sandbox, network: true };
        Ok(Compilers { containment: contain(&typed.over(&SandboxPolicy::default()), quiet)?, outer: outer() })
    }
}

impl SandboxArgs {
    /// The policy of the settings, with what was typed instead where something was.
    pub fn over(self, settings: &SandboxPolicy) -> SandboxPolicy {
        let mode = match self.sandbox {
            None => settings.mode,
            Some(SandboxArg::Off) => SandboxMode::Off,
            Some(SandboxArg::Auto) => SandboxMode::Auto,
            Some(SandboxArg::Require) => SandboxMode::Require,
        };
        SandboxPolicy { mode, network: settings.network || self.network, ..settings.clone() }
    }
}

/// Has the sandbox ready, and says what it is.
pub fn contain(policy: &SandboxPolicy, quiet: bool) -> Result<Containment> {
    let containment = Containment::set_up(policy)?;
    if !quiet {
        tell!("{}", containment.protection().line());
    }
    Ok(containment)
}
