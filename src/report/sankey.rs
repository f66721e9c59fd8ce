//! The funnel as an SVG Sankey diagram, like the paper's Figure 5: the flow descends along the right edge, and
//! what each filter rejects leaves it to the left.
//!
//! In: a funnel. Out: one self-contained SVG text. Invariant: widths are proportional to counts, but for a
//! hairline that every count above zero keeps.

use std::fmt::Write;

use crate::operator::Filter;
use crate::operator::Funnel;

use super::svg::escape;
use super::table::thousands;

/// Width of the picture.
const WIDTH: f64 = 900.0;
/// Right edge of the flow.
const RIGHT: f64 = 864.0;
/// Width of the flow at its beginning.
const FLOW: f64 = 300.0;
/// Where the bands end and their labels begin.
const END: f64 = 400.0;
/// Top of the flow.
const TOP: f64 = 92.0;
/// Inner radius of the bands' curves.
const RADIUS: f64 = 16.0;
/// Least distance between two bands, and between the middles of two labels.
const GAP: f64 = 9.0;
const LINE: f64 = 27.0;
/// What a count above zero has at least.
const HAIRLINE: f64 = 1.0;
/// How far shapes reach into each other, so that no seam shows.
const OVERLAP: f64 = 1.0;
/// Length of an arrow's tip.
const TIP: f64 = 11.0;

/// Draws a funnel.
pub fn sankey(funnel: &Funnel, title: &str) -> String {
    let plan = Plan::of(funnel);
    let mut out = String::new();
    head(&mut out, &plan, title);
    draw_flow(&mut out, &plan);
    for band in &plan.bands {
        draw_band(&mut out, band);
    }
    draw_counts(&mut out, funnel, &plan);
    out.push_str("</svg>\n");
    out
}

/// What one filter takes out of the flow.
#[derive(Clone, Debug, PartialEq)]
struct Band {
    label: String,
    /// Left edge in the flow.
    left: f64,
    /// True width: no hairline.
    width: f64,
    /// Upper edge where it runs to the left.
    top: f64,
    count: u64,
}

impl Band {
    fn drawn(&self) -> f64 {
        drawn(self.width, self.count)
    }
}

fn drawn(width: f64, count: u64) -> f64 {
    if count == 0 { 0.0 } else { width.max(HAIRLINE) }
}

/// Where everything is.
struct Plan {
    bands: Vec<Band>,
    /// Left edge and drawn width of what remains.
    rest: (f64, f64),
    /// Where the flow ends.
    bottom: f64,
}

impl Plan {
    fn of(funnel: &Funnel) -> Self {
        let rejected: f64 = Filter::ALL.into_iter().map(|filter| funnel.rejected(filter) as f64).sum();
        // A set that was edited by hand may reject more than came in.
        let scale = FLOW / (funnel.candidates as f64).max(rejected).max(1.0);
        let mut bands: Vec<Band> = Vec::new();
        let mut left = RIGHT - FLOW;
        let mut top = TOP + RADIUS + 22.0;
        for (filter, row) in funnel.shown().zip(funnel.rows()) {
            let width = row.rejected as f64 * scale;
            if let Some(last) = bands.last() {
                let middles = (last.drawn() + drawn(width, row.rejected)) / 2.0;
                top += last.drawn() + GAP.max(LINE - middles);
            }
            let label = format!("{}: {} ({})", filter.title(), thousands(row.rejected), share(row.share));
            bands.push(Band { label, left, width, top, count: row.rejected });
            left += width;
        }
        let lowest = bands.last().map_or(top, |band| band.top + band.drawn());
        let kept = drawn(funnel.kept() as f64 * scale, funnel.kept());
        Self { bands, rest: (RIGHT - kept, kept), bottom: lowest + 34.0 }
    }
}

/// A share for people; what is not nothing does not look like nothing.
fn share(share: f64) -> String {
    match share * 100.0 {
        percent if percent > 0.0 && percent < 0.5 => "<1 %".into(),
        percent if (99.5..100.0).contains(&percent) => ">99 %".into(),
        percent => format!("{percent:.0} %"),
    }
}

const STYLE: &str = "\
.paper{fill:#ffffff}.ink{fill:#1f2933}.faint{fill:#8a94a0}.flow{fill:#2b6a8c}.lost{fill:url(#fade)}.tip{fill:#a9bfca}\
.from{stop-color:#2b6a8c}.to{stop-color:#a9bfca}\
text{font-family:system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;font-size:14px}\
.title{font-size:19px;font-weight:600}.sum{font-size:15px;font-weight:600}\
@media (prefers-color-scheme:dark){.paper{fill:#14181d}.ink{fill:#e4e8ec}.faint{fill:#77828e}.flow{fill:#4f9bc0}\
.tip{fill:#4a5c68}.from{stop-color:#4f9bc0}.to{stop-color:#4a5c68}}";

fn head(out: &mut String, plan: &Plan, title: &str) {
    let height = plan.bottom + 62.0;
    let title = escape(title);
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.1}\" width=\"{WIDTH}\" \
         height=\"{height:.1}\" role=\"img\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
         <defs><linearGradient id=\"fade\" gradientUnits=\"userSpaceOnUse\" x1=\"{:.1}\" y1=\"0\" x2=\"{:.1}\" \
         y2=\"0\"><stop class=\"from\" offset=\"0\"/><stop class=\"to\" offset=\"1\"/></linearGradient></defs>\n\
         <rect class=\"paper\" width=\"{WIDTH}\" height=\"{height:.1}\" rx=\"10\"/>\n\
         <text class=\"ink title\" x=\"36\" y=\"48\">{title}</text>\n",
        RIGHT - FLOW,
        END + 30.0,
    );
}

/// The flow: a straight right edge, and a step to the right wherever a band leaves.
fn draw_flow(out: &mut String, plan: &Plan) {
    let mut path = format!("M{RIGHT:.2} {TOP:.2}H{:.2}", RIGHT - FLOW);
    for band in plan.bands.iter().filter(|band| band.count > 0) {
        let _ = write!(path, "V{:.2}H{:.2}", band.top - RADIUS, band.left + band.width);
    }
    let (left, width) = plan.rest;
    let _ = write!(path, "H{left:.2}V{:.2}H{RIGHT:.2}Z", plan.bottom);
    let _ = writeln!(out, "<path class=\"flow\" d=\"{path}\"/>");
    if width > 0.0 {
        let (middle, half) = (left + width / 2.0, tip_half(width));
        let (y, tip) = (plan.bottom - OVERLAP, plan.bottom + TIP);
        let _ = writeln!(
            out,
            "<path class=\"flow\" d=\"M{:.2} {y:.2}H{:.2}L{middle:.2} {tip:.2}Z\"/>",
            middle - half,
            middle + half
        );
    }
}

/// Half of a tip's breadth: a thin line has a tip broader than itself, a broad one just ends in it.
fn tip_half(width: f64) -> f64 {
    (width / 2.0).max((width / 2.0 + 3.5).min(7.0))
}

/// A band: down, a quarter turn, to the left, and a tip; its label before it.
fn draw_band(out: &mut String, band: &Band) {
    let width = band.drawn();
    let middle = band.top + width / 2.0;
    let label = escape(&band.label);
    if width > 0.0 {
        let (left, right) = (band.left, band.left + width);
        let (turn, outer, bottom) = (band.top - RADIUS, RADIUS + width, band.top + width);
        let above = turn - OVERLAP;
        let _ = writeln!(
            out,
            "<path class=\"lost\" d=\"M{left:.2} {above:.2}H{right:.2}V{turn:.2}A{outer:.2} {outer:.2} 0 0 1 {:.2} {bottom:.2}H{END:.2}\
             V{:.2}H{:.2}A{RADIUS:.2} {RADIUS:.2} 0 0 0 {left:.2} {turn:.2}Z\"><title>{label}</title></path>",
            left - RADIUS,
            band.top,
            left - RADIUS,
        );
        let half = tip_half(width);
        let _ = writeln!(
            out,
            "<path class=\"tip\" d=\"M{:.2} {:.2}V{:.2}L{:.2} {middle:.2}Z\"/>",
            END + OVERLAP,
            middle - half,
            middle + half,
            END - TIP
        );
    }
    let class = if band.count == 0 { "faint" } else { "ink" };
    let (x, y) = (END - TIP - 9.0, middle + 5.0);
    let _ =
        writeln!(out, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"end\">{label}</text>");
}

fn draw_counts(out: &mut String, funnel: &Funnel, plan: &Plan) {
    let of_all = if funnel.candidates == 0 { 0.0 } else { funnel.kept() as f64 / funnel.candidates as f64 };
    for (y, text) in [
        (TOP - 12.0, format!("{} candidates", thousands(funnel.candidates))),
        (plan.bottom + TIP + 24.0, format!("{} operators ({})", thousands(funnel.kept()), share(of_all))),
    ] {
        let _ = writeln!(
            out,
            "<text class=\"ink sum\" x=\"{RIGHT:.1}\" y=\"{y:.1}\" text-anchor=\"end\">{}</text>",
            escape(&text)
        );
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn funnel(candidates: u64, rejected: &[(Filter, u64)]) -> Funnel {
        Funnel::of(candidates, &rejected.iter().copied().collect::<BTreeMap<_, _>>())
    }

    fn samples() -> Vec<Funnel> {
        let paper = [
            (Filter::TooManyTokens, 5_812_001),
            (Filter::TooFewTokens, 9_514_882),
            (Filter::AsciiArt, 7),
            (Filter::NeedsSynthesis, 3_900_000),
            (Filter::Duplicate, 219_569),
        ];
        vec![
            Funnel::default(),
            funnel(20_063_907, &paper),
            funnel(u64::MAX / 2, &[(Filter::Comment, u64::MAX / 4), (Filter::Duplicate, 1)]),
            funnel(3, &[(Filter::TooFewTokens, 3)]),
            funnel(0, &[(Filter::TooFewTokens, 5)]),
        ]
    }

    /// Walks the tags: what opens must close in order.
    fn assert_well_formed(svg: &str) {
        let mut open: Vec<&str> = Vec::new();
        for part in svg.split('<').skip(1) {
            let (tag, text) = part.split_once('>').expect("a tag ends");
            assert!(!text.contains('>'), "{text}");
            match tag.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name)),
                None if tag.ends_with('/') => {}
                None => open.push(tag.split(' ').next().unwrap_or(tag)),
            }
        }
        assert!(open.is_empty(), "{open:?}");
    }

    #[test]
    fn pictures_are_well_formed_whatever_the_numbers() {
        for funnel in samples() {
            let svg = sankey(&funnel, "a <b> & \"c\"\u{0}");
            assert_well_formed(&svg);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            assert!(svg.contains("a &lt;b&gt; &amp; &quot;c&quot;\u{fffd}"), "{svg}");
            assert!(!svg.contains("<script") && !svg.contains("href"));
        }
    }

    #[test]
    fn widths_are_proportional_and_tiny_counts_keep_a_hairline() {
        let plan = Plan::of(&samples()[1]);
        let width = |filter: Filter| plan.bands[filter as usize].width;
        let ratio = width(Filter::TooFewTokens) / width(Filter::TooManyTokens);
        assert!((ratio - 9_514_882.0 / 5_812_001.0).abs() < 1e-9);
        assert!((width(Filter::TooManyTokens) - FLOW * 5_812_001.0 / 20_063_907.0).abs() < 1e-9);
        assert!((plan.bands[Filter::AsciiArt as usize].drawn() - HAIRLINE).abs() < 1e-9);
        assert!(plan.bands[Filter::Comment as usize].drawn().abs() < 1e-9);
        let all: f64 = plan.bands.iter().map(|band| band.width).sum();
        assert!((all + plan.rest.1 - FLOW).abs() < 1.0);
    }

    #[test]
    fn bands_and_labels_keep_their_distance() {
        for funnel in samples() {
            for pair in Plan::of(&funnel).bands.windows(2) {
                let middle = |band: &Band| band.top + band.drawn() / 2.0;
                assert!(pair[1].top >= pair[0].top + pair[0].drawn() + GAP - 1e-9);
                assert!(middle(&pair[1]) - middle(&pair[0]) >= LINE - 1e-9);
            }
        }
    }

    #[test]
    fn labels_say_count_and_share() {
        let svg = sankey(&samples()[1], "Space");
        assert!(svg.contains(">Too many tokens: 5,812,001 (29 %)</text>"), "{svg}");
        assert!(svg.contains(">ASCII art: 7 (&lt;1 %)</text>"), "{svg}");
        assert_eq!([0.0, 0.001, 0.5, 0.999, 1.0].map(share), ["0 %", "<1 %", "50 %", ">99 %", "100 %"]);
    }
}
