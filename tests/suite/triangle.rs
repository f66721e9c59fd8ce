//! Triangle: a program of 33 points and 128 mutants, with 26 tests, and two ways of running it.
//!
//! `&&` and `||` evaluate both sides; numbers have 32 bits; division by zero fails the test.

use std::collections::BTreeMap;
use std::convert::Infallible;

use roaring::RoaringBitmap;
use serde_json::Value;

use wildcaught::analysis::sshom::AlternativeSets;
use wildcaught::analysis::sshom::Condition;
use wildcaught::analysis::sshom::ConditionTest;
use wildcaught::analysis::sshom::Conditions;
use wildcaught::analysis::sshom::Leaf;
use wildcaught::analysis::sshom::Points;
use wildcaught::analysis::sshom::Problem;
use wildcaught::analysis::sshom::Splitter;
use wildcaught::analysis::sshom::leaves;

/// What an expression evaluates to; nothing if it divides by zero.
type Outcome = Option<i32>;

pub struct Triangle {
    /// For each point, the original operator and its mutants.
    operators: Vec<Vec<String>>,
    body: Vec<Value>,
    tests: Vec<Case>,
}

struct Case {
    name: String,
    sides: [i32; 3],
    expected: i32,
}

/// Says what a point evaluates to, given what each alternative would.
type Pick<'a> = dyn FnMut(usize, &dyn Fn(u32) -> Outcome) -> Outcome + 'a;

impl Triangle {
    pub fn read() -> Self {
        let text = include_str!("../golden/sshom/triangle.json");
        let file: Value = serde_json::from_str(text).unwrap();
        let list = |key: &str| file[key].as_array().unwrap().clone();
        let words = |point: &Value| point.as_str().unwrap().split(' ').map(str::to_owned).collect();
        let number = |value: &Value| value.as_i64().unwrap() as i32;
        let case = |test: &Value| Case {
            name: test[0].as_str().unwrap().to_owned(),
            sides: [0, 1, 2].map(|at| number(&test[1][at])),
            expected: number(&test[2]),
        };
        Self {
            operators: list("points").iter().map(words).collect(),
            body: list("body"),
            tests: list("tests").iter().map(case).collect(),
        }
    }

    pub fn points(&self) -> Points {
        let mut next = 0..;
        let mut names = |point: &Vec<String>| {
            next.by_ref().take(point.len() - 1).map(|at: u32| format!("_mut{at}")).collect::<Vec<_>>()
        };
        Points::new(self.operators.iter().map(&mut names).collect::<Vec<_>>())
    }

    pub fn tests(&self) -> usize {
        self.tests.len()
    }

    /// The tests that fail with these mutants on.
    pub fn killers(&self, points: &Points, combination: &[u32]) -> RoaringBitmap {
        let mut on = vec![0; points.len()];
        for mutant in combination {
            let point = points.point_of(*mutant) as usize;
            on[point] = mutant - points.at(point).start + 1;
        }
        let fails = |test: &usize| self.fails(*test, &mut |point, value| value(on[point]));
        (0..self.tests.len()).filter(fails).map(|test| test as u32).collect()
    }

    fn fails(&self, test: usize, pick: &mut Pick) -> bool {
        let case = &self.tests[test];
        let mut run = Run { triangle: self, sides: case.sides, kind: 0, pick };
        run.block(&self.body).is_none_or(|returned| returned != Some(case.expected))
    }

    fn operate(&self, point: usize, alternative: u32, left: i32, right: i32) -> Outcome {
        Some(match self.operators[point][alternative as usize].as_str() {
            "<=" => i32::from(left <= right),
            ">=" => i32::from(left >= right),
            "<" => i32::from(left < right),
            ">" => i32::from(left > right),
            "==" => i32::from(left == right),
            "!=" => i32::from(left != right),
            "||" => left | right,
            "&&" => left & right,
            "+" => left.wrapping_add(right),
            "-" => left.wrapping_sub(right),
            "*" => left.wrapping_mul(right),
            "/" if right != 0 => left.wrapping_div(right),
            "%" if right != 0 => left.wrapping_rem(right),
            _ => return None,
        })
    }
}

/// One execution.
struct Run<'a, 'b> {
    triangle: &'a Triangle,
    sides: [i32; 3],
    kind: i32,
    pick: &'a mut Pick<'b>,
}

impl Run<'_, '_> {
    /// What a block returns (`Some(None)`: it goes on); nothing if it divides by zero.
    fn block(&mut self, block: &[Value]) -> Option<Outcome> {
        for statement in block {
            if let Some(value) = statement.get("return") {
                return Some(value.as_i64().map(|value| value as i32));
            }
            if statement.get("set").is_some() {
                self.kind = self.value(&statement["to"])?;
                continue;
            }
            let branch = if self.value(&statement["if"])? != 0 { "then" } else { "else" };
            let Some(branch) = statement.get(branch) else { continue };
            match self.block(branch.as_array().unwrap())? {
                None => {}
                returned => return Some(returned),
            }
        }
        Some(None)
    }

    fn value(&mut self, expression: &Value) -> Outcome {
        if let Some(number) = expression.as_i64() {
            return Some(number as i32);
        }
        match expression.as_str() {
            Some("a") => return Some(self.sides[0]),
            Some("b") => return Some(self.sides[1]),
            Some("c") => return Some(self.sides[2]),
            Some(_) => return Some(self.kind),
            None => {}
        }
        let (left, right) = (self.value(&expression["l"])?, self.value(&expression["r"])?);
        let point = expression["pt"].as_u64().unwrap() as usize;
        (self.pick)(point, &|alternative| self.triangle.operate(point, alternative, left, right))
    }
}

/// Runs tests on boxes.
impl Splitter for &Triangle {
    type Stop = Infallible;

    fn run(&mut self, test: usize, allowed: &AlternativeSets) -> Result<Vec<Leaf>, Infallible> {
        Ok(leaves(allowed, |chooser| self.fails(test, &mut |point, value| chooser.pick(point, value))))
    }
}

/// Values, each with the condition under which it is the one.
type Varied = BTreeMap<Outcome, Condition>;

/// All executions of a test at once, on conditional values.
struct Variational<'a> {
    triangle: &'a Triangle,
    points: &'a Points,
    conditions: &'a mut Conditions,
    sides: [i32; 3],
    kind: Varied,
    /// What was returned when; nothing for a division by zero.
    returned: Varied,
}

impl Triangle {
    /// The failing condition of every test.
    pub fn problem(&self) -> Problem {
        let points = self.points();
        let mut conditions = Conditions::new(10_000_000);
        let mut tests = Vec::new();
        for case in &self.tests {
            let mut run = Variational {
                triangle: self,
                points: &points,
                conditions: &mut conditions,
                sides: case.sides,
                kind: Varied::from([(Some(0), Condition::ALWAYS)]),
                returned: Varied::new(),
            };
            run.block(&self.body, Condition::ALWAYS);
            let wrong = run.returned.into_iter().filter(|(value, _)| *value != Some(case.expected));
            let fails = wrong.fold(Condition::NEVER, |all, (_, when)| conditions.or(all, when).unwrap());
            tests.push(ConditionTest { name: case.name.clone(), fails });
        }
        Problem { points, conditions, tests }
    }
}

impl Variational<'_> {
    /// Runs a block where a condition holds; gives the condition under which it goes on.
    fn block(&mut self, block: &[Value], mut when: Condition) -> Condition {
        for statement in block {
            if let Some(value) = statement.get("return") {
                self.give_back(value.as_i64().map(|value| value as i32), when);
                return Condition::NEVER;
            }
            let target = if statement.get("set").is_some() { "to" } else { "if" };
            let mut values = self.value(&statement[target], when);
            if let Some(failed) = values.remove(&None) {
                self.give_back(None, failed);
                when = self.without(when, failed);
            }
            when = if target == "to" { self.set(values, when) } else { self.branch(statement, values) };
        }
        when
    }

    fn set(&mut self, values: Varied, when: Condition) -> Condition {
        for old in self.kind.clone().into_keys() {
            let left = self.without(self.kind[&old], when);
            self.kind.insert(old, left);
        }
        let mut kind = std::mem::take(&mut self.kind);
        values.into_iter().for_each(|(value, condition)| self.add(&mut kind, value, condition));
        self.kind = kind;
        when
    }

    fn branch(&mut self, statement: &Value, values: Varied) -> Condition {
        let mut on = Condition::NEVER;
        for (value, when) in values {
            let block = statement.get(if value == Some(0) { "else" } else { "then" });
            let block = block.and_then(Value::as_array).cloned().unwrap_or_default();
            let goes_on = self.block(&block, when);
            on = self.conditions.or(on, goes_on).unwrap();
        }
        on
    }

    fn value(&mut self, expression: &Value, when: Condition) -> Varied {
        if expression.get("pt").is_none() {
            let plain = |value| Varied::from([(Some(value), when)]);
            return match expression.as_str() {
                Some("a") => plain(self.sides[0]),
                Some("b") => plain(self.sides[1]),
                Some("c") => plain(self.sides[2]),
                Some(_) => {
                    self.kind.clone().into_iter().map(|(kind, own)| (kind, self.both(own, when))).collect()
                }
                None => plain(expression.as_i64().unwrap() as i32),
            };
        }
        let (left, right) = (self.value(&expression["l"], when), self.value(&expression["r"], when));
        let point = expression["pt"].as_u64().unwrap() as usize;
        let mut values = Varied::new();
        for (x, own) in &left {
            for (y, other) in &right {
                let both = self.both(*own, *other);
                self.operate(point, *x, *y, both, &mut values);
            }
        }
        values.retain(|_, when| *when != Condition::NEVER);
        values
    }

    fn operate(&mut self, point: usize, left: Outcome, right: Outcome, when: Condition, values: &mut Varied) {
        let (Some(left), Some(right)) = (left, right) else { return self.add(values, None, when) };
        // Of several mutants of a point, the first wins; they never combine anyway.
        let mut rest = when;
        for (alternative, mutant) in (1..).zip(self.points.at(point)) {
            let on = self.conditions.ask(mutant, Condition::NEVER, Condition::ALWAYS).unwrap();
            let own = self.both(rest, on);
            self.add(values, self.triangle.operate(point, alternative, left, right), own);
            rest = self.without(rest, on);
        }
        self.add(values, self.triangle.operate(point, 0, left, right), rest);
    }

    fn give_back(&mut self, value: Outcome, when: Condition) {
        let mut returned = std::mem::take(&mut self.returned);
        self.add(&mut returned, value, when);
        self.returned = returned;
    }

    fn add(&mut self, values: &mut Varied, value: Outcome, when: Condition) {
        let known = values.entry(value).or_insert(Condition::NEVER);
        *known = self.conditions.or(*known, when).unwrap();
    }

    fn both(&mut self, first: Condition, second: Condition) -> Condition {
        self.conditions.and(first, second).unwrap()
    }

    fn without(&mut self, first: Condition, second: Condition) -> Condition {
        self.conditions.choose(second, Condition::NEVER, first).unwrap()
    }
}
