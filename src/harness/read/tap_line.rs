//! One line of TAP, told apart.

use std::sync::LazyLock;

use regex::Regex;

/// What a line says, indentation taken off.
#[derive(Debug, PartialEq)]
pub(super) enum TapLine<'a> {
    /// `ok 3 - name # SKIP why`
    Point(TapPoint),
    /// `# Subtest: name`
    Subtest(&'a str),
    /// `Bail out! why`
    Bail(&'a str),
    /// `---`, the beginning of a block about the point before.
    Open,
    /// `...`, its end.
    Close,
    /// A plan, a version, a comment, or what tests print.
    Other(&'a str),
}

/// A test point.
#[derive(Debug, PartialEq)]
pub(super) struct TapPoint {
    pub ok: bool,
    /// Its number in the plan, if it says one.
    pub number: Option<usize>,
    pub name: String,
    pub directive: Option<TapDirective>,
}

/// What follows the `#` of a test point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TapDirective {
    Skip,
    Todo,
}

static POINT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(not )?ok\b(?:\s+(\d+)\b)?(?:\s*-\s+|\s+|$)(.*)$").expect("it is correct")
});
static DIRECTIVE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)(?:^|[^\\])#\s*(skip|todo)\S*(?:\s.*)?$").expect("it is correct"));

/// How long a test took, as node-tap writes it behind the name.
static TOOK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\s*# time=[0-9.]+\s*[a-zµ]*$").expect("it is correct"));

/// Tells a line apart.
pub(super) fn line(text: &str) -> TapLine<'_> {
    match text {
        "---" => return TapLine::Open,
        "..." => return TapLine::Close,
        _ => {}
    }
    if let Some(name) = text.strip_prefix("# Subtest: ").or_else(|| text.strip_prefix("# Subtest:")) {
        return TapLine::Subtest(name);
    }
    match text.strip_prefix("Bail out!") {
        Some(why) => TapLine::Bail(why.trim()),
        None => point(text).map_or(TapLine::Other(text), TapLine::Point),
    }
}

fn point(text: &str) -> Option<TapPoint> {
    let parts = POINT.captures(text)?;
    let mut name = &parts[3];
    let mut directive = None;
    if let Some(found) = DIRECTIVE.captures(name) {
        let skip = found[1].eq_ignore_ascii_case("skip");
        directive = Some(if skip { TapDirective::Skip } else { TapDirective::Todo });
        let whole = found.get(0).expect("a match has a whole");
        name = &name[..whole.start() + name[whole.range()].find('#').unwrap_or(0)];
    }
    let name = name.trim().trim_end_matches('{').trim();
    let name = unescape(TOOK.find(name).map_or(name, |took| &name[..took.start()]));
    let number = parts.get(2).map_or("", |number| number.as_str());
    let name = if name.is_empty() { number.to_owned() } else { name };
    Some(TapPoint { ok: parts.get(1).is_none(), number: number.parse().ok(), name, directive })
}

/// The name as it was before `#` and `\` were escaped.
pub(super) fn unescape(name: &str) -> String {
    name.replace("\\#", "#").replace("\\\\", "\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name_of(text: &str) -> (bool, String, Option<TapDirective>) {
        match line(text) {
            TapLine::Point(point) => (point.ok, point.name, point.directive),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn points_are_told_apart() {
        assert_eq!(name_of("ok 1 - plain passes"), (true, "plain passes".into(), None));
        assert_eq!(name_of("not ok 2 - plain \\# hash"), (false, "plain # hash".into(), None));
        assert_eq!(
            name_of("ok 3 - skipped # SKIP later"),
            (true, "skipped".into(), Some(TapDirective::Skip))
        );
        assert_eq!(name_of("not ok 4 - todo # TODO"), (false, "todo".into(), Some(TapDirective::Todo)));
        assert_eq!(name_of("ok 5 # skip no tty"), (true, "5".into(), Some(TapDirective::Skip)));
        assert_eq!(name_of("ok"), (true, String::new(), None));
        assert_eq!(name_of("ok 7"), (true, "7".into(), None));
        assert_eq!(name_of("not ok 8 issue #12 again"), (false, "issue #12 again".into(), None));
        assert_eq!(name_of("ok 1 - a # time=19.634ms"), (true, "a".into(), None));
        assert_eq!(name_of("ok 2 - b # time=1m {"), (true, "b".into(), None));
        assert_eq!(name_of("ok 9 - group {"), (true, "group".into(), None));
    }

    #[test]
    fn other_lines_are_told_apart() {
        assert_eq!(line("# Subtest: deep"), TapLine::Subtest("deep"));
        assert_eq!(line("Bail out! No database."), TapLine::Bail("No database."));
        assert_eq!(line("okay, then"), TapLine::Other("okay, then"));
        assert_eq!(line("1..4"), TapLine::Other("1..4"));
    }
}
