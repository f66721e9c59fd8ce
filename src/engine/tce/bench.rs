//! Compiles sheets.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use crate::control::Progress;
use crate::exec::Ended;
use crate::exec::Sandbox;
use crate::exec::Spec;
use crate::files::TemporaryDirectory;
use crate::runner::RunError;

use super::super::screen::Complaints;
use super::assembly::codes;
use super::assembly::whole_code;
use super::record::CompilerCall;
use super::sheet::Dropped;
use super::sheet::Sheet;
use super::sheet::placed;

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
/// What a compiler is told that warns as the project wants it: all errors, and code, since some warnings come late.
const OWN: [&str; 3] = ["-S", "-fdiagnostics-color=never", "-Wno-fatal-errors"];
/// Counts a pedantic message as an error, whatever else is said.
const PEDANTIC: &str = "-pedantic-errors";

/// Where sheets are compiled.
pub struct Bench<'a> {
    /// The environment, in which the real compilers are found.
    pub env: &'a [(String, String)],
    pub limit: Duration,
    pub progress: &'a Progress,
    pub complaints: &'a Complaints,
    pub desk: &'a Desk,
}

/// Where texts and their code are put, and what compilers may do: write there, whatever text they are given.
pub struct Desk {
    pub directory: TemporaryDirectory,
    pub sandbox: Sandbox,
    /// Which compilers are clang, by their names and the directories that they are called in.
    clang: Mutex<BTreeMap<(String, PathBuf), bool>>,
}

impl Desk {
    pub fn new(directory: TemporaryDirectory, sandbox: Sandbox) -> Self {
        Self { directory, sandbox, clang: Mutex::default() }
    }
}

/// The result of a sheet.
pub struct Sheeted {
    /// The codes of the copies that were compiled.
    pub codes: BTreeMap<usize, u128>,
    pub dropped: Dropped,
}

/// What a compiler made of a text.
enum Assembled {
    Code(String),
    /// It does not compile; what the compiler said.
    Refused(Vec<u8>),
    /// The compiler did not end by itself.
    Ended,
}

impl Bench<'_> {
    /// Compiles a sheet as its file was compiled; none if that does not work.
    pub fn compile(
        &self,
        sheet: &Sheet,
        call: &CompilerCall,
        source: &Path,
    ) -> Result<Option<Sheeted>, RunError> {
        let mut dropped = Dropped::default();
        for _ in 0..TRIES {
            let said = match self.assembly(&sheet.text(&dropped), call, source)? {
                Assembled::Code(text) => return Ok(Some(Sheeted { codes: codes(&text), dropped })),
                Assembled::Refused(said) => said,
                Assembled::Ended => return Ok(None),
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

    /// The code of all functions of a file with this text; none if it is not compiled. Errors and asserts name
    /// the file as `name`.
    pub fn whole(
        &self,
        text: &[u8],
        name: &Path,
        call: &CompilerCall,
        source: &Path,
    ) -> Result<Option<u128>, RunError> {
        let text = [placed(name, 1, "").as_bytes(), text].concat();
        Ok(match self.assembly(&text, call, source)? {
            Assembled::Code(text) => Some(whole_code(&text)),
            Assembled::Refused(_) | Assembled::Ended => None,
        })
    }

    /// What the compiler says of a file with this text if the project's own options refuse it.
    pub fn own_complaint(
        &self,
        text: &[u8],
        name: &Path,
        call: &CompilerCall,
        source: &Path,
    ) -> Result<Option<Vec<u8>>, RunError> {
        let text = [placed(name, 1, "").as_bytes(), text].concat();
        Ok(match self.compiled(self.own(call, source)?, &text, call, source)? {
            Assembled::Refused(said) => Some(said),
            Assembled::Code(_) | Assembled::Ended => None,
        })
    }

    /// The same as far as a compiler says it without making code, which takes a fraction of the time; none if it only
    /// shows later, or not at all.
    pub fn own_early_complaint(
        &self,
        text: &[u8],
        name: &Path,
        call: &CompilerCall,
        source: &Path,
    ) -> Result<Option<Vec<u8>>, RunError> {
        let text = [placed(name, 1, "").as_bytes(), text].concat();
        let spec = self.own(call, source)?.arg("-fsyntax-only");
        let scratch = self.desk.directory.inner().map_err(RunError::io("a directory for compiled code"))?;
        let input = scratch.path().join(source.file_name().map_or_else(PathBuf::new, PathBuf::from));
        fs::write(&input, text).map_err(RunError::io(input.display().to_string()))?;
        Ok(match self.run(spec.arg(&input), call)? {
            (Ended::Code(0), _) => None,
            (Ended::Code(_), said) => Some(said),
            _ => None,
        })
    }

    /// Compiles a text as a file was compiled, but for warnings and optimisation.
    fn assembly(&self, text: &[u8], call: &CompilerCall, source: &Path) -> Result<Assembled, RunError> {
        let spec = self.spec(call, source)?;
        self.compiled(spec, text, call, source)
    }

    fn compiled(
        &self,
        spec: Spec,
        text: &[u8],
        call: &CompilerCall,
        source: &Path,
    ) -> Result<Assembled, RunError> {
        let scratch = self.desk.directory.inner().map_err(RunError::io("a directory for compiled code"))?;
        let name = source.file_name().map_or_else(PathBuf::new, PathBuf::from);
        let (input, output) = (scratch.path().join(&name), scratch.path().join("out.s"));
        let io = |path: &Path| RunError::io(path.display().to_string());
        fs::write(&input, text).map_err(io(&input))?;
        Ok(match self.run(spec.arg("-o").arg(&output).arg(&input), call)? {
            (Ended::Code(0), _) => {
                let text = fs::read(&output).map_err(io(&output))?;
                Assembled::Code(String::from_utf8_lossy(&text).into_owned())
            }
            (Ended::Code(_), said) => Assembled::Refused(said),
            _ => Assembled::Ended,
        })
    }

    fn spec(&self, call: &CompilerCall, source: &Path) -> Result<Spec<'_>, RunError> {
        let arguments = call.arguments.iter().filter(|argument| *argument != PEDANTIC);
        let spec = beside(call, source).args(arguments).args(ALL);
        Ok(if self.is_clang(call)? { spec.args(CLANG) } else { spec.args(GCC) })
    }

    /// A compilation with the project's own options.
    fn own(&self, call: &CompilerCall, source: &Path) -> Result<Spec<'_>, RunError> {
        let all = if self.is_clang(call)? { CLANG[0] } else { GCC[0] };
        Ok(beside(call, source).args(&call.arguments).args(OWN).arg(all))
    }

    fn is_clang(&self, call: &CompilerCall) -> Result<bool, RunError> {
        let place = (call.tool.clone(), call.directory.clone());
        if let Some(known) = self.desk.clang.lock().expect("the lock is not poisoned").get(&place) {
            return Ok(*known);
        }
        let (_, said) = self.run(Spec::program(&call.tool, &call.directory).arg("--version"), call)?;
        let is_clang = memchr::memmem::find(&said, b"clang").is_some();
        self.desk.clang.lock().expect("the lock is not poisoned").insert(place, is_clang);
        Ok(is_clang)
    }

    fn run(&self, spec: Spec, call: &CompilerCall) -> Result<(Ended, Vec<u8>), RunError> {
        let spec = spec.envs(self.env).time(self.limit).keep(MOST_SAID);
        let spec = spec.sandboxed(&self.desk.sandbox).stopped_by(self.progress);
        let outcome = spec.run().map_err(RunError::io(&call.tool))?;
        match outcome.ended {
            Ended::Stopped => Err(RunError::Stopped),
            ended => Ok((ended, outcome.stdout)),
        }
    }
}

/// A compiler where it was called. What a file includes by quotes is looked for beside it first.
fn beside<'s>(call: &CompilerCall, source: &Path) -> Spec<'s> {
    let directory = source.parent().unwrap_or(Path::new("."));
    Spec::program(&call.tool, &call.directory).arg("-iquote").arg(directory)
}
