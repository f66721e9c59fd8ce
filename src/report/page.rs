//! A page to be looked at in a browser.
//!
//! In: headings, tables, pictures, diffs, one after the other. Out: one self-contained HTML text, on light and on
//! dark paper, that needs nothing from elsewhere and runs nothing.

use std::fmt::Write;

use super::svg::escape;
use super::table::Align;
use super::table::Table;

const STYLE: &str = "\
:root{color-scheme:light dark;--paper:#fff;--ink:#1f2933;--faint:#66717d;--rule:#dde2e7;--old:#fbe9e7;--new:#e6f4ea;--mark:#2b6a8c}\
@media(prefers-color-scheme:dark){:root{--paper:#14181d;--ink:#e4e8ec;--faint:#97a3af;--rule:#2b333c;--old:#43211d;--new:#1d3a26;--mark:#4f9bc0}}\
body{background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1.2rem}\
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2.2rem;border-bottom:1px solid var(--rule)}\
table{border-collapse:collapse;margin:1rem 0;font-variant-numeric:tabular-nums}\
th,td{padding:.2rem .8rem .2rem 0;text-align:left;vertical-align:top}th{color:var(--faint);font-weight:500}.r{text-align:right}\
p.faint,summary .faint{color:var(--faint)}pre{overflow-x:auto;font:13px/1.45 ui-monospace,Menlo,Consolas,monospace;margin:.4rem 0}\
pre span{display:block;white-space:pre}pre .old{background:var(--old)}pre .new{background:var(--new)}pre .at{color:var(--faint)}\
pre .n{display:inline-block;width:4.5em;color:var(--faint);text-align:right;padding-right:1em;user-select:none}\
details{border-bottom:1px solid var(--rule);padding:.35rem 0}summary{cursor:pointer}svg{max-width:100%;height:auto}";

/// A page that is being written.
pub struct Page {
    out: String,
}

impl Page {
    /// A page with this title.
    pub fn new(title: &str) -> Self {
        let title = escape(title);
        let out = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
             <style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
        );
        Self { out }
    }

    /// A heading inside of the page.
    pub fn heading(&mut self, text: &str) {
        let _ = writeln!(self.out, "<h2>{}</h2>", escape(text));
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
        self.out.push_str("<pre>");
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

    /// Lines of a source, each with its number and how strongly it is marked, from 0 to 1.
    pub fn source(&mut self, lines: impl IntoIterator<Item = (u32, String, f64)>) {
        self.out.push_str("<pre>");
        for (number, line, mark) in lines {
            let share = (mark.clamp(0.0, 1.0) * 60.0).round();
            let paint = match share > 0.0 {
                true => format!(
                    " style=\"background:color-mix(in srgb,var(--mark) {share}%,transparent)\" title=\"{mark:.3}\""
                ),
                false => String::new(),
            };
            let _ = write!(self.out, "<span{paint}><b class=\"n\">{number}</b>{}</span>", code(&line));
        }
        self.out.push_str("</pre>\n");
    }

    /// The whole page.
    pub fn finish(mut self) -> String {
        self.out.push_str("</body>\n</html>\n");
        self.out
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
        page.text("one\n\ntwo & three");
        let mut table = Table::new(&[("n", Align::Right)]);
        table.row(vec!["<1>".into()]);
        page.table(&table);
        page.fold("more", true, |page| page.diff("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a<b\n+a>b\n"));
        page.source([(3, "if (a<b)".into(), 0.5), (4, "}".into(), 0.0)]);
        let page = page.finish();
        for wanted in [
            "<title>a &lt; b</title>",
            "<p>one</p>\n<p>two &amp; three</p>",
            "<td class=\"r\">&lt;1&gt;</td>",
            "<details open><summary>more</summary>",
            "<span class=\"at\">x</span>",
            "<span class=\"old\">-a&lt;b</span>",
            "30%",
            "<span><b class=\"n\">4</b>}</span>",
        ] {
            assert!(page.contains(wanted), "{wanted}\n{page}");
        }
        assert!(!page.contains("http"));
    }
}
