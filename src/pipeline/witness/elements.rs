//! Numbers for everything that runs executed, in the order in which it is seen: functions, arcs, lines.

use std::collections::BTreeMap;
use std::fs;
use std::path::Component;
use std::path::Path;
use std::path::PathBuf;

use crate::analysis::witness::Elements;
use crate::analysis::witness::Trace;
use crate::analysis::witness::TracedFunction;
use crate::insert::function_lines;
use crate::langdef::language_of_file;
use crate::matrix::Counters;
use crate::matrix::LineCoverage;
use crate::matrix::NotedFunction;
use crate::matrix::Notes;
use crate::matrix::executed;
use crate::text::FunctionLines;

use super::coverage::Executed;
use super::error::WitnessError;

/// What is known of the broken program's code.
pub struct ElementTable {
    /// Where its sources are; what lies elsewhere is left out.
    sources: PathBuf,
    pub elements: Elements,
    objects: BTreeMap<PathBuf, Object>,
    functions: BTreeMap<(String, String, u32, u32), Known>,
    /// Functions of files whose coverage does not name them.
    outlines: BTreeMap<String, Vec<FunctionLines>>,
    /// Something that was executed and lies elsewhere.
    outside: Option<String>,
}

/// The notes of an object file.
struct Object {
    stamp: u32,
    functions: BTreeMap<(u32, u32), NotedFunction>,
}

/// The numbers of a function.
#[derive(Clone, Default)]
struct Known {
    function: u32,
    first_arc: u32,
    lines: BTreeMap<u32, u32>,
}

impl ElementTable {
    pub fn new(sources: &Path) -> Self {
        let sources = fs::canonicalize(sources).unwrap_or_else(|_| sources.to_owned());
        Self {
            sources,
            elements: Elements::default(),
            objects: BTreeMap::new(),
            functions: BTreeMap::new(),
            outlines: BTreeMap::new(),
            outside: None,
        }
    }

    /// What a run executed, by number.
    pub fn trace(&mut self, found: &Executed) -> Result<Trace, WitnessError> {
        let mut trace = Trace::default();
        match found {
            Executed::Counters(objects) => {
                for (path, counters) in objects {
                    self.add_counters(path, counters, &mut trace)?;
                }
            }
            Executed::Lines(lines) => self.add_lines(lines, &mut trace),
        }
        Ok(trace)
    }

    /// Whether a trace has anything in it; refuses one of which nothing lies below the sources.
    pub fn check(&self, trace: &Trace) -> Result<bool, WitnessError> {
        match (trace.arcs.is_empty(), &self.outside) {
            (true, Some(example)) => {
                Err(WitnessError::NothingBelow { sources: self.sources.clone(), example: example.clone() })
            }
            (empty, _) => Ok(!empty),
        }
    }

    fn add_counters(
        &mut self,
        path: &Path,
        counters: &Counters,
        trace: &mut Trace,
    ) -> Result<(), WitnessError> {
        if !self.objects.contains_key(path) {
            self.objects.insert(path.to_owned(), Object::read(path)?);
        }
        let object = &self.objects[path];
        if object.stamp != counters.stamp {
            return Ok(());
        }
        let functions: Vec<_> = counters
            .functions
            .iter()
            .filter_map(|(key, counts)| Some((object.functions.get(key)?.clone(), counts)))
            .collect();
        for (function, counts) in functions {
            let Some(done) = executed(&function, counts) else { continue };
            let Some(known) = self.known(&function) else { continue };
            let arcs = done.arcs.iter().zip(&function.arcs).zip(known.first_arc..);
            let taken = arcs.filter(|((count, arc), _)| **count > 0 && !arc.fake);
            trace.arcs.extend(taken.map(|(_, number)| number));
            let lines = function.lines.iter().filter(|line| done.blocks[line.block as usize]);
            trace.lines.extend(lines.filter_map(|line| known.lines.get(&line.line)));
        }
        Ok(())
    }

    /// The numbers of a function, new ones if it was never seen; none if it lies outside of the sources.
    fn known(&mut self, function: &NotedFunction) -> Option<Known> {
        let file = self.inside(&function.file)?;
        let key = (file, function.name.clone(), function.first, function.checksum);
        if let Some(known) = self.functions.get(&key) {
            return Some(known.clone());
        }
        let number = self.add_function(TracedFunction {
            name: key.1.clone(),
            file: key.0.clone(),
            first: function.first,
            last: function.last,
        });
        let first_arc = self.elements.arcs.len() as u32;
        self.elements.arcs.extend(function.arcs.iter().map(|_| number));
        let mut known = Known { function: number, first_arc, lines: BTreeMap::new() };
        for noted in &function.lines {
            let lines = &mut self.elements.lines;
            known.lines.entry(noted.line).or_insert_with(|| {
                lines.push((number, noted.line));
                lines.len() as u32 - 1
            });
        }
        self.functions.insert(key, known.clone());
        Some(known)
    }

    fn add_function(&mut self, function: TracedFunction) -> u32 {
        self.elements.functions.push(function);
        self.elements.functions.len() as u32 - 1
    }

    /// Lines are arcs where nothing finer is known.
    fn add_lines(&mut self, coverage: &LineCoverage, trace: &mut Trace) {
        for files in coverage.tests.values() {
            for (name, executed) in files {
                let Some(file) = self.inside(name) else { continue };
                let outline = self.outline(&file, coverage.functions.get(name));
                for line in executed {
                    let within =
                        outline.iter().filter(|function| (function.first..=function.last).contains(&line));
                    let innermost = within.max_by_key(|function| function.first).cloned();
                    let function =
                        innermost.unwrap_or(FunctionLines { first: 0, last: 0, name: String::new() });
                    let number = self.line(&file, function, line);
                    trace.lines.insert(number);
                    trace.arcs.insert(number);
                }
            }
        }
    }

    fn line(&mut self, file: &str, function: FunctionLines, line: u32) -> u32 {
        let key = (file.to_owned(), function.name.clone(), function.first, 0);
        if !self.functions.contains_key(&key) {
            let FunctionLines { first, last, name } = function;
            let number = self.add_function(TracedFunction { name, file: file.to_owned(), first, last });
            self.functions.insert(key.clone(), Known { function: number, ..Known::default() });
        }
        let Elements { arcs, lines, .. } = &mut self.elements;
        let known = self.functions.get_mut(&key).expect("it was just put there");
        let function = known.function;
        *known.lines.entry(line).or_insert_with(|| {
            lines.push((function, line));
            arcs.push(function);
            lines.len() as u32 - 1
        })
    }

    /// The functions of a file: as coverage names them, or as its text shows.
    fn outline(&mut self, file: &str, named: Option<&Vec<FunctionLines>>) -> Vec<FunctionLines> {
        if let Some(named) = named.filter(|named| !named.is_empty()) {
            return named.iter().cloned().map(|function| without_file(function, file)).collect();
        }
        if !self.outlines.contains_key(file) {
            let path = self.sources.join(file);
            let found = match (language_of_file(&path), fs::read(&path)) {
                (Ok(def), Ok(text)) => function_lines(&def, &text),
                _ => vec![],
            };
            self.outlines.insert(file.to_owned(), found);
        }
        self.outlines[file].clone()
    }

    /// A file as seen from the sources; none if it lies elsewhere.
    fn inside(&mut self, file: &str) -> Option<String> {
        let whole = lexical(&self.sources.join(file));
        if let Ok(inside) = whole.strip_prefix(&self.sources) {
            return Some(inside.to_string_lossy().into_owned());
        }
        let real = fs::canonicalize(&whole).ok();
        let inside = real.as_ref().and_then(|real| real.strip_prefix(&self.sources).ok());
        if inside.is_none() {
            self.outside.get_or_insert_with(|| file.to_owned());
        }
        inside.map(|inside| inside.to_string_lossy().into_owned())
    }
}

impl Object {
    fn read(path: &Path) -> Result<Self, WitnessError> {
        let bytes = fs::read(path).map_err(|_| WitnessError::NoNotes { path: path.to_owned() })?;
        let notes = Notes::read(&bytes, &path.display().to_string())?;
        let functions = notes.functions.into_iter();
        let functions = functions.map(|function| ((function.ident, function.checksum), function)).collect();
        Ok(Self { stamp: notes.stamp, functions })
    }
}

/// LLVM names a static function with its file before it.
fn without_file(mut function: FunctionLines, file: &str) -> FunctionLines {
    let own = Path::new(file).file_name().unwrap_or_default().to_string_lossy();
    if let Some(plain) = function.name.strip_prefix(&*own).and_then(|rest| rest.strip_prefix([':', ';'])) {
        function.name = plain.to_owned();
    }
    function
}

/// A path without `.` and `..`, whatever links there are.
fn lexical(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn static_functions_have_no_file_before_their_names() {
        let named = |name: &str| FunctionLines { first: 1, last: 2, name: name.into() };
        assert_eq!(without_file(named("cc.c:fold"), "src/cc.c").name, "fold");
        assert_eq!(without_file(named("ns::fold"), "src/cc.c").name, "ns::fold");
    }

    #[test]
    fn paths_lose_what_leads_nowhere() {
        assert_eq!(lexical(Path::new("/a/./b/../c")), Path::new("/a/c"));
    }
}
