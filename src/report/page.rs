//! A page to be looked at in a browser.
//!
//! In: headings, tables, pictures, diffs, one after the other. Out: one self-contained HTML text, on light and on
//! dark paper, that needs nothing from elsewhere and runs nothing.

use std::fmt::Write;

use super::svg::escape;
use super::table::Align;
use super::table::Table;

/// The look of all pages.
pub(super) const STYLE: &str = include_str!("base.css");

/// How much of a marked line's background is the colour of marks, in percent: the weakest and the strongest mark.
const SHARES: (f64, f64) = (15.0, 60.0);

/// How a line of a source is marked.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// How strongly, from 0 to 1. The weakest mark can still be seen.
    pub strength: f64,
    /// What is shown when the pointer is over the line.
    pub label: String,
}

impl Mark {
    fn attributes(&self) -> String {
        let (least, most) = SHARES;
        let share = (least + self.strength.clamp(0.0, 1.0) * (most - least)).round();
        format!(" class=\"m\" style=\"--share:{share}%\" title=\"{}\"", escape(&self.label))
    }
}

/// A page that is being written.
pub struct Page {
    title: String,
    /// The headings so far, each with its place in the page.
    headings: Vec<String>,
    out: String,
}

impl Page {
    /// A page with this title.
    pub fn new(title: &str) -> Self {
        Self { title: escape(title), headings: Vec::new(), out: String::new() }
    }

    /// A heading inside of the page; the head of the page leads to it.
    pub fn heading(&mut self, text: &str) {
        self.headings.push(escape(text));
        let _ = writeln!(self.out, "<h2 id=\"part-{}\">{}</h2>", self.headings.len(), escape(text));
    }

    /// A heading below that of a part.
    pub fn subheading(&mut self, text: &str) {
        let _ = writeln!(self.out, "<h3>{}</h3>", escape(text));
    }

    /// A paragraph for each line.
    pub fn text(&mut self, lines: &str) {
        for line in lines.lines().filter(|line| !line.is_empty()) {
            let _ = writeln!(self.out, "<p>{}</p>", escape(line));
        }
    }

    /// A table.
    pub fn table(&mut self, table: &Table) {
        let class = |align: Align| if align == Align::Right { " class=\"r\"" } else { "" };
        self.out.push_str("<table>\n<tr>");
        for (name, align) in &table.columns {
            let _ = write!(self.out, "<th{}>{}</th>", class(*align), escape(name));
        }
        self.out.push_str("</tr>\n");
        for row in &table.rows {
            self.out.push_str("<tr>");
            for (at, (_, align)) in table.columns.iter().enumerate() {
                let cell = row.get(at).map_or("", String::as_str);
                let _ = write!(self.out, "<td{}>{}</td>", class(*align), escape(cell));
            }
            self.out.push_str("</tr>\n");
        }
        self.out.push_str("</table>\n");
    }

    /// A picture.
    pub fn picture(&mut self, svg: &str) {
        self.out.push_str(svg);
    }

    /// Something to be opened: a line, and what it hides.
    pub fn fold(&mut self, line: &str, open: bool, inside: impl FnOnce(&mut Self)) {
        let open = if open { " open" } else { "" };
        let _ = writeln!(self.out, "<details{open}><summary>{}</summary>", escape(line));
        inside(self);
        self.out.push_str("</details>\n");
    }

    /// A unified diff, without the lines that name files.
    pub fn diff(&mut self, diff: &str) {
        self.out.push_str("<pre tabindex=\"0\">");
        for line in diff.lines().filter(|line| !line.starts_with("--- ")) {
            let (class, line) = match line.as_bytes().first() {
                _ if line.starts_with("+++ b/") => ("at", &line[6..]),
                Some(b'@') => ("at", line),
                Some(b'-') => ("old", line),
                Some(b'+') => ("new", line),
                _ => ("", line),
            };
            let _ = write!(self.out, "<span class=\"{class}\">{}</span>", code(line));
        }
        self.out.push_str("</pre>\n");
    }

    /// Lines of a source, each with its number and its mark if it has one.
    pub fn source(&mut self, lines: impl IntoIterator<Item = (u32, String, Option<Mark>)>) {
        self.out.push_str("<pre class=\"source\" tabindex=\"0\">");
        for (number, line, mark) in lines {
            let paint = mark.map(|mark| mark.attributes()).unwrap_or_default();
            let _ = write!(self.out, "<span{paint}><b class=\"n\">{number}</b>{}</span>", code(&line));
        }
        self.out.push_str("</pre>\n");
    }

    /// Text as it is, line by line.
    pub fn lines(&mut self, text: &str) {
        self.out.push_str("<pre tabindex=\"0\">");
        for line in text.lines() {
            let _ = write!(self.out, "<span>{}</span>", code(line));
        }
        self.out.push_str("</pre>\n");
    }

    /// The whole page.
    pub fn finish(self) -> String {
        let Self { title, headings, out } = self;
        let links = headings.iter().zip(1..).map(|(text, at)| format!("<a href=\"#part-{at}\">{text}</a>"));
        let links: String = links.collect();
        let nav = if headings.len() > 1 {
            format!("<nav aria-label=\"parts\">{links}</nav>")
        } else {
            String::new()
        };
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>{title}</title>\n\
             <link rel=\"icon\" href=\"data:,\">\n<style>{STYLE}</style>\n</head>\n<body>\n\
             <header class=\"parts\"><b>wildcaught</b>{nav}</header>\n<main>\n<h1>{title}</h1>\n{out}</main>\n</body>\n</html>\n"
        )
    }
}

/// A line of a program, with tabs as spaces.
fn code(line: &str) -> String {
    escape(&line.replace('\t', "    "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_is_escaped_and_folded() {
        let mut page = Page::new("a < b");
        page.heading("one & one");
        page.heading("two");
        page.text("one\n\ntwo & three");
        let mut table = Table::new(&[("n", Align::Right)]);
        table.row(vec!["<1>".into()]);
        page.table(&table);
        page.fold("more", true, |page| page.diff("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a<b\n+a>b\n"));
        let mark = |strength| Some(Mark { strength, label: "a<b".into() });
        page.source([
            (3, "if (a<b)".into(), mark(1.0)),
            (4, "}".into(), None),
            (5, String::new(), mark(0.0)),
        ]);
        let page = page.finish();
        for wanted in [
            "<title>a &lt; b</title>",
            "<nav aria-label=\"parts\"><a href=\"#part-1\">one &amp; one</a><a href=\"#part-2\">two</a></nav>",
            "<h2 id=\"part-2\">two</h2>",
            "<p>one</p>\n<p>two &amp; three</p>",
            "<td class=\"r\">&lt;1&gt;</td>",
            "<details open><summary>more</summary>",
            "<span class=\"at\">x</span>",
            "<span class=\"old\">-a&lt;b</span>",
            "<span class=\"m\" style=\"--share:60%\" title=\"a&lt;b\"><b class=\"n\">3</b>if (a&lt;b)</span>",
            "<span class=\"m\" style=\"--share:15%\" title=\"a&lt;b\"><b class=\"n\">5</b></span>",
            "<span><b class=\"n\">4</b>}</span>",
        ] {
            assert!(page.contains(wanted), "{wanted}\n{page}");
        }
        assert!(!page.contains("http"));
    }

    /// A colour of the style, on light or on dark paper.
    fn colour(name: &str, dark: bool) -> [f64; 3] {
        let (_, rest) = STYLE.split_once(if dark { "dark){" } else { ":root{" }).unwrap();
        let (_, rest) = rest.split_once(&format!("--{name}:#")).unwrap();
        let digits = &rest[..rest.find([';', '}']).unwrap()];
        let digits = if digits.len() == 3 { digits.repeat(2) } else { digits.to_owned() };
        [0, 2, 4].map(|at| f64::from(u8::from_str_radix(&digits[at..at + 2], 16).unwrap()))
    }

    /// The contrast of two colours as WCAG 2 defines it.
    fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
        let light = |colour: [f64; 3]| {
            let [r, g, b] = colour.map(|part| {
                let part = part / 255.0;
                if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
            });
            0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
        };
        let (one, other) = (light(one), light(other));
        one.max(other) / one.min(other)
    }

    #[test]
    fn marks_are_seen_and_marked_lines_are_read_on_light_and_on_dark_paper() {
        for dark in [false, true] {
            let [paper, ink, mark] = ["paper", "ink", "mark"].map(|name| colour(name, dark));
            let mixed =
                |share: f64| [0, 1, 2].map(|at| (share * mark[at] + (100.0 - share) * paper[at]) / 100.0);
            assert!(contrast(mark, paper) > 4.5, "the edge of a marked line, dark {dark}");
            assert!(contrast(mixed(SHARES.0), paper) > 1.15, "the weakest mark, dark {dark}");
            assert!(contrast(ink, mixed(SHARES.1)) > 4.5, "text on the strongest mark, dark {dark}");
        }
    }
}
