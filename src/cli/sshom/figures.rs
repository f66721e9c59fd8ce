//! Figures of strongly subsuming higher-order mutants, as tables and as JSON.

use anyhow::Result;
use num_bigint::BigUint;
use serde_json::Value;
use serde_json::json;

use crate::analysis::sshom::Characteristics;
use crate::analysis::sshom::Places;
use crate::analysis::sshom::Solution;
use crate::analysis::sshom::Which;
use crate::report::Align;
use crate::report::Table;
use crate::report::apart;

/// Figures of all, and of the strict ones.
pub struct Figures {
    /// None if only strict ones are wanted.
    pub all: Option<Characteristics>,
    pub strict: Characteristics,
}

impl Figures {
    pub fn new(solution: &Solution, places: Option<&Places>, strict: bool) -> Result<Self> {
        let all = (!strict).then(|| solution.characteristics(Which::All, places)).transpose()?;
        Ok(Self { all, strict: solution.characteristics(Which::Strict, places)? })
    }

    /// How many there are of those that are wanted.
    pub fn count(&self) -> BigUint {
        self.all.as_ref().unwrap_or(&self.strict).counts.total()
    }

    /// How many there are, in words.
    pub fn head(&self) -> String {
        let strict = apart(&self.strict.counts.total().to_string());
        match &self.all {
            Some(all) => {
                format!("{} SSHOMs, {strict} of them strict", apart(&all.counts.total().to_string()))
            }
            None => format!("{strict} strict SSHOMs"),
        }
    }

    /// The columns of the tables: all, and strict ones.
    fn columns(&self) -> Vec<(&'static str, &Characteristics)> {
        let all = self.all.iter().map(|all| ("SSHOMs", all));
        all.chain([("strict", &self.strict)]).collect()
    }

    /// How many there are of each order.
    pub fn orders(&self) -> Table {
        let columns = self.columns();
        let mut headings = vec![("order", Align::Right)];
        headings.extend(columns.iter().map(|(name, _)| (*name, Align::Right)));
        let mut table = Table::new(&headings);
        for (order, _) in columns[0].1.counts.orders() {
            let counts = columns.iter().map(|(_, of)| apart(&of.counts.of(order).to_string()));
            table.row([order.to_string()].into_iter().chain(counts).collect());
        }
        table
    }

    /// What they look like.
    pub fn looks(&self) -> Table {
        let columns = self.columns();
        let mut headings = vec![("", Align::Left)];
        headings.extend(columns.iter().map(|(name, _)| (*name, Align::Right)));
        let mut table = Table::new(&headings);
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
        if self.strict.spread.is_some() {
            for (at, what) in
                ["in one function", "in one file", "in two files", "in more files"].iter().enumerate()
            {
                row(what, &|of| share(spread(of)[at], &of.counts.total()));
            }
        }
        table
    }

    /// Puts them into a document.
    pub fn put(&self, document: &mut Value) {
        document["strict"] = figures_json(&self.strict);
        if let Some(all) = &self.all {
            document["all"] = figures_json(all);
        }
    }
}

fn figures_json(of: &Characteristics) -> Value {
    let orders: serde_json::Map<String, Value> =
        of.counts.orders().map(|(order, count)| (order.to_string(), json!(count.to_string()))).collect();
    let mut figures = json!({
        "count": of.counts.total().to_string(),
        "orders": orders,
        "same_tests": of.equal_fail.to_string(),
        "order_3_or_more": of.above_two.to_string(),
        "one_more_than_another": of.n_plus_one.to_string(),
        "mutants": of.mutants,
    });
    if of.spread.is_some() {
        let [function, file, two, more] = spread(of).map(ToString::to_string);
        figures["spread"] =
            json!({ "one_function": function, "one_file": file, "two_files": two, "more_files": more });
    }
    figures
}

/// The four kinds of spread, from near to far.
fn spread(of: &Characteristics) -> [&BigUint; 4] {
    let spread = of.spread.as_ref().expect("it is only asked for where places are known");
    [&spread.one_function, &spread.one_file, &spread.two_files, &spread.more]
}

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
