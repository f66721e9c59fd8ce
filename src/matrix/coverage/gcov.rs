//! gcov's JSON: a document per object file, several of them one after the other.

use std::path::Path;

use serde::Deserialize;

use crate::text::FunctionLines;

use super::CoverageError;
use super::LineCoverage;

/// What is needed of a document; gcov writes more with every version.
#[derive(Deserialize)]
struct Document {
    #[serde(default)]
    current_working_directory: String,
    files: Vec<File>,
}

#[derive(Deserialize)]
struct File {
    file: String,
    lines: Vec<Line>,
    #[serde(default)]
    functions: Vec<Function>,
}

#[derive(Deserialize)]
struct Line {
    line_number: u32,
    count: f64,
}

#[derive(Deserialize)]
struct Function {
    #[serde(default)]
    name: String,
    demangled_name: Option<String>,
    start_line: u32,
    end_line: u32,
}

/// Reads what `gcov --json-format` writes. A path that is not absolute is one below the directory it was
/// compiled in.
pub(super) fn read(text: &str, origin: &str, test: &str) -> Result<LineCoverage, CoverageError> {
    let mut coverage = LineCoverage::default();
    coverage.note_test(test);
    for document in serde_json::Deserializer::from_str(text).into_iter::<Document>() {
        let document =
            document.map_err(|source| CoverageError::Json { origin: origin.to_owned(), source })?;
        for file in document.files {
            let path = Path::new(&document.current_working_directory).join(&file.file);
            let path = path.to_string_lossy();
            for line in &file.lines {
                coverage.note(test, &path, line.line_number, line.count != 0.0);
            }
            for function in file.functions {
                let (first, last) = (function.start_line, function.end_line.max(function.start_line));
                let name = function.demangled_name.unwrap_or(function.name);
                coverage.note_function(&path, FunctionLines { first, last, name });
            }
        }
    }
    Ok(coverage)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{"gcc_version": "12.2.0", "files": [{"lines": [
        {"branches": [], "count": 1, "line_number": 2, "unexecuted_block": false, "function_name": "f"},
        {"branches": [], "count": 0, "line_number": 7, "unexecuted_block": true, "function_name": "f"}],
        "functions": [{"blocks": 4, "end_column": 1, "start_line": 2, "name": "f", "demangled_name": "f",
        "blocks_executed": 3, "execution_count": 1, "start_column": 5, "end_line": 8}], "file": "a.c"}],
        "format_version": "1", "current_working_directory": "/b", "data_file": "a.gcda"}"#;

    #[test]
    fn documents_follow_each_other() {
        let both = format!("{TEXT}\n{}\n", TEXT.replace("\"a.c\"", "\"/c/b.c\""));
        let found = read(&both, "t.json", "t").unwrap();
        assert_eq!(found.lines.keys().collect::<Vec<_>>(), ["/b/a.c", "/c/b.c"]);
        assert_eq!(found.tests["t"]["/b/a.c"].iter().collect::<Vec<u32>>(), [2]);
        assert_eq!(found.functions["/b/a.c"][0].last, 8);
    }

    #[test]
    fn a_wrong_field_is_named_with_its_line() {
        let error = read(&TEXT.replace("\"count\": 0", "\"count\": \"0\""), "t.json", "t").unwrap_err();
        assert!(error.to_string().starts_with("t.json: invalid type"), "{error}");
        assert!(error.to_string().contains("line 3"), "{error}");
    }
}
