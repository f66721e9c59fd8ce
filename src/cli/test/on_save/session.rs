//! The loop of `--watch`: what runs after a save, and what is printed.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use anyhow::Result;

use crate::langdef::LangDef;
use crate::matrix::Fate;
use crate::matrix::KillMatrix;
use crate::matrix::RunDir;
use crate::report::counted;
use crate::text::one_line;

use super::super::super::exit::Exit;
use super::super::super::exit::message;
use super::super::super::output::print_text;
use super::super::super::progress::catch_interrupt;
use super::super::super::settings::results;
use super::super::super::settings::settings;
use super::super::super::settings::with_settings;
use super::super::super::target::prepare;
use super::super::args::TestArgs;
use super::super::show::diff;
use super::round::Choice;
use super::round::Round;
use super::round::round;
use super::saved::Files;
use super::saved::Save;
use super::saved::SavedFunction;

/// Missed mutants of the last run that are run again where no function was saved before.
const MISSED: usize = 50;
/// Names of functions in a line.
const NAMES: usize = 5;

/// What is known from round to round.
struct Session<'a> {
    args: &'a TestArgs,
    root: &'a Path,
    /// The fates of mutants, by their ids.
    fates: BTreeMap<String, Fate>,
    /// The missed mutants of the last whole run, the most worthwhile first.
    missed: Vec<String>,
    /// The functions that were saved last.
    functions: BTreeSet<SavedFunction>,
}

/// Runs until Ctrl-C.
pub fn run(args: &TestArgs) -> Result<Exit> {
    catch_interrupt()?;
    let settings = settings(&args.run.how.config)?;
    let out = results(&args.run.how.out);
    let mut files = Files::new(&settings.root, &out, language(args)?)?;
    let last = RunDir::open_store(&out).ok().and_then(|store| KillMatrix::load(&store).ok());
    let mut session = Session {
        args,
        root: &settings.root,
        fates: last.iter().flat_map(fates).collect(),
        missed: last.iter().flat_map(missed).collect(),
        functions: BTreeSet::new(),
    };
    tell!(
        "watching {}; save a file to test its functions; stop with Ctrl-C",
        counted(files.count() as u64, "file")
    );
    while let Some(save) = files.next()? {
        session.functions = files.where_now(&session.functions);
        match session.save(&save) {
            Ok(true) => {}
            Ok(false) => return Ok(Exit::Interrupted),
            Err(error) => tell!("error: {}", message(&error)),
        }
    }
    Ok(Exit::Fine)
}

/// The language of the sources.
fn language(args: &TestArgs) -> Result<LangDef> {
    let settings = settings(&args.run.how.config)?;
    Ok(prepare(&with_settings(&args.target, &settings))?.def)
}

impl Session<'_> {
    /// Runs what a save calls for; whether to go on.
    fn save(&mut self, save: &Save) -> Result<bool> {
        let mut what = names(save);
        let mut came = match save.functions.is_empty() {
            true => Round::Nothing,
            false => round(self.args, &Choice::Functions(save.functions.clone()))?,
        };
        match came {
            Round::Nothing => {
                let again = self.again();
                what = format!("{what}: {}", again.1);
                came = round(self.args, &again.0)?;
            }
            _ => self.functions.clone_from(&save.functions),
        }
        match came {
            Round::Tested { matrix, seconds } => print_text(&self.told(&what, &matrix, seconds))?,
            Round::Nothing => tell!("{}: no mutant", one_line(&what)),
            Round::Ended { interrupted } => return Ok(!interrupted),
        }
        Ok(true)
    }

    /// What is run where no function with mutants was saved: those of the last ones, else what was missed.
    fn again(&mut self) -> (Choice, String) {
        if self.functions.is_empty() {
            let ids: BTreeSet<String> = self.missed.iter().take(MISSED).cloned().collect();
            let said = format!("{} of the last run again", counted(ids.len() as u64, "missed mutant"));
            return (Choice::Ids(ids), said);
        }
        let names: BTreeSet<&str> = self.functions.iter().map(|one| one.name.as_str()).collect();
        let said = format!("{} again", names.into_iter().take(NAMES).collect::<Vec<_>>().join(", "));
        (Choice::Functions(self.functions.clone()), said)
    }

    /// What a round came to: figures, what changed since the fates were known, and mutants that are missed.
    fn told(&mut self, what: &str, matrix: &KillMatrix, seconds: f64) -> String {
        let now: BTreeMap<String, Fate> = fates(matrix).collect();
        let before = |id: &String| self.fates.get(id).copied();
        let mut text =
            format!("\n{}: {}, {seconds:.1} s", one_line(what), counted(now.len() as u64, "mutant"));
        for (fate, count) in matrix.counts() {
            let _ = write!(text, ", {count} {}", fate.name());
        }
        text.push('\n');
        let row = |id: &String| matrix.mutants.iter().position(|row| row.id == *id);
        for id in now.iter().filter(|(_, fate)| fate.is_detected()).map(|(id, _)| id) {
            if before(id).is_some_and(Fate::is_missed) {
                let row = row(id).map(|at| &matrix.mutants[at]);
                let place =
                    row.map_or_else(String::new, |row| format!("{}:{}  {}", row.file, row.line, row.words()));
                let _ = writeln!(text, "{}", one_line(&format!("now killed: {id}  {place}")));
            }
        }
        let ranked = matrix.survivors_ranked();
        let id = |at: &u32| &matrix.mutants[*at as usize].id;
        let (old, new): (Vec<u32>, Vec<u32>) =
            ranked.into_iter().partition(|at| before(id(at)).is_some_and(Fate::is_missed));
        for at in new.iter().chain(&old).take(self.args.run.show) {
            let _ = write!(text, "\n{}", diff(matrix, *at as usize, self.root));
        }
        let more = (new.len() + old.len()).saturating_sub(self.args.run.show);
        if more > 0 {
            let _ = writeln!(text, "\n{more} more are missed (--show N shows them)");
        }
        self.fates.extend(now);
        text
    }
}

/// What was saved, in a line.
fn names(save: &Save) -> String {
    let functions: Vec<String> =
        save.functions.iter().map(|one| format!("{} in {}", one.name, one.file.display())).collect();
    let files: Vec<String> = save.files.iter().map(|file| file.display().to_string()).collect();
    let named = if functions.is_empty() { files } else { functions };
    let more = if named.len() > NAMES { format!(" and {} more", named.len() - NAMES) } else { String::new() };
    named.into_iter().take(NAMES).collect::<Vec<_>>().join(", ") + &more
}

fn fates(matrix: &KillMatrix) -> impl Iterator<Item = (String, Fate)> {
    (0..matrix.mutants.len()).map(|at| (matrix.mutants[at].id.clone(), matrix.fate(at)))
}

fn missed(matrix: &KillMatrix) -> Vec<String> {
    let id = |at: u32| matrix.mutants[at as usize].id.clone();
    matrix.survivors_ranked().into_iter().map(id).collect()
}
