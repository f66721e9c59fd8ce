//! What `scale` and `parts` printed, as a picture: how time and memory grow, both axes in powers of ten.

use std::collections::BTreeMap;
use std::fmt::Write;

const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 330.0;
const COLOURS: [&str; 6] = ["#2b6a8c", "#b4552d", "#5b7f3a", "#8a4f9e", "#8a7a2d", "#555"];

type Lines = BTreeMap<&'static str, Vec<(f64, f64, f64)>>;

/// Prints the picture of these files.
pub fn draw(files: &[&str]) {
    let mut lines = Lines::new();
    for file in files {
        read(&std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}")), &mut lines);
    }
    lines.values_mut().for_each(|points| points.sort_by(|a, b| a.0.total_cmp(&b.0)));
    let panels = [
        panel(&lines, "seconds", 0.0, |point| point.1),
        panel(&lines, "MB at most", WIDTH + 20.0, |point| point.2),
    ];
    println!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{}{}</svg>",
        2.0 * WIDTH + 20.0,
        HEIGHT + 20.0 * lines.len() as f64,
        panels.concat(),
        legend(&lines)
    );
}

/// Takes up the rows that are drawn: how many, seconds, megabytes.
fn read(text: &str, lines: &mut Lines) {
    for line in text.lines() {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |at: usize| cells.get(at).and_then(|cell| cell.parse::<f64>().ok());
        let row = match cells[..] {
            ["harvest", ..] => Some(("harvest: commits", number(1), number(6), number(7))),
            ["merge", _, "memory", "10", ..] => {
                Some(("tallies of 2,000 changes, in memory", number(1), number(6), number(7)))
            }
            ["merge", _, "256M", "10", ..] => {
                Some(("tallies, at most 256 MB held", number(1), number(6), number(7)))
            }
            ["find", ..] => Some(("mutants found and named", number(1), number(4), number(5))),
            ["merge", _, _, "4" | "10", _, _, _] => Some((
                "cells of stores put together",
                number(1).zip(number(2)).map(|(a, b)| a * b),
                number(4),
                number(5),
            )),
            _ => None,
        };
        if let Some((name, Some(size), Some(seconds), Some(megabytes))) = row {
            lines.entry(name).or_default().push((size, seconds.max(0.01), megabytes.max(1.0)));
        }
    }
}

fn panel(lines: &Lines, title: &str, left: f64, height: impl Fn(&(f64, f64, f64)) -> f64) -> String {
    let points = || lines.values().flatten();
    let least = points().map(&height).fold(f64::MAX, f64::min).log10().floor();
    let most = points().map(&height).fold(f64::MIN, f64::max).log10().ceil();
    let furthest = points().map(|point| point.0).fold(1.0, f64::max).log10().ceil();
    let x = |value: f64| left + 50.0 + value.log10() / furthest * (WIDTH - 70.0);
    let y = |value: f64| HEIGHT - 40.0 - (value.log10() - least) / (most - least) * (HEIGHT - 80.0);
    let mut text = format!("<text x=\"{}\" y=\"24\" font-weight=\"bold\">{title}</text>\n", left + 50.0);
    for power in 0..=furthest as i32 {
        let (at, label) = (x(10f64.powi(power)), power_of_ten(power));
        let _ = writeln!(
            text,
            "<path d=\"M{at:.0} 40V{:.0}\" stroke=\"#ddd\"/><text x=\"{at:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{label}</text>",
            HEIGHT - 40.0,
            HEIGHT - 22.0
        );
    }
    for power in least as i32..=most as i32 {
        let at = y(10f64.powi(power));
        let _ = writeln!(
            text,
            "<path d=\"M{:.0} {at:.0}H{:.0}\" stroke=\"#ddd\"/><text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{}</text>",
            left + 50.0,
            left + WIDTH - 20.0,
            left + 44.0,
            at + 4.0,
            power_of_ten(power)
        );
    }
    for ((_, points), colour) in lines.iter().zip(COLOURS) {
        let path: Vec<String> =
            points.iter().map(|point| format!("{:.0},{:.0}", x(point.0), y(height(point)))).collect();
        let _ = writeln!(
            text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            path.join(" ")
        );
        for point in points {
            let _ = writeln!(
                text,
                "<circle cx=\"{:.0}\" cy=\"{:.0}\" r=\"3\" fill=\"{colour}\"/>",
                x(point.0),
                y(height(point))
            );
        }
    }
    text
}

fn power_of_ten(power: i32) -> String {
    match power {
        -2..=3 => format!("{}", 10f64.powi(power)),
        _ => format!("10<tspan dy=\"-5\" font-size=\"9\">{power}</tspan>"),
    }
}

fn legend(lines: &Lines) -> String {
    let mut text = String::new();
    for (at, (name, colour)) in lines.keys().zip(COLOURS).enumerate() {
        let y = HEIGHT + 20.0 * at as f64;
        let _ = writeln!(
            text,
            "<circle cx=\"60\" cy=\"{y:.0}\" r=\"4\" fill=\"{colour}\"/><text x=\"70\" y=\"{:.0}\">{name}</text>",
            y + 4.0
        );
    }
    text
}
