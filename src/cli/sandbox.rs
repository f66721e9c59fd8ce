//! The options that say what mutants may do.

use anyhow::Result;
use clap::Args;
use clap::ValueEnum;

use crate::exec::Containment;
use crate::exec::SandboxMode;
use crate::exec::SandboxPolicy;

#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "What mutants may do")]
pub struct SandboxArgs {
    /// Keep mutants from writing outside of their copy, from the network, from signals to others, and from too much
    /// memory; auto if left out.
    #[arg(long, value_enum, value_name = "MODE")]
    pub sandbox: Option<SandboxArg>,
    /// Let tests use the network; without, they have loopback. Builds always may.
    #[arg(long)]
    pub network: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SandboxArg {
    /// Limits of time and output only.
    Off,
    /// What the system offers; a line says what that is.
    Auto,
    /// All of it, or an error that says what is missing.
    Require,
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
