//! Coverage from files, whatever wrote them.

use std::fs;
use std::io;
use std::io::Read;
use std::path::Path;
use std::path::PathBuf;

use flate2::read::MultiGzDecoder;

use super::CoverageError;
use super::LineCoverage;
use super::cobertura;
use super::gcov;
use super::jacoco;
use super::lcov;

/// Endings that do not belong to a test's name.
const ENDINGS: [&str; 9] =
    [".gz", ".json", ".gcov", ".info", ".xml", ".lcov", ".gcda", ".jacoco", ".cobertura"];

/// Bytes that a packed file may unpack to. Coverage of a large project is a few megabytes per test.
const MOST_UNPACKED: u64 = 256 << 20;

/// Reads a file, or a directory of them. In a directory, a file is the coverage of the test that it is named
/// after, and all files below a subdirectory are those of the test that the subdirectory is named after.
/// An lcov file that names tests itself is used as it is. Files that gzip made smaller are read as they are.
pub fn read_coverage(path: &Path) -> Result<LineCoverage, CoverageError> {
    if !path.is_dir() {
        return read_file(path, &test_of(path));
    }
    let mut coverage = LineCoverage::default();
    let mut empty = true;
    for entry in entries(path)? {
        let files = if entry.is_dir() { files_below(&entry)? } else { vec![entry.clone()] };
        for file in files {
            empty = false;
            coverage.absorb(read_file(&file, &test_of(&entry))?);
        }
    }
    if empty { Err(CoverageError::Empty { path: path.to_owned() }) } else { Ok(coverage) }
}

/// Reads coverage that is in memory: `origin` names it in errors, `test` is the test it is of unless it says.
pub fn coverage_from(text: &str, origin: &str, test: &str) -> Result<LineCoverage, CoverageError> {
    let head = text.trim_start_matches('\u{feff}').trim_start();
    if head.starts_with('{') {
        return gcov::read(head, origin, test);
    }
    if head.starts_with('<') {
        return match root_element(head) {
            Some("report") => jacoco::read(text, origin, test),
            Some("coverage") => cobertura::read(text, origin, test),
            _ => Err(CoverageError::Unknown { origin: origin.to_owned() }),
        };
    }
    if ["TN:", "SF:"].iter().any(|record| head.starts_with(record) || head.contains(&format!("\n{record}"))) {
        return lcov::read(text, origin, test);
    }
    Err(CoverageError::Unknown { origin: origin.to_owned() })
}

/// The name of the first element; what stands before it are declarations and comments.
fn root_element(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        rest = &rest[rest.find('<')? + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = &comment[comment.find("-->")?..];
        } else if !rest.starts_with(['?', '!']) {
            return rest.split(|letter: char| letter.is_whitespace() || "/>".contains(letter)).next();
        }
    }
}

fn read_file(path: &Path, test: &str) -> Result<LineCoverage, CoverageError> {
    let failed = |error| CoverageError::Io { path: path.to_owned(), error };
    let mut bytes = fs::read(path).map_err(failed)?;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        bytes = unpack(&bytes, MOST_UNPACKED)
            .map_err(failed)?
            .ok_or_else(|| CoverageError::Bomb { path: path.to_owned(), most: MOST_UNPACKED })?;
    }
    coverage_from(&String::from_utf8_lossy(&bytes), &path.display().to_string(), test)
}

/// What gzip packed; none if that is more than `most` bytes.
fn unpack(packed: &[u8], most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut plain = Vec::new();
    MultiGzDecoder::new(packed).take(most + 1).read_to_end(&mut plain)?;
    Ok((plain.len() as u64 <= most).then_some(plain))
}

/// A file's name without the endings of the format.
fn test_of(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut test = name.as_str();
    while let Some(shorter) = ENDINGS.iter().find_map(|ending| test.strip_suffix(ending)) {
        test = shorter;
    }
    if test.is_empty() { name } else { test.to_owned() }
}

fn entries(directory: &Path) -> Result<Vec<PathBuf>, CoverageError> {
    let failed = |error| CoverageError::Io { path: directory.to_owned(), error };
    let found = fs::read_dir(directory).map_err(failed)?.map(|entry| Ok(entry?.path()));
    let mut found: Vec<PathBuf> = found.collect::<io::Result<_>>().map_err(failed)?;
    found.retain(|path| !path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".")));
    found.sort();
    Ok(found)
}

fn files_below(directory: &Path) -> Result<Vec<PathBuf>, CoverageError> {
    let mut files = Vec::new();
    for entry in entries(directory)? {
        if entry.is_dir() {
            files.extend(files_below(&entry)?);
        } else {
            files.push(entry);
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn files_and_directories_are_named_after_tests() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        fs::write(root.join("one.info"), "SF:a.c\nDA:1,1\nend_of_record\n").unwrap();
        fs::create_dir_all(root.join("two/deep")).unwrap();
        let json = br#"{"files": [{"file": "b.c", "lines": [{"line_number": 3, "count": 2}]}]}"#;
        let file = fs::File::create(root.join("two/deep/x.gcov.json.gz")).unwrap();
        let mut gzip = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
        gzip.write_all(json).unwrap();
        gzip.finish().unwrap();
        let found = read_coverage(root).unwrap();
        assert_eq!(found.tests.keys().collect::<Vec<_>>(), ["one", "two"]);
        assert!(found.tests["two"]["b.c"].contains(3));
        assert!(read_coverage(&root.join("none")).unwrap_err().to_string().contains("none: No such file"));
    }

    #[test]
    fn a_file_that_unpacks_to_more_than_the_limit_is_refused() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gzip.write_all(&[b' '; 100_000]).unwrap();
        let packed = gzip.finish().unwrap();
        assert_eq!(unpack(&packed, 100_000).unwrap().map(|plain| plain.len()), Some(100_000));
        assert_eq!(unpack(&packed, 99_999).unwrap(), None);
        let error = CoverageError::Bomb { path: "c.gz".into(), most: MOST_UNPACKED }.to_string();
        assert_eq!(
            error,
            "c.gz: unpacks to more than 256 MiB; unpack it into a directory with one smaller file per test"
        );
    }

    #[test]
    fn formats_are_told_by_what_is_in_them() {
        for (text, lines) in [
            ("# comment\nTN:x\nSF:a\nDA:1,1\nend_of_record\n", 1),
            (
                "<?xml version='1.0'?><!-- <report> --><coverage><class filename='a'><line number='1' hits='0'/></class></coverage>",
                1,
            ),
            (
                "<report><package name=''><sourcefile name='a'><line nr='1' ci='1'/></sourcefile></package></report>",
                1,
            ),
            ("{\"files\": []}", 0),
        ] {
            let found = coverage_from(text, "t", "t").unwrap();
            assert_eq!(found.lines.get("a").map_or(0, |lines| lines.len()), lines, "{text}");
        }
        for text in ["", "hello", "<html></html>"] {
            assert!(
                coverage_from(text, "t", "t")
                    .unwrap_err()
                    .to_string()
                    .contains("not a supported coverage format")
            );
        }
    }
}
