//! Figures of strongly subsuming higher-order mutants, as tables.

use num_bigint::BigUint;

use crate::analysis::sshom::Characteristics;
use crate::analysis::sshom::OrderSpread;
use crate::analysis::sshom::SolutionFigures;
use crate::report::Align;
use crate::report::Table;
use crate::report::apart;

/// How many there are, in words.
pub fn count_text(figures: &SolutionFigures) -> String {
    let strict = apart(&figures.strict.counts.total().to_string());
    match &figures.all {
        Some(all) => format!("{} SSHOMs, {strict} of them strict", apart(&all.counts.total().to_string())),
        None => format!("{strict} strict SSHOMs"),
    }
}

/// The columns of the tables: all, and strict ones.
fn columns(figures: &SolutionFigures) -> Vec<(&'static str, &Characteristics)> {
    let all = figures.all.iter().map(|all| ("SSHOMs", all));
    all.chain([("strict", &figures.strict)]).collect()
}

/// A table with a column for all, and one for the strict ones.
fn table(first: (&str, Align), columns: &[(&'static str, &Characteristics)]) -> Table {
    let mut headings = vec![first];
    headings.extend(columns.iter().map(|(name, _)| (*name, Align::Right)));
    Table::new(&headings)
}

/// How many there are of each order.
pub fn order_table(figures: &SolutionFigures) -> Table {
    let columns = columns(figures);
    let mut table = table(("order", Align::Right), &columns);
    for (order, _) in columns[0].1.counts.orders() {
        let counts = columns.iter().map(|(_, of)| apart(&of.counts.of(order).to_string()));
        table.row([order.to_string()].into_iter().chain(counts).collect());
    }
    table
}

/// Properties.
pub fn characteristics_table(figures: &SolutionFigures) -> Table {
    let columns = columns(figures);
    let mut table = table(("", Align::Left), &columns);
    let mut row = |what: &str, cell: &dyn Fn(&Characteristics) -> String| {
        let cells = columns.iter().map(|(_, of)| cell(of));
        table.row([what.to_owned()].into_iter().chain(cells).collect());
    };
    row("all mutants killed by the same tests", &|of| share(&of.equal_fail, &of.counts.total()));
    row("of order 3 or more: one mutant more than another", &|of| share(&of.n_plus_one, &of.above_two));
    row("a pair, or one mutant more than another", &|of| {
        share(&(&of.n_plus_one + of.counts.of(2)), &of.counts.total())
    });
    row("mutants that are in one", &|of| of.mutants.to_string());
    if figures.strict.spread.is_some() {
        for (what, count) in SPREADS {
            let part = |of: &Characteristics| of.spread.as_ref().map_or(BigUint::ZERO, |s| count(s).clone());
            row(what, &|of| share(&part(of), &of.counts.total()));
        }
    }
    table
}

/// A kind of spread, and how many have it.
type SpreadRow = (&'static str, fn(&OrderSpread) -> &BigUint);

/// The kinds of spread, from near to far.
const SPREADS: [SpreadRow; 4] = [
    ("in one function", |spread| &spread.one_function),
    ("in one file", |spread| &spread.one_file),
    ("in two files", |spread| &spread.two_files),
    ("in more files", |spread| &spread.more),
];

/// A share in percent, rounded to one digit from whole numbers, which may be too large for others.
fn share(part: &BigUint, whole: &BigUint) -> String {
    if *whole == BigUint::ZERO {
        return "–".into();
    }
    let tenths = (part * 2000_u32 + whole) / (whole * 2_u32);
    let (percent, tenth) = (&tenths / 10_u32, &tenths % 10_u32);
    format!("{percent}.{tenth} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_rounded_and_never_overflow() {
        let number = |n: u128| BigUint::from(n);
        assert_eq!(share(&number(1), &number(3)), "33.3 %");
        assert_eq!(share(&number(2), &number(3)), "66.7 %");
        assert_eq!(share(&number(0), &number(0)), "–");
        let large = number(1) << 300;
        assert_eq!(share(&large, &large), "100.0 %");
    }
}
