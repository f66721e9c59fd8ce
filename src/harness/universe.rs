//! Cases that are calls: a file with a line for each.
//!
//! In: text. Out: for each line that is neither blank nor a comment (`#`), a name, variables, and what stands behind
//! the program: arguments, and `< FILE` for standard input. `NAME:` in front names a case; else its line is its name.

use std::sync::LazyLock;

use regex::Regex;

/// One call of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub name: String,
    pub env: Vec<(String, String)>,
    /// What stands behind the program, as in a shell.
    pub arguments: String,
}

static NAME: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^([A-Za-z0-9_.-]+):\s+").expect("the expression is a constant"));
static VARIABLE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"^([A-Za-z_][A-Za-z0-9_]*)=(?:'([^']*)'|"([^"$`\\]*)"|([^\s'"$`\\]*))(?:\s+|$)"#)
        .expect("the expression is a constant")
});

/// Reads the calls of a file. An error says which line, and why.
pub fn universe(text: &str) -> Result<Vec<Call>, String> {
    let mut calls: Vec<Call> = Vec::new();
    let mut names = std::collections::BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let call = call(line);
        if let Some(first) = names.insert(call.name.clone(), number) {
            return Err(format!(
                "line {number} has the same name as line {first}; begin it with another name and a colon"
            ));
        }
        calls.push(call);
    }
    if calls.is_empty() {
        Err("it has no cases; write the arguments of one case per line".into())
    } else {
        Ok(calls)
    }
}

fn call(line: &str) -> Call {
    let named = NAME.captures(line);
    let (name, mut rest) = match &named {
        Some(found) => (found[1].to_owned(), &line[found[0].len()..]),
        None => (line.to_owned(), line),
    };
    let mut env = Vec::new();
    while let Some(found) = VARIABLE.captures(rest) {
        let value = (2..=4).find_map(|group| found.get(group)).map_or("", |value| value.as_str());
        env.push((found[1].to_owned(), value.to_owned()));
        rest = &rest[found[0].len()..];
    }
    Call { name, env, arguments: rest.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_call_with_its_variables() {
        let text = "# calls\n-a 'b c' < in/1.txt\n\nempty: LANG=C TZ='a b' N=\"\" \nlast: -x A=1\n";
        let calls = universe(text).unwrap();
        let brief: Vec<(&str, usize, &str)> =
            calls.iter().map(|call| (call.name.as_str(), call.env.len(), call.arguments.as_str())).collect();
        assert_eq!(
            brief,
            [("-a 'b c' < in/1.txt", 0, "-a 'b c' < in/1.txt"), ("empty", 3, ""), ("last", 0, "-x A=1")]
        );
        assert_eq!(calls[1].env[1], ("TZ".to_owned(), "a b".to_owned()));
    }

    #[test]
    fn names_are_those_of_one_case() {
        assert_eq!(
            universe("a: 1\nb: 2\na: 3\n").unwrap_err().split(';').next(),
            Some("line 3 has the same name as line 1")
        );
        assert!(universe("# none\n").unwrap_err().contains("no case"));
    }
}
