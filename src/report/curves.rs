//! Discovery curves as an SVG picture: effort to the right, what was found upwards.
//!
//! In: lines of points. Out: one self-contained SVG text. Invariant: both axes begin at 0, and every line
//! begins there, too: nothing done, nothing found.

use std::fmt::Write;

use super::svg::escape;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 540.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 660.0;
const TOP: f64 = 76.0;
const BOTTOM: f64 = 470.0;
/// Least distance between the labels of two lines.
const LABEL: f64 = 20.0;
/// Letters of a label that fit beside the lines.
const ROOM: usize = 26;
/// Colours, for light and for dark paper, and dashes.
const STROKES: [(&str, &str, &str); 4] = [
    ("#2b6a8c", "#4f9bc0", "none"),
    ("#b4552d", "#e08a5f", "none"),
    ("#8a94a0", "#77828e", "6 5"),
    ("#5b7f3a", "#93b971", "2 4"),
];

/// A line of the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveLine {
    pub label: String,
    /// Effort, and what was found by then.
    pub points: Vec<(f64, f64)>,
}

impl CurveLine {
    /// A line of what is found after one step, after two steps, …
    pub fn of_steps(label: String, found: impl IntoIterator<Item = f64>) -> Self {
        let points = (1..).zip(found).map(|(step, found): (u32, f64)| (f64::from(step), found)).collect();
        Self { label, points }
    }
}

/// What a picture shows.
#[derive(Clone, Copy, Debug)]
pub struct Axes<'a> {
    pub title: &'a str,
    /// What is counted to the right, and upwards.
    pub across: &'a str,
    pub upward: &'a str,
    /// The ends of both.
    pub end: f64,
    pub most: f64,
}

/// Draws lines.
pub fn curves_svg(lines: &[CurveLine], axes: &Axes) -> String {
    let scale = Scale { end: axes.end.max(1.0), most: axes.most.max(1.0) };
    let mut out = String::new();
    head(&mut out, axes.title);
    draw_axes(&mut out, axes, &scale);
    for (at, line) in lines.iter().enumerate() {
        draw(&mut out, line, at, &scale);
    }
    labels(&mut out, lines, &scale);
    out.push_str("</svg>\n");
    out
}

struct Scale {
    end: f64,
    most: f64,
}

impl Scale {
    fn x(&self, effort: f64) -> f64 {
        LEFT + (RIGHT - LEFT) * effort / self.end
    }

    fn y(&self, found: f64) -> f64 {
        BOTTOM - (BOTTOM - TOP) * found / self.most
    }
}

fn head(out: &mut String, title: &str) {
    let title = escape(title);
    let mut style = String::from(
        ".paper{fill:#ffffff}.ink{fill:#1f2933}.axis{stroke:#1f2933;stroke-width:1}.grid{stroke:#dde2e7;stroke-width:1}\
         text{font-family:system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;font-size:14px}\
         .title{font-size:19px;font-weight:600}.line{fill:none;stroke-width:2.5;stroke-linejoin:round}",
    );
    let mut dark =
        String::from(".paper{fill:#14181d}.ink{fill:#e4e8ec}.axis{stroke:#e4e8ec}.grid{stroke:#2b333c}");
    for (at, (light, night, dash)) in STROKES.iter().enumerate() {
        let _ = write!(style, ".s{at}{{stroke:{light};stroke-dasharray:{dash}}}.t{at}{{fill:{light}}}");
        let _ = write!(dark, ".s{at}{{stroke:{night}}}.t{at}{{fill:{night}}}");
    }
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" role=\"img\">\n<title>{title}</title>\n\
         <style>{style}@media (prefers-color-scheme:dark){{{dark}}}</style>\n\
         <rect class=\"paper\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"10\"/>\n\
         <text class=\"ink title\" x=\"36\" y=\"44\">{title}</text>\n"
    );
}

fn draw_axes(out: &mut String, axes: &Axes, scale: &Scale) {
    for found in ticks(scale.most) {
        let y = scale.y(found);
        let _ = writeln!(
            out,
            "<path class=\"grid\" d=\"M{LEFT} {y:.2}H{RIGHT}\"/>\
             <text class=\"ink\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{found}</text>",
            LEFT - 10.0,
            y + 5.0
        );
    }
    for effort in ticks(scale.end) {
        let (x, y) = (scale.x(effort), BOTTOM + 22.0);
        let _ = writeln!(
            out,
            "<text class=\"ink\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{effort}</text>"
        );
    }
    let _ = writeln!(
        out,
        "<path class=\"axis\" fill=\"none\" d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\"/>\n\
         <text class=\"ink\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n\
         <text class=\"ink\" x=\"{LEFT}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        (LEFT + RIGHT) / 2.0,
        BOTTOM + 48.0,
        escape(axes.across),
        TOP - 12.0,
        escape(axes.upward)
    );
}

/// Round numbers from 0 to the end, at most eleven.
fn ticks(end: f64) -> Vec<f64> {
    let tenth = (end / 10.0).max(1.0);
    let power = 10_f64.powi(tenth.log10().floor() as i32);
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|step| *step >= tenth);
    let step = step.unwrap_or(tenth);
    (0..).map(|at| f64::from(at) * step).take_while(|tick| *tick <= end).collect()
}

fn draw(out: &mut String, line: &CurveLine, at: usize, scale: &Scale) {
    let mut path = format!("M{:.2} {:.2}", scale.x(0.0), scale.y(0.0));
    for (effort, found) in &line.points {
        let _ = write!(path, "L{:.2} {:.2}", scale.x(*effort), scale.y(*found));
    }
    let stroke = at % STROKES.len();
    let label = escape(&line.label);
    let _ = writeln!(out, "<path class=\"line s{stroke}\" d=\"{path}\"><title>{label}</title></path>");
}

/// The labels beside the lines' ends, pushed down where they would touch.
fn labels(out: &mut String, lines: &[CurveLine], scale: &Scale) {
    let mut ends: Vec<(f64, usize)> = lines
        .iter()
        .enumerate()
        .map(|(at, line)| (scale.y(line.points.last().map_or(0.0, |point| point.1)), at))
        .collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut free = f64::NEG_INFINITY;
    for (y, at) in ends {
        let y = y.max(free);
        free = y + LABEL;
        let (stroke, label) = (at % STROKES.len(), escape(&shortened(&lines[at].label)));
        let _ = writeln!(
            out,
            "<text class=\"t{stroke}\" x=\"{:.1}\" y=\"{:.1}\">{label}</text>",
            RIGHT + 10.0,
            y + 5.0
        );
    }
}

/// A label that ends before the picture does; the line's own title has all of it.
fn shortened(label: &str) -> String {
    match label.char_indices().nth(ROOM) {
        None => label.to_owned(),
        Some((end, _)) => format!("{}…", &label[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(ticks(4.0), [0.0, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!(ticks(28.0), [0.0, 5.0, 10.0, 15.0, 20.0, 25.0]);
        assert_eq!(ticks(50.0).len(), 11);
        assert!(ticks(1749.0).len() <= 11);
    }

    #[test]
    fn lines_begin_at_nothing_and_labels_are_escaped() {
        let line = |label: &str, found: &[f64]| CurveLine::of_steps(label.into(), found.to_vec());
        let axes = Axes { title: "x & y", across: "read", upward: "seen", end: 2.0, most: 2.0 };
        let svg = curves_svg(&[line("a<b", &[1.0, 2.0]), line("c", &[0.5, 2.0])], &axes);
        assert!(svg.contains("d=\"M70.00 470.00L365.00 273.00L660.00 76.00\""), "{svg}");
        assert!(svg.contains(">a&lt;b</text>") && svg.contains("<title>x &amp; y</title>"));
        assert!(svg.contains("y=\"81.0\">a") && svg.contains("y=\"101.0\">c"), "{svg}");
        let long = curves_svg(&[line("ä".repeat(40).as_str(), &[1.0])], &axes);
        assert!(long.contains(&format!(">{}…</text>", "ä".repeat(ROOM))), "{long}");
        let nothing = Axes { end: 0.0, most: 0.0, ..axes };
        assert!(!curves_svg(&[], &nothing).contains("NaN"));
    }
}
