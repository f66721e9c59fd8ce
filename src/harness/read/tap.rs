//! The Test Anything Protocol, versions 12 to 14, subtests included.

use crate::exec::Verdict;

use super::Reading;
use super::Seen;
use super::lines::lines;
use super::seen::Collected;
use super::tap_line::TapDirective;
use super::tap_line::TapLine;
use super::tap_line::TapPoint;
use super::tap_line::line;
use super::tap_line::unescape;

/// What joins the names of a subtest and its parents.
const JOINT: &str = " > ";

/// Reads test points. A subtest is named `parent > child`; a parent is not a test of its own when its subtests
/// are, unless it alone failed. `# SKIP` and a failing `# TODO` are counted as skipped.
pub fn tap(bytes: &[u8]) -> Reading {
    let mut run = Run::default();
    for text in lines(bytes) {
        run.line(&text);
    }
    run.end()
}

#[derive(Default)]
struct Run {
    /// Points that may yet turn out to be subtests, in the order they came.
    points: Vec<Told>,
    /// Names announced by `# Subtest:`, with their depths.
    announced: Vec<(usize, String)>,
    /// The text of a block, while inside one.
    block: Option<String>,
    /// How many points of the outermost level were promised, if that was said, and how many came.
    promised: Option<usize>,
    came: usize,
    /// What no single program that reports by the rules would print.
    contradiction: Option<String>,
    broken: Option<String>,
}

/// A test point; no verdict if it was skipped.
struct Told {
    depth: usize,
    seen: Option<Seen>,
    name: String,
    /// Whether what follows is about this point, and not about its parent.
    last: bool,
}

impl Run {
    fn line(&mut self, text: &str) {
        let inner = text.trim_start_matches([' ', '\t']);
        let depth = text.len() - inner.len();
        let said = line(inner);
        match (&mut self.block, said) {
            (Some(_), TapLine::Close) => self.close(),
            (Some(block), _) => *block = format!("{block}{inner}\n"),
            (None, TapLine::Open) => self.block = Some(String::new()),
            (None, TapLine::Close) => {}
            (None, TapLine::Point(point)) => self.point(depth, point),
            (None, TapLine::Subtest(name)) => self.announce(depth, name),
            (None, TapLine::Bail(why)) => self.broken = Some(format!("bail out: {why}")),
            (None, TapLine::Other(other)) if depth == 0 => self.other(other),
            (None, TapLine::Other(_)) => {}
        }
    }

    fn announce(&mut self, depth: usize, name: &str) {
        self.announced.retain(|(other, _)| *other < depth);
        self.announced.push((depth, unescape(name)));
    }

    /// A plan, or a comment about the point before.
    fn other(&mut self, text: &str) {
        if let Some(count) = text.strip_prefix("1..") {
            let digits = count.split(|c: char| !c.is_ascii_digit()).next().unwrap_or("");
            if self.promised.is_some() {
                self.contradict(|| "there are two plans".to_owned());
            }
            self.promised = Some(digits.parse().unwrap_or(0));
        } else if let Some(comment) = text.strip_prefix('#') {
            self.note(|seen| seen.message = format!("{}{}\n", seen.message, comment.trim()));
        }
    }

    fn point(&mut self, depth: usize, point: TapPoint) {
        self.came += usize::from(depth == 0);
        let (came, number) = (self.came, point.number.unwrap_or(self.came));
        if depth == 0 && number != came {
            self.contradict(|| format!("test {number} is reported where number {came} should be"));
        }
        let first = self.points.iter().rposition(|told| told.depth <= depth).map_or(0, |place| place + 1);
        let children = &mut self.points[first..];
        let parent = !children.is_empty();
        let failing_child =
            children.iter().any(|told| told.seen.as_ref().is_some_and(|seen| seen.verdict == Verdict::Fail));
        for child in children {
            child.depth = depth;
            child.name = format!("{}{JOINT}{}", point.name, child.name);
            child.last = false;
        }
        let own_failure = !point.ok && point.directive.is_none() && !failing_child;
        if !parent || own_failure {
            self.points.push(told(depth, point));
        } else if let Some(last) = self.points.last_mut() {
            last.last = false;
        }
    }

    fn contradict(&mut self, what: impl FnOnce() -> String) {
        self.contradiction.get_or_insert_with(what);
    }

    /// Changes the point before, if it failed or took time.
    fn note(&mut self, change: impl FnOnce(&mut Seen)) {
        let last = self.points.last_mut().filter(|told| told.last).and_then(|told| told.seen.as_mut());
        if let Some(seen) = last {
            change(seen);
        }
    }

    fn close(&mut self) {
        let block = self.block.take().unwrap_or_default();
        let time = block.lines().find_map(|line| line.strip_prefix("duration_ms:")?.trim().parse().ok());
        self.note(|seen| {
            seen.millis = time.filter(|time: &f64| time.is_finite() && *time >= 0.0);
            if seen.verdict == Verdict::Fail {
                seen.message.push_str(&block);
            }
        });
    }

    /// Names the points whose parents never reported, and counts.
    fn end(self) -> Reading {
        let (mut collected, mut skipped) = (Collected::default(), 0);
        for told in self.points {
            let parents = self.announced.iter().filter(|(depth, _)| *depth < told.depth);
            let mut name: String = parents.map(|(_, name)| format!("{name}{JOINT}")).collect();
            name.push_str(&told.name);
            match told.seen {
                Some(seen) => collected.add(Seen { name, message: message(&seen), ..seen }),
                None => skipped += 1,
            }
        }
        let planned = self.promised.unwrap_or(self.came);
        let gone = planned.saturating_sub(self.came);
        let missing = (gone > 0).then(|| format!("{gone} of {planned} planned tests reported no result"));
        let more = self.came.saturating_sub(planned);
        let more =
            (more > 0).then(|| format!("{more} tests reported in addition to the {planned} planned ones"));
        let broken = self.broken.or(missing).or(self.contradiction).or(more);
        Reading { seen: collected.into_seen(), skipped, unfinished: None, broken }
    }
}

/// What is worth keeping of a message: nothing if the test passed.
fn message(seen: &Seen) -> String {
    if seen.verdict == Verdict::Pass { String::new() } else { seen.message.trim().to_owned() }
}

fn told(depth: usize, point: TapPoint) -> Told {
    let verdict = match (point.ok, point.directive) {
        (_, Some(TapDirective::Skip)) | (false, Some(TapDirective::Todo)) => None,
        (true, _) => Some(Verdict::Pass),
        (false, None) => Some(Verdict::Fail),
    };
    let seen = verdict.map(|verdict| Seen::new(point.name.clone(), verdict));
    Told { depth, seen, name: point.name, last: true }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brief(reading: &Reading) -> Vec<(&str, Verdict)> {
        reading.seen.iter().map(|seen| (seen.name.as_str(), seen.verdict)).collect()
    }

    #[test]
    fn what_node_prints_is_read() {
        let reading = tap(include_bytes!("samples/node.tap"));
        assert_eq!(
            brief(&reading),
            [
                ("plain passes", Verdict::Pass),
                ("plain # hash", Verdict::Fail),
                ("group > inner", Verdict::Pass),
                ("group > inner bad", Verdict::Fail),
                ("group > deep > leaf", Verdict::Pass),
            ]
        );
        assert_eq!((reading.skipped, reading.broken), (2, None));
        assert_eq!(reading.seen[0].millis, Some(1.665_189));
        assert!(reading.seen[1].message.contains("error: '1 == 2'"), "{}", reading.seen[1].message);
        assert!(reading.seen[3].message.contains("error: 'bad'"), "{}", reading.seen[3].message);
    }

    #[test]
    fn what_perl_prints_is_read() {
        let text =
            b"1..4\nok 1 - a\nnot ok 2 - b\n#   Failed test 'b'\n#   at t.pl line 3.\nok 3 # skip no tty\n";
        let reading = tap(text);
        assert_eq!(brief(&reading), [("a", Verdict::Pass), ("b", Verdict::Fail)]);
        assert_eq!(reading.seen[1].message, "Failed test 'b'\nat t.pl line 3.");
        assert_eq!(reading.skipped, 1);
        assert_eq!(reading.broken.as_deref(), Some("1 of 4 planned tests reported no result"));
    }

    #[test]
    fn a_bail_out_says_why() {
        assert_eq!(tap(b"ok 1\nBail out! No database\n").broken.as_deref(), Some("bail out: No database"));
    }

    #[test]
    fn a_parent_that_failed_alone_is_a_test() {
        let reading = tap(b"    ok 1 - child\nnot ok 1 - hooks\n");
        assert_eq!(brief(&reading), [("hooks > child", Verdict::Pass), ("hooks", Verdict::Fail)]);
    }

    #[test]
    fn subtests_of_a_run_that_broke_off_have_their_names() {
        let text = b"# Subtest: group\n    # Subtest: inner\n    ok 1 - inner\n    # Subtest: deep\n        ok 1 - leaf\n";
        let reading = tap(text);
        assert_eq!(
            brief(&reading),
            [("group > inner", Verdict::Pass), ("group > deep > leaf", Verdict::Pass)]
        );
    }

    #[test]
    fn a_report_that_contradicts_itself_is_broken() {
        let broken = |text: &str| tap(text.as_bytes()).broken;
        assert_eq!(broken("1..2\nok 1 - a\nok 2 - b\n"), None);
        assert_eq!(broken("ok\nok\n1..2\n"), None);
        assert_eq!(broken("1..0 # SKIP\n"), None);
        assert_eq!(broken("1..1\n    1..2\n    ok 1 - x\n    ok 2 - y\nok 1 - a\n"), None);
        let forged = broken("ok 1 - a\nok 2 - b\n1..2\nok 1 - a\nnot ok 2 - b\n1..2\n");
        assert_eq!(forged.as_deref(), Some("test 1 is reported where number 3 should be"));
        assert_eq!(broken("1..1\nok 1 - a\n1..1\n").as_deref(), Some("there are two plans"));
        let more = broken("1..1\nok - a\nok - b\n");
        assert_eq!(more.as_deref(), Some("1 tests reported in addition to the 1 planned ones"));
    }
}
