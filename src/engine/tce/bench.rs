//! Compiles sheets.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use crate::control::Progress;
use crate::exec::Ended;
use crate::exec::Spec;
use crate::files::TemporaryDirectory;
use crate::runner::RunError;

use super::super::screen::Complaints;
use super::assembly::codes;
use super::record::CompilerCall;
use super::sheet::Dropped;
use super::sheet::Sheet;

/// How often a sheet is tried without what did not compile.
const TRIES: usize = 5;
/// How much of what a compiler says is read.
const MOST_SAID: u64 = 16 << 20;

/// What every compiler is told, after all else: real optimisation, and nothing that numbers or counts.
const ALL: [&str; 9] = [
    "-O2",
    "-S",
    "-g0",
    "-w",
    "-fno-asynchronous-unwind-tables",
    "-fno-lto",
    "-fdiagnostics-color=never",
    "-fno-ident",
    "-Wno-error",
];
const GCC: [&str; 6] = [
    "-fmax-errors=0",
    "-ftrack-macro-expansion=0",
    "-fno-ipa-icf",
    "-fno-partial-inlining",
    "-fno-reorder-blocks-and-partition",
    "-fno-section-anchors",
];
const CLANG: [&str; 2] = ["-ferror-limit=0", "-Wno-unknown-attributes"];

/// Where sheets are compiled.
pub struct Bench<'a> {
    /// The environment, in which the real compilers are found.
    pub env: &'a [(String, String)],
    pub limit: Duration,
    pub progress: &'a Progress,
    pub complaints: &'a Complaints,
}

/// What came of a sheet.
pub struct Sheeted {
    /// The codes of the copies that were compiled.
    pub codes: BTreeMap<usize, u128>,
    pub dropped: Dropped,
}

impl Bench<'_> {
    /// Compiles a sheet as its file was compiled; none if that does not work.
    pub fn compile(
        &self,
        sheet: &Sheet,
        call: &CompilerCall,
        source: &Path,
    ) -> Result<Option<Sheeted>, RunError> {
        let scratch =
            TemporaryDirectory::new("tce").map_err(RunError::io("a directory for compiled code"))?;
        let name = source.file_name().map_or_else(PathBuf::new, PathBuf::from);
        let (input, output) = (scratch.path().join(&name), scratch.path().join("out.s"));
        let mut dropped = Dropped::default();
        for _ in 0..TRIES {
            let io = |path: &Path| RunError::io(path.display().to_string());
            fs::write(&input, sheet.text(&dropped)).map_err(io(&input))?;
            let spec = self.spec(call, source)?;
            let said = match self.run(spec.arg("-o").arg(&output).arg(&input), call)? {
                (Ended::Code(0), _) => {
                    let text = fs::read(&output).map_err(io(&output))?;
                    let codes = codes(&String::from_utf8_lossy(&text));
                    return Ok(Some(Sheeted { codes, dropped }));
                }
                (Ended::Code(_), said) => said,
                _ => return Ok(None),
            };
            let before = dropped.clone();
            for (file, line) in self.complaints.read(&said).iter().filter_map(|said| said.places.first()) {
                sheet.blame(file, *line, &mut dropped);
            }
            if dropped == before {
                return Ok(None);
            }
        }
        Ok(None)
    }

    fn spec(&self, call: &CompilerCall, source: &Path) -> Result<Spec<'_>, RunError> {
        // What a file includes by quotes is looked for beside it first.
        let beside = source.parent().unwrap_or(Path::new("."));
        let spec = Spec::program(&call.tool, &call.directory).arg("-iquote").arg(beside);
        let spec = spec.args(&call.arguments).args(ALL);
        Ok(if self.is_clang(call)? { spec.args(CLANG) } else { spec.args(GCC) })
    }

    fn is_clang(&self, call: &CompilerCall) -> Result<bool, RunError> {
        let (_, said) = self.run(Spec::program(&call.tool, &call.directory).arg("--version"), call)?;
        Ok(memchr::memmem::find(&said, b"clang").is_some())
    }

    fn run(&self, spec: Spec, call: &CompilerCall) -> Result<(Ended, Vec<u8>), RunError> {
        let spec = spec.envs(self.env).time(self.limit).keep(MOST_SAID).stopped_by(self.progress);
        let outcome = spec.run().map_err(RunError::io(&call.tool))?;
        match outcome.ended {
            Ended::Stopped => Err(RunError::Stopped),
            ended => Ok((ended, outcome.stdout)),
        }
    }
}
