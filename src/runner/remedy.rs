//! Finds the cause and the remedy in an interpreter's message when tests cannot be loaded.

use std::sync::LazyLock;

use regex::Regex;

/// What is printed, and what helps; `$1` is what was found.
const REMEDIES: [(&str, &str); 18] = [
    (
        r"release version (\d+) not supported|invalid target release: (\d+)",
        "the project needs JDK $1$2, but another one is used: set JAVA_HOME to one that can build it (`env` in \
         [build])",
    ),
    (
        r"Source option (\d+) is no longer supported\. Use (\d+) or later",
        "the project is for Java $1, and this JDK compiles Java $2 or later: set JAVA_HOME to an older one (`env` in [build])",
    ),
    (
        r"Detected JDK version (\S+) \(JAVA_HOME=(\S+)\) is not in the allowed range ([^.]*?)\.?\n",
        "the project needs a JDK in $3, but $2 is $1: set JAVA_HOME to a matching one (`env` in [build])",
    ),
    (
        r"No module named '?pytest'?\b",
        "pytest is not installed for this Python: `python3 -m pip install pytest`, or `wildcaught init --install`",
    ),
    (
        r"No module named '([A-Za-z0-9_]+)",
        "Python cannot find $1: install the project and what its tests need (`python3 -m pip install -e .`, `pip \
         install $1`), or run `wildcaught init --install`",
    ),
    (
        r"unrecognized arguments: ([^\n]+)",
        "pytest does not know $1: a plugin in the project's settings is not installed; install the test \
         dependencies, or run `wildcaught init --install`",
    ),
    (
        r"Missing required plugins: ([^\n]+)",
        "install $1 (`python3 -m pip install`), or run `wildcaught init --install`",
    ),
    (
        r"requires? (?:pytest|Python|python)[-a-z]*\s*([<>=!~ 0-9.]+)",
        "a different version is needed ($1): use a virtual environment, or run `wildcaught init --install`",
    ),
    (
        r"Cannot find (?:module|package) '([^']+)'",
        "node cannot find $1: install the dependencies (`npm ci`, or as its lock file says), or run `wildcaught \
         init --install`; if it is a file of the project, build it first (command in [build])",
    ),
    (
        r"Failed to (?:resolve|load) (?:entry for package|import|url) .?([^\s]+)",
        "$1 does not exist: install or build it (command in [build])",
    ),
    (
        r"cannot load such file -- (\S+)",
        "Ruby cannot find $1: install what the project needs (`bundle install`, `gem install $1`)",
    ),
    (
        r"Could not find gem '([^'\n]+)'|Could not find (\S+) in (?:any|locally)",
        "Bundler cannot find the gem $1$2: run `bundle install` here",
    ),
    (
        r#"vendor/(?:autoload\.php|bin/phpunit)\S*(?: \(.*\))?: (?:No such file|not found)|Cannot open (?:bootstrap script|file) "[^"\n]*vendor/"#,
        "what composer.json depends on is not installed: run `composer install` here",
    ),
    (
        r"module '([^'\n]+)' not found:",
        "Lua cannot find $1: install it (`luarocks install $1`), or set LUA_PATH (`env` in [tests])",
    ),
    (
        r"Could not open input file: (\S+)",
        "$1 does not exist: install or build it first (command in [build])",
    ),
    (
        r"(?m)^(?:\S*sh: )?(?:line )?(?:\d+: )?([\w./+-]+): (?:command not found|not found)$",
        "the program $1 is not installed, or not on PATH",
    ),
    (r"(?s)jest-environment-(\w+) cannot be found", "install jest-environment-$1"),
    (r"(?i)unsupported engine|requires node[^\n]*?([<>=]*\s*v?\d[0-9.]*)", "use node $1"),
];

/// A line that says what went wrong: `NameError`, `error:`, `Exception in`.
static ERROR: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b\w*(?:error|exception)\b|cannot (?:find|open|load)").expect("it is correct")
});

static COMPILED: LazyLock<Vec<(Regex, &'static str)>> = LazyLock::new(|| {
    let compiled = REMEDIES.iter().map(|(pattern, remedy)| (Regex::new(pattern), *remedy));
    compiled.map(|(pattern, remedy)| (pattern.expect("it is tested"), remedy)).collect()
});

/// The end of what was said, and what helps, where that is known.
pub fn explained(said: &str) -> String {
    const LINES: usize = 6;
    let lines: Vec<&str> = said.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let last = lines.len().saturating_sub(LINES);
    // A stack trace that follows the error pushes it out of sight.
    let error = lines[..last].iter().rposition(|line| ERROR.is_match(line));
    let shown = error.map(|at| lines[at]).into_iter().chain(lines[last..].iter().copied());
    let shown = shown.collect::<Vec<_>>().join("\n");
    match remedy(said) {
        Some(remedy) => format!("{remedy}\n{shown}"),
        None => shown,
    }
}

/// What helps.
pub fn remedy(said: &str) -> Option<String> {
    let found = COMPILED.iter().find_map(|(pattern, remedy)| Some((pattern.captures(said)?, remedy)));
    found.map(|(found, remedy)| {
        let mut text = String::new();
        found.expand(remedy, &mut text);
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_with_a_command() {
        for (said, expected) in [
            ("No module named 'pytest' (/usr/bin/python3)", "pytest is not installed"),
            ("E   ModuleNotFoundError: No module named 'freezegun'", "Python cannot find freezegun"),
            ("ERROR: unrecognized arguments: --cov=x", "does not know --cov=x"),
            ("Error: Cannot find module 'mocha'\nRequire stack:", "node cannot find mocha"),
            (
                "kernel_require.rb:85:in `require': cannot load such file -- simplecov (LoadError)",
                "bundle install",
            ),
            (
                "in `start': Could not find gem 'mocha (~> 2.1.0)' in locally installed gems.",
                "bundle install",
            ),
            ("sh: 1: vendor/bin/phpunit: not found", "composer install"),
            (
                "lua: spec/x.lua:1: module 'busted.runner' not found:\n\tno field",
                "luarocks install busted.runner",
            ),
            ("/bin/sh: 1: busted: not found", "the program busted is not installed"),
        ] {
            assert!(remedy(said).unwrap().contains(expected), "{said}");
        }
        assert_eq!(remedy("AssertionError: 1 != 2"), None);
    }
}
