//! Which target of a makefile runs tests, and which only builds a program that would.

use regex::Regex;

/// Names of targets by which people run tests, best first.
const USUAL: [&str; 10] = [
    "check",
    "test",
    "tests",
    "runtests",
    "run-tests",
    "run_tests",
    "runtest",
    "unittest",
    "unittests",
    "unit-tests",
];
/// How far prerequisites are followed.
const DEPTH: usize = 6;

/// How a makefile has its tests run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MakeTests {
    pub build: String,
    pub command: String,
}

/// One rule.
struct Rule {
    targets: Vec<String>,
    needs: Vec<String>,
    recipe: Vec<String>,
}

/// The tests of a makefile: a target that runs something, else a program that is built and called after tests.
pub(super) fn make_tests(text: &str) -> Option<MakeTests> {
    let rules = rules(text);
    let named = |name: &str| rules.iter().find(|rule| rule.targets.iter().any(|target| target == name));
    let usual = USUAL.iter().filter_map(|name| Some((*name, named(name)?)));
    if let Some((name, _)) = usual.clone().find(|(_, rule)| runs(rule, &rules, 0)) {
        return Some(MakeTests { build: "make -k".into(), command: format!("make {name}") });
    }
    // What is built under such a name is not run by anybody yet.
    let called = Regex::new(r"^(.*[-_/])?((unit)?tests?|check)([-_].*)?$").expect("it is correct");
    let program = |rule: &Rule| {
        let target = rule.targets.iter().find(|target| called.is_match(target) && !target.ends_with(".o"))?;
        rule.recipe.iter().any(|line| compiles(line)).then(|| target.clone())
    };
    let program = usual.map(|(_, rule)| rule).chain(&rules).find_map(program)?;
    Some(MakeTests { build: format!("make -k {program}"), command: format!("./{program}") })
}

/// The rules of a makefile whose names are plain. Lines that end in a backslash go on.
fn rules(text: &str) -> Vec<Rule> {
    let text = text.replace("\\\n", " ");
    let head = Regex::new(r"^([^\s:=#][^:=#]*?)\s*::?(?:[^=:](.*))?$").expect("it is correct");
    let mut rules: Vec<Rule> = Vec::new();
    for line in text.lines() {
        if let Some(recipe) = line.strip_prefix('\t') {
            rules.last_mut().into_iter().for_each(|rule| rule.recipe.push(recipe.trim().to_owned()));
        } else if let Some(found) = head.captures(line) {
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
            let rest = found.get(2).map_or("", |rest| rest.as_str());
            let (needs, first) =
                rest.split_once(';').map_or((rest, None), |(needs, first)| (needs, Some(first)));
            let recipe = first.into_iter().map(|line| line.trim().to_owned()).collect();
            rules.push(Rule { targets: words(&found[1]), needs: words(needs), recipe });
        }
    }
    rules
}

/// Whether a rule starts anything but a compiler, itself or by what it needs. What cannot be seen may.
fn runs(rule: &Rule, rules: &[Rule], depth: usize) -> bool {
    let own = rule.recipe.iter().any(|line| starts_something(line));
    let needs = |name: &String| {
        name.contains('$')
            || rules
                .iter()
                .filter(|rule| rule.targets.contains(name))
                .any(|rule| runs(rule, rules, depth + 1))
    };
    // Every makefile has some way to say `all`, which builds.
    own || (depth < DEPTH && rule.needs.iter().filter(|name| *name != "all").any(needs))
}

/// Whether a line of a recipe starts a program that is no part of a build.
fn starts_something(line: &str) -> bool {
    const BUILDS: [&str; 14] = [
        "echo", "mkdir", "rm", "cp", "mv", "touch", "ar", "ranlib", "ln", "chmod", "printf", "install",
        "libtool", ":",
    ];
    let line = line.trim_start_matches(['@', '-', '+']).trim();
    let first = line.split_whitespace().next().unwrap_or("");
    !(first.is_empty() || first.starts_with('#') || compiles(line) || BUILDS.contains(&first))
}

/// Whether a line of a recipe calls a compiler.
fn compiles(line: &str) -> bool {
    const COMPILERS: [&str; 10] =
        ["cc", "gcc", "clang", "c++", "g++", "clang++", "c99", "tcc", "ld", "musl-gcc"];
    let line = line.trim_start_matches(['@', '-', '+']).trim();
    let first = line.split_whitespace().next().unwrap_or("");
    let variable = first.trim_start_matches(['$', '(', '{']).trim_end_matches([')', '}']).to_uppercase();
    let named = first.starts_with('$')
        && ["CC", "CXX", "LINK", "LD", "COMPILE", "LINKER", "HOSTCC", "AR"]
            .iter()
            .any(|name| variable.ends_with(name));
    named || COMPILERS.contains(&first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<(String, String)> {
        make_tests(text).map(|tests| (tests.build, tests.command))
    }

    fn make(target: &str) -> Option<(String, String)> {
        Some(("make -k".to_owned(), format!("make {target}")))
    }

    #[test]
    fn a_target_that_only_builds_does_not_run_tests() {
        let built =
            "CFLAGS = -g\n\ntest : test.c lib.h\n\t$(CC) $(CFLAGS) -o $@ test.c\n\nrun : test\n\t./test -a\n";
        assert_eq!(of(built), Some(("make -k test".to_owned(), "./test".to_owned())));
        let all =
            "all: lib-test\n\nlib-test: lib.c\n\t$(CC) -o lib-test lib.c\n\t@echo \"Type ./lib-test\"\n";
        assert_eq!(of(all), Some(("make -k lib-test".to_owned(), "./lib-test".to_owned())));
    }

    #[test]
    fn a_program_that_checks_something_is_run() {
        let check = "check: check-lib\n\t@echo built\ncheck-lib: c.o\n\t$(CC) -o $@ c.o\n";
        assert_eq!(of(check), Some(("make -k check-lib".to_owned(), "./check-lib".to_owned())));
    }

    #[test]
    fn a_target_that_starts_a_program_does() {
        assert_eq!(of("test: prog\n\t./prog --self-test\n"), make("test"));
        assert_eq!(of("check: unit\nunit: t.c\n\t@$(CC) t.c -o t\n\t./t\n"), make("check"));
        assert_eq!(of("tests:\n\t$(MAKE) -C tests run\n"), make("tests"));
        assert_eq!(of("test: $(RESULTS)\n"), make("test"), "who knows");
        assert_eq!(of("CHECK := 1\ncheck ?= 2\nall: prog\nprog: p.c\n\tcc -o prog p.c\n"), None);
        assert_eq!(
            of("test: all\nall: prog\nprog: p.c\n\tcc -o prog p.c\n"),
            None,
            "it builds all, and ends"
        );
    }

    #[test]
    fn the_usual_names_go_before_others() {
        assert_eq!(of("test:\n\t./a\ncheck:\n\t./b\n"), make("check"));
    }
}
