//! `ctest --show-only=json-v1`: the tests of a CMake build and how each is run.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;

/// One test of a CMake build.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CtestTest {
    pub name: String,
    /// The program and its arguments; empty if the program was not built.
    pub command: Vec<String>,
    pub directory: Option<PathBuf>,
    /// Variables it is run with, beyond those that are there.
    pub env: Vec<(String, String)>,
    /// Whether it passes by failing.
    pub will_fail: bool,
    pub disabled: bool,
    /// Seconds after which it is ended.
    pub timeout: Option<f64>,
    /// The exit code that means that it was skipped.
    pub skip_code: Option<i64>,
    /// Properties that change what a verdict is or need other tests (`PASS_REGULAR_EXPRESSION`,
    /// `FIXTURES_REQUIRED`, …), by name: such a test is better left to `ctest -R`.
    pub special: Vec<String>,
}

/// Properties that a runner of its own would have to know about.
const SPECIAL: [&str; 9] = [
    "PASS_REGULAR_EXPRESSION",
    "FAIL_REGULAR_EXPRESSION",
    "SKIP_REGULAR_EXPRESSION",
    "FIXTURES_REQUIRED",
    "DEPENDS",
    "RESOURCE_LOCK",
    "RUN_SERIAL",
    "REQUIRED_FILES",
    "ENVIRONMENT_MODIFICATION",
];

#[derive(Deserialize)]
struct Listing {
    #[serde(default)]
    tests: Vec<ListedTest>,
}

#[derive(Deserialize)]
struct ListedTest {
    name: String,
    #[serde(default)]
    command: Vec<String>,
    #[serde(default)]
    properties: Vec<Property>,
}

#[derive(Deserialize)]
struct Property {
    name: String,
    #[serde(default)]
    value: Value,
}

/// Reads the listing, from the first `{` on; what cannot be read is no test.
pub fn ctest_list(bytes: &[u8]) -> Vec<CtestTest> {
    let start = bytes.iter().position(|byte| *byte == b'{').unwrap_or(bytes.len());
    let mut stream = serde_json::Deserializer::from_slice(&bytes[start..]).into_iter::<Listing>();
    let listing = stream.next().and_then(Result::ok);
    listing.map_or_else(Vec::new, |listing| listing.tests.into_iter().map(test).collect())
}

fn test(listed: ListedTest) -> CtestTest {
    let mut test = CtestTest { name: listed.name, command: listed.command, ..CtestTest::default() };
    for property in listed.properties {
        match property.name.as_str() {
            "WORKING_DIRECTORY" => test.directory = property.value.as_str().map(PathBuf::from),
            "ENVIRONMENT" => test.env = variables(&property.value),
            "WILL_FAIL" => test.will_fail = is_on(&property.value),
            "DISABLED" => test.disabled = is_on(&property.value),
            "TIMEOUT" => test.timeout = property.value.as_f64(),
            "SKIP_RETURN_CODE" => test.skip_code = property.value.as_i64(),
            name if SPECIAL.contains(&name) => test.special.push(property.name),
            _ => {}
        }
    }
    test
}

fn variables(value: &Value) -> Vec<(String, String)> {
    let list = value.as_array().map_or(&[][..], Vec::as_slice);
    let pairs = list.iter().filter_map(Value::as_str).filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// CMake's idea of truth.
fn is_on(value: &Value) -> bool {
    match value {
        Value::Bool(on) => *on,
        Value::String(text) => {
            matches!(text.to_ascii_uppercase().as_str(), "ON" | "TRUE" | "YES" | "1" | "Y")
        }
        Value::Number(number) => number.as_f64() != Some(0.0),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_is_read() {
        let tests = ctest_list(include_bytes!("samples/ctest.json"));
        let named = |name: &str| tests.iter().find(|test| test.name == name).unwrap();
        assert_eq!(tests.len(), 9);
        assert_eq!(named("good").command, ["/home/me/c/build/t", "0"]);
        assert_eq!(named("good").directory.as_deref(), Some("/home/me/c/build".as_ref()));
        assert_eq!(named("slow").timeout, Some(1.0));
        let wf = named("wf");
        assert!(wf.will_fail && !wf.disabled);
        assert_eq!(wf.command, ["/home/me/c/build/t", "1", "a b"]);
        assert_eq!(wf.env, [("A".to_owned(), "1".to_owned()), ("B".to_owned(), "2 3".to_owned())]);
        assert!(named("dis").disabled);
        assert_eq!(named("skip").skip_code, Some(77));
        assert!(named("missing").command.is_empty());
        assert_eq!(named("re").special, ["PASS_REGULAR_EXPRESSION"]);
    }

    #[test]
    fn what_is_no_listing_has_no_tests() {
        assert_eq!(ctest_list(b"No tests were found!!!"), []);
        assert_eq!(ctest_list(b"{\"tests\": [{}]}"), []);
    }
}
