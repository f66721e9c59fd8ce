//! Options by which a build of CMake or Meson is told to build its tests.

use regex::Regex;

use super::tree::Tree;

/// Flags for the command that configures a build, each with a blank before it.
pub(super) fn test_options(tree: &Tree, preset: &str) -> String {
    if preset == "meson" { meson(tree) } else { cmake(tree) }
}

/// `option(ACME_BUILD_TESTS … OFF)`, and what only `if(ENABLE_TESTS)` mentions.
fn cmake(tree: &Tree) -> String {
    let option = regex(r"(?mi)^\s*option\s*\(\s*(\w+)");
    let asked = regex(r"(?mi)^\s*if\s*\(\s*(\w*(?:BUILD|ENABLE|WITH|RUN|UNIT)\w*)\s*\)");
    let text = tree.text("CMakeLists.txt");
    let found = option.captures_iter(&text).chain(asked.captures_iter(&text));
    let mut flags: Vec<String> = Vec::new();
    for name in found.map(|found| found[1].to_owned()) {
        let flag = format!(" -D{name}=ON");
        if name != "BUILD_TESTING" && switches_on(&name) && !flags.contains(&flag) {
            flags.push(flag);
        }
    }
    flags.concat()
}

/// `option('tests', type: 'boolean', value: false)`, and features.
fn meson(tree: &Tree) -> String {
    let option = regex(r"(?is)\boption\s*\(\s*'([\w-]+)'[^)]*?\btype\s*:\s*'(boolean|feature)'[^)]*\)");
    let text = ["meson_options.txt", "meson.options"].map(|name| tree.text(name)).concat();
    let found = option.captures_iter(&text).filter(|found| switches_on(&found[1].replace('-', "_")));
    found
        .map(|found| {
            let on = if found[2].eq_ignore_ascii_case("feature") { "enabled" } else { "true" };
            format!(" -D{}={on}", &found[1])
        })
        .collect()
}

/// Whether an option switches tests on by its name, but not `DISABLE_TESTS`, nor tests of parts that need more
/// (`ENABLE_SSL_TESTS`).
fn switches_on(name: &str) -> bool {
    let wanted = regex(r"(?i)^(\w+_)?((BUILD|ENABLE|WITH|RUN|UNIT)_?)*(UNIT_?)?TEST(S|ING)?$");
    let refused = regex(r"(?i)(^|_)(DISABLE|NO|SKIP|WITHOUT|INSTALL|FUZZ|PERF|BENCH|FAIL)[A-Z]*_");
    let part = regex(r"(?i)^(ENABLE|WITH|RUN)_\w+_TESTS?$");
    let unit = regex(r"(?i)^(ENABLE|WITH|RUN)_UNIT_?TESTS?$");
    wanted.is_match(name) && !refused.is_match(name) && (!part.is_match(name) || unit.is_match(name))
}

fn regex(text: &str) -> Regex {
    Regex::new(text).expect("it is correct")
}
