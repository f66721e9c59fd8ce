//! From a spec to a process in a sandbox.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::ffi::OsStr;
use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use super::linux::Launch;
use super::linux::Tag;
use super::linux::environment;
use super::linux::start_for_good;
use super::process::Process;
use super::sandbox::Inside;
use super::spec::Spec;
use super::start::Life;
use super::tag::ProcessIdentity;
use super::tag::TAG;

/// Where programs are looked for without a PATH.
const USUAL_PATH: &str = "/bin:/usr/bin";
/// Seconds of processor time beyond the limit of wall time, on each processor: the last resort.
const SPARE_SECONDS: u64 = 10;

/// Starts a process in a sandbox.
pub fn start(spec: &Spec, inside: &Inside, streams: [OwnedFd; 3], life: Life) -> io::Result<Process> {
    let environment = variables(spec, inside);
    let program = found(spec, environment.get(OsStr::new("PATH")));
    let name = spec.name.as_ref().unwrap_or(&spec.words[0]);
    let arguments = [name].into_iter().chain(&spec.words[1..]);
    let launch = Launch {
        program: text(program.as_os_str())?,
        arguments: arguments.map(|word| text(word)).collect::<io::Result<_>>()?,
        environment: environment.iter().map(variable).collect::<io::Result<_>>()?,
        directory: text(spec.directory.as_os_str())?,
        streams,
        limits: limits(spec, inside, life),
        rules: inside.rules.clone(),
        namespaces: inside.namespaces.as_ref().map(Arc::clone),
        tag: Tag::new(),
    };
    let started = if life == Life::OfOurs { start_for_good(launch) } else { launch.start() };
    started.map(Process::Boxed)
}

/// What the system limits: both by the spec and by the sandbox.
fn limits(spec: &Spec, inside: &Inside, life: Life) -> Vec<(u32, u64)> {
    let own = inside.quota.as_ref().map(|quota| quota.file_size());
    let file_size = [spec.limits.file_size, own].into_iter().flatten().min();
    let processors = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
    let seconds = (spec.time.as_secs() + SPARE_SECONDS) * processors;
    let cpu = (inside.quota.is_some() && life == Life::OfThread).then_some(seconds);
    let core = inside.quota.is_some().then_some(0);
    let limits = [
        (libc::RLIMIT_AS, spec.limits.memory),
        (libc::RLIMIT_FSIZE, file_size),
        (libc::RLIMIT_CPU, cpu),
        (libc::RLIMIT_CORE, core),
    ];
    limits.into_iter().filter_map(|(resource, most)| Some((resource, most?))).collect()
}

/// The outer environment, the directory for temporary files, and on top of that what the spec says.
fn variables(spec: &Spec, inside: &Inside) -> BTreeMap<OsString, OsString> {
    let outer = environment();
    let split = |text: &CString| {
        let bytes = text.as_bytes();
        let end = bytes.iter().skip(1).position(|byte| *byte == b'=')? + 1;
        Some((OsString::from_vec(bytes[..end].to_vec()), OsString::from_vec(bytes[end + 1..].to_vec())))
    };
    let mut all: BTreeMap<OsString, OsString> = outer.iter().filter_map(split).collect();
    all.extend(ProcessIdentity::own().map(|own| (TAG.into(), own.tag().into())));
    all.insert("TMPDIR".into(), inside.temporary.path().into());
    all.extend(spec.env.iter().cloned());
    all
}

fn variable((key, value): (&OsString, &OsString)) -> io::Result<CString> {
    text(&[key.as_os_str(), value].join(OsStr::new("=")))
}

/// The file of a program, which is looked for in PATH unless it is a path.
fn found(spec: &Spec, path: Option<&OsString>) -> PathBuf {
    let program = Path::new(&spec.words[0]);
    if spec.words[0].as_bytes().contains(&b'/') {
        return program.to_owned();
    }
    let path = path.map_or(OsStr::new(USUAL_PATH), OsString::as_os_str);
    let mut places = std::env::split_paths(path).map(|directory| directory.join(program));
    places.find(|place| is_executable(&spec.directory.join(place))).unwrap_or_else(|| program.to_owned())
}

fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

fn text(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes()).map_err(io::Error::from)
}
