//! XML, one step at a time, with the line it stands on.

use quick_xml::XmlVersion;
use quick_xml::events::BytesStart;
use quick_xml::events::Event;
use quick_xml::reader::Reader;

/// What comes next.
pub(super) enum XmlStep<'a> {
    Open(Tag),
    Text(&'a str),
    Close(&'a str),
}

/// An element's name and attributes.
pub(super) struct Tag {
    pub name: String,
    attributes: Vec<(String, String)>,
}

/// What is wrong, and on which line.
pub(super) struct XmlProblem {
    pub line: usize,
    pub problem: String,
}

impl Tag {
    fn new(tag: &BytesStart<'_>) -> Result<Self, String> {
        let mut attributes = Vec::new();
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| error.to_string())?;
            let value =
                attribute.normalized_value(XmlVersion::Explicit1_0).map_err(|error| error.to_string())?;
            attributes.push((attribute.key.local_name().as_ref().to_owned(), value.into_owned()));
        }
        Ok(Self { name: tag.local_name().as_ref().to_owned(), attributes })
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// An attribute that must be there.
    pub fn text(&self, name: &str) -> Result<&str, String> {
        let missing = || format!("<{}> has no {name}", self.name);
        self.get(name).ok_or_else(missing)
    }

    /// A number that must be there; more than fits counts as the largest that does.
    pub fn number(&self, name: &str) -> Result<u32, String> {
        let value = self.text(name)?;
        let number = value.parse::<u64>().ok();
        let number =
            number.ok_or_else(|| format!("{name}=\"{value}\" of <{}> is not a number", self.name))?;
        Ok(u32::try_from(number).unwrap_or(u32::MAX))
    }
}

/// Hands every step to `visit`, until it refuses one. An element that is not closed is a problem, too.
pub(super) fn walk(
    text: &str,
    mut visit: impl FnMut(XmlStep) -> Result<(), String>,
) -> Result<(), XmlProblem> {
    let mut reader = Reader::from_str(text);
    let mut lines = Lines { text, at: 0, line: 1 };
    let mut depth = 0usize;
    loop {
        let event = reader.read_event();
        let place = reader.buffer_position() as usize;
        let result = match event {
            Err(error) => {
                let line = lines.line(reader.error_position() as usize);
                return Err(XmlProblem { line, problem: format!("not XML: {error}") });
            }
            Ok(Event::Eof) if depth > 0 => Err("the XML ends inside an element".to_owned()),
            Ok(Event::Eof) => return Ok(()),
            Ok(event) => step(&event, &mut depth, &mut visit),
        };
        result.map_err(|problem| XmlProblem { line: lines.line(place), problem })?;
    }
}

fn step(
    event: &Event<'_>,
    depth: &mut usize,
    visit: &mut impl FnMut(XmlStep) -> Result<(), String>,
) -> Result<(), String> {
    match event {
        Event::Start(tag) => {
            *depth += 1;
            visit(XmlStep::Open(Tag::new(tag)?))
        }
        Event::Empty(tag) => {
            visit(XmlStep::Open(Tag::new(tag)?))?;
            visit(XmlStep::Close(tag.local_name().as_ref()))
        }
        Event::End(tag) => {
            *depth = depth.saturating_sub(1);
            visit(XmlStep::Close(tag.local_name().as_ref()))
        }
        Event::Text(text) => visit(XmlStep::Text(&text.xml10_content())),
        Event::CData(text) => visit(XmlStep::Text(&text.xml10_content())),
        Event::GeneralRef(name) => {
            let reference = format!("&{};", name.xml10_content());
            let text = quick_xml::escape::unescape(&reference).map_err(|error| error.to_string())?;
            visit(XmlStep::Text(&text))
        }
        _ => Ok(()),
    }
}

/// Turns ascending offsets into lines, reading the text once.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl Lines<'_> {
    fn line(&mut self, offset: usize) -> usize {
        let end = offset.clamp(self.at, self.text.len());
        self.line += memchr::memchr_iter(b'\n', &self.text.as_bytes()[self.at..end]).count();
        self.at = end;
        self.line
    }
}
