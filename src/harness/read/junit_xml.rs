//! JUnit XML: Surefire, Gradle, pytest, nextest, CTest, node, and many others.

use quick_xml::XmlVersion;
use quick_xml::events::BytesStart;
use quick_xml::events::Event;
use quick_xml::reader::Reader;

use crate::exec::Verdict;

use super::Reading;
use super::Seen;
use super::lines::millis;
use super::seen::Collected;

/// Reads `testcase` elements wherever they stand. A test is named `classname#name`, or by its name alone where
/// the class says nothing more. A report that breaks off gives what was there, and says so.
pub fn junit_xml(bytes: &[u8]) -> Reading {
    let text = String::from_utf8_lossy(bytes);
    let mut reader = Reader::from_str(&text);
    reader.config_mut().allow_dangling_amp = true;
    let mut run = Run::default();
    let broken = loop {
        match reader.read_event() {
            Ok(Event::Eof) => break run.case.as_ref().map(|case| format!("it ends inside {:?}", case.name)),
            Ok(event) => run.event(&event),
            Err(error) => break Some(format!("at byte {}: {error}", reader.error_position())),
        }
    };
    let broken = broken.map(|problem| format!("the XML is incomplete: {problem}"));
    Reading { seen: run.collected.into_seen(), skipped: run.skipped, unfinished: None, broken }
}

#[derive(Default)]
struct Run {
    collected: Collected,
    skipped: usize,
    case: Option<Case>,
}

/// A `testcase` that is being read.
struct Case {
    name: String,
    millis: Option<f64>,
    skipped: bool,
    verdict: Verdict,
    message: String,
    /// Inside `failure` or `error`: its text counts.
    events: bool,
}

impl Run {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Start(tag) => self.open(tag),
            Event::Empty(tag) => {
                self.open(tag);
                self.close(tag.local_name().as_ref());
            }
            Event::End(tag) => self.close(tag.local_name().as_ref()),
            Event::Text(text) => self.text(&text.xml10_content()),
            Event::CData(text) => self.text(&text.xml10_content()),
            Event::GeneralRef(name) => {
                let reference = format!("&{};", name.xml10_content());
                let text = quick_xml::escape::unescape(&reference).unwrap_or_default().into_owned();
                self.text(&text);
            }
            _ => {}
        }
    }

    fn open(&mut self, tag: &BytesStart<'_>) {
        let name = tag.local_name();
        match (name.as_ref(), &mut self.case) {
            ("testcase", _) => self.case = Some(Case::new(tag)),
            ("skipped", Some(case)) => case.skipped = true,
            ("failure" | "error", Some(case)) => case.fails(tag),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(case) = self.case.as_mut().filter(|case| case.events) {
            case.message.push_str(text);
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "failure" | "error" => {
                if let Some(case) = &mut self.case {
                    case.events = false;
                }
            }
            "testcase" => match self.case.take() {
                Some(case) if case.skipped => self.skipped += 1,
                Some(case) => self.collected.add(case.seen()),
                None => {}
            },
            _ => {}
        }
    }
}

impl Case {
    fn new(tag: &BytesStart<'_>) -> Self {
        let name = attribute(tag, "name").unwrap_or_default();
        let class = attribute(tag, "classname").or_else(|| attribute(tag, "class")).unwrap_or_default();
        let status = attribute(tag, "status").unwrap_or_default();
        Self {
            millis: attribute(tag, "time").and_then(|time| millis(&time)),
            skipped: matches!(status.as_str(), "notrun" | "disabled" | "skipped"),
            name: if class.is_empty() || class == name { name } else { format!("{class}#{name}") },
            verdict: Verdict::Pass,
            message: String::new(),
            events: false,
        }
    }

    fn fails(&mut self, tag: &BytesStart<'_>) {
        let kind = attribute(tag, "type").unwrap_or_default();
        let message = attribute(tag, "message").unwrap_or_default();
        self.verdict = self.verdict.max(verdict(&kind, &message));
        for part in [kind, message] {
            if !part.is_empty() {
                self.message.push_str(&part);
                self.message.push('\n');
            }
        }
        self.events = true;
    }

    fn seen(self) -> Seen {
        let message = self.message.trim().to_owned();
        Seen { name: self.name, verdict: self.verdict, millis: self.millis, message }
    }
}

/// What a failure of this type is: most are said plainly, some frameworks say more.
fn verdict(kind: &str, message: &str) -> Verdict {
    let kind = kind.to_ascii_lowercase();
    if kind.contains("timedout") || kind.contains("timeout") || message.starts_with("Failed: Timeout") {
        Verdict::TimeOut
    } else if kind.contains("test abort") || message.contains("The forked VM terminated") {
        Verdict::Crash
    } else {
        Verdict::Fail
    }
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = tag.attributes().with_checks(false).flatten().find(|found| found.key.as_ref() == name)?;
    let value = found.normalized_value(XmlVersion::Implicit1_0);
    Some(value.map_or_else(|_| found.value.to_string(), |value| value.into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brief(reading: &Reading) -> Vec<(&str, Verdict)> {
        reading.seen.iter().map(|seen| (seen.name.as_str(), seen.verdict)).collect()
    }

    #[test]
    fn a_bare_suite_of_surefire_is_read() {
        let reading = junit_xml(include_bytes!("samples/surefire.xml"));
        assert_eq!(
            brief(&reading),
            [
                ("com.acme.StackTest#pops", Verdict::Pass),
                ("com.acme.StackTest#pushes", Verdict::Fail),
                ("com.acme.StackTest#overflows", Verdict::Fail),
                ("com.acme.StackTest#waits", Verdict::TimeOut),
            ]
        );
        assert_eq!((reading.skipped, reading.broken), (1, None));
        assert_eq!(reading.seen[1].millis, Some(12.0));
        let message = &reading.seen[1].message;
        assert!(message.starts_with("java.lang.AssertionError\nexpected:<1> but was:<2>"), "{message}");
        assert!(message.contains("at com.acme.StackTest.pushes(StackTest.java:17)"), "{message}");
    }

    #[test]
    fn what_pytest_writes_is_read() {
        let reading = junit_xml(include_bytes!("samples/pytest.xml"));
        assert_eq!(reading.seen.len(), 9);
        assert_eq!(reading.skipped, 2);
        assert_eq!(reading.verdict("tests.test_a#test_param[x - y]"), Some(Verdict::Fail));
        assert_eq!(reading.verdict("tests.test_a#test_td"), Some(Verdict::Fail));
        assert!(reading.seen[1].message.contains(">   def test_fail(): assert 1 == 2, \"no - dash\""));
    }

    #[test]
    fn nested_suites_and_cases_without_a_class_are_read() {
        let text = b"<testsuites><testsuite name='a'><testsuite name='b'><testcase name='x' classname='x'/>\
            <testcase name='y' status='disabled'/></testsuite></testsuite><testcase name='z &amp; &lt;'/></testsuites>";
        let reading = junit_xml(text);
        assert_eq!(brief(&reading), [("x", Verdict::Pass), ("z & <", Verdict::Pass)]);
        assert_eq!(reading.skipped, 1);
    }

    #[test]
    fn a_report_that_breaks_off_gives_what_was_there() {
        let reading = junit_xml(b"<testsuite><testcase name='a'/><testcase name='b'><failure>oh");
        assert_eq!(brief(&reading), [("a", Verdict::Pass)]);
        assert!(reading.broken.is_some());
    }
}
