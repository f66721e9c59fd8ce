//! Things by their distance from one of them, as a picture: the one in the middle, the others around it, the further out
//! the less alike.

use std::f64::consts::TAU;
use std::fmt::Write;

use super::svg::escape;

/// Width and height of the picture, and the radius of what is furthest.
const SIZE: f64 = 520.0;
const FURTHEST: f64 = 220.0;
/// Circles that show the distance.
const CIRCLES: usize = 4;
/// Turns by this share, one after the other never come together.
const GOLDEN: f64 = 0.618_033_988_75;
/// Names in the text of a point.
const NAMES: usize = 12;

/// One distance, and what is so far.
pub struct RingRow<'a> {
    pub distance: f64,
    pub names: Vec<&'a str>,
}

/// Draws the rings, the innermost first; `centre` is what stands in the middle.
pub fn rings_svg(centre: &str, rings: &[RingRow]) -> String {
    let most = rings.iter().map(|ring| ring.distance).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let middle = SIZE / 2.0;
    let title = escape(&format!("distances from {centre}"));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {SIZE} {SIZE}\" width=\"{SIZE}\" role=\"img\" \
         aria-label=\"{title}\"><title>{title}</title>\n"
    );
    for circle in 1..=CIRCLES {
        let share = circle as f64 / CIRCLES as f64;
        let (radius, distance) = (share * FURTHEST, share * most);
        let _ = writeln!(
            out,
            "<circle cx=\"{middle}\" cy=\"{middle}\" r=\"{radius:.1}\" fill=\"none\" stroke=\"currentColor\" \
             stroke-opacity=\".18\"/><text x=\"{middle}\" y=\"{:.1}\" font-size=\"11\" fill=\"currentColor\" \
             fill-opacity=\".65\" text-anchor=\"middle\">{distance:.2}</text>",
            middle - radius - 4.0
        );
    }
    let mut turn = 0.0;
    for ring in rings {
        for name in &ring.names {
            let radius = ring.distance / most * FURTHEST;
            let (x, y) = (middle + radius * f64::sin(turn), middle - radius * f64::cos(turn));
            let is_centre = *name == centre;
            let (size, colour) = if is_centre { (6.0, "#d08020") } else { (4.0, "var(--mark,#2b6a8c)") };
            let label = escape(&format!("{name}: {:.2}{}", ring.distance, others(ring, name)));
            let _ = writeln!(
                out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{size}\" style=\"fill:{colour}\" fill-opacity=\".85\">\
                 <title>{label}</title></circle>"
            );
            turn += TAU * GOLDEN;
        }
    }
    out.push_str("</svg>\n");
    out
}

/// What else is as far.
fn others(ring: &RingRow, name: &str) -> String {
    let others: Vec<&str> = ring.names.iter().copied().filter(|other| *other != name).collect();
    match others.len() {
        0 => String::new(),
        many => format!(
            "; as far: {}{}",
            others[..many.min(NAMES)].join(", "),
            if many > NAMES { format!(" and {} more", many - NAMES) } else { String::new() }
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_further_stands_further_out() {
        let rings = [
            RingRow { distance: 0.0, names: vec!["a<"] },
            RingRow { distance: 0.5, names: vec!["b", "c"] },
            RingRow { distance: 1.0, names: vec!["d"] },
        ];
        let svg = rings_svg("a<", &rings);
        assert_eq!(svg.matches("<title>").count(), 5, "{svg}");
        assert!(
            svg.contains("<title>a&lt;: 0.00</title>") && svg.contains("<title>b: 0.50; as far: c</title>"),
            "{svg}"
        );
        let radius = |name: &str| {
            let line = svg.lines().find(|line| line.contains(&format!("<title>{name}: "))).unwrap();
            let number = |key: &str| -> f64 {
                let rest = line.split_once(key).unwrap().1;
                rest[..rest.find('"').unwrap()].parse().unwrap()
            };
            (number("cx=\"") - 260.0).hypot(number("cy=\"") - 260.0)
        };
        assert!(
            radius("a&lt;") < 0.1 && (radius("b") - 110.0).abs() < 0.2 && (radius("d") - 220.0).abs() < 0.2
        );
    }
}
