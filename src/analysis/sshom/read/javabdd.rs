//! Binary decision diagrams as JavaBDD and BuDDy save them.
//!
//! In: text. Line 1 has the number of nodes and of variables, line 2 the level of each variable, then comes a
//! line per node, `id variable low high`, children first, the root last; 0 and 1 are the ends. `0 0 1` alone
//! is the diagram that always holds. Out: a condition. The order of the variables may differ from that of the
//! groups; the diagram is then built anew.

use rustc_hash::FxHashMap;

use super::super::condition::Condition;
use super::super::condition::Conditions;
use super::super::points::Points;
use super::error::ConditionFileError;
use super::error::TextOrigin;
use super::groups::numbered;

/// Reads a diagram. Variables are numbered from `first` in the order of the groups.
pub fn read_javabdd(
    origin: &str,
    text: &str,
    points: &Points,
    first: u32,
    conditions: &mut Conditions,
) -> Result<Condition, ConditionFileError> {
    let mut numbers = Numbers::new(origin, text);
    let (count, variables) = (numbers.take("the number of nodes")?, numbers.take("the number of variables")?);
    if count == 0 {
        return constant(numbers, variables);
    }
    check_size(origin, text, variables)?;
    let levels = levels(&mut numbers, variables)?;
    let mut diagram = Diagram { points, first, levels, conditions, known: FxHashMap::default() };
    let mut root = Condition::NEVER;
    for _ in 0..count {
        root = diagram.node(&mut numbers)?;
    }
    numbers.end()?;
    Ok(root)
}

fn constant(mut numbers: Numbers, variables: u32) -> Result<Condition, ConditionFileError> {
    let line = numbers.line;
    let value = numbers.take("0 or 1, since there are no nodes")?;
    let condition = match (variables, value) {
        (0, 0) => Condition::NEVER,
        (0, 1) => Condition::ALWAYS,
        _ => return Err(numbers.origin.line(line, "a diagram without nodes is `0 0 0` or `0 0 1`")),
    };
    numbers.end()?;
    Ok(condition)
}

/// Refuses more variables than the file has numbers: memory is for what is in the file, not for what line 1 claims.
fn check_size(origin: &str, text: &str, variables: u32) -> Result<(), ConditionFileError> {
    let numbers = text.split_ascii_whitespace().count() - 2;
    if variables as usize <= numbers {
        return Ok(());
    }
    let problem = format!(
        "{variables} variables, but only {numbers} numbers follow; line 2 gives each variable a level; save the diagram again"
    );
    Err(TextOrigin(origin).line(1, problem))
}

/// The level of each variable.
fn levels(numbers: &mut Numbers, variables: u32) -> Result<Vec<u32>, ConditionFileError> {
    let mut levels = Vec::new();
    let mut seen = fixedbitset::FixedBitSet::new();
    for variable in 0..variables {
        let level = numbers.take("the level of a variable")?;
        if level >= variables {
            let problem =
                format!("level {level} of variable {variable}, but there are {variables} variables");
            return Err(numbers.origin.line(numbers.line, problem));
        }
        seen.grow(variables as usize);
        if seen.put(level as usize) {
            let problem = format!("level {level} occurs twice; line 2 must give each variable its own level");
            return Err(numbers.origin.line(numbers.line, problem));
        }
        levels.push(level);
    }
    Ok(levels)
}

struct Diagram<'a> {
    points: &'a Points,
    first: u32,
    levels: Vec<u32>,
    conditions: &'a mut Conditions,
    /// What each node stands for, and its level.
    known: FxHashMap<u32, (Condition, u32)>,
}

impl Diagram<'_> {
    fn node(&mut self, numbers: &mut Numbers) -> Result<Condition, ConditionFileError> {
        let [id, variable, low, high] = ["id", "variable", "low child", "high child"]
            .map(|what| numbers.take(what))
            .into_iter()
            .collect::<Result<Vec<u32>, _>>()?
            .try_into()
            .expect("four were taken");
        let (origin, line) = (numbers.origin, numbers.line);
        let refuse = |problem: String| origin.line(line, problem);
        let Some(&level) = self.levels.get(variable as usize) else {
            return Err(refuse(format!("variable {variable}, but there are {}", self.levels.len())));
        };
        let mutant = numbered(self.points, self.first, variable).map_err(refuse)?;
        let off = self.child(low, id, level).map_err(refuse)?;
        let on = self.child(high, id, level).map_err(refuse)?;
        let made = self.conditions.ask(mutant, off, on).map_err(|source| origin.too_large(source))?;
        if id < 2 || self.known.insert(id, (made, level)).is_some() {
            return Err(refuse(format!("node {id} occurs twice; each node needs its own id of at least 2")));
        }
        Ok(made)
    }

    fn child(&self, child: u32, id: u32, level: u32) -> Result<Condition, String> {
        match (child, self.known.get(&child)) {
            (0, _) => Ok(Condition::NEVER),
            (1, _) => Ok(Condition::ALWAYS),
            (_, Some((condition, below))) if *below > level => Ok(*condition),
            (_, Some(_)) => Err(format!("node {child} below node {id} does not have a later variable")),
            (_, None) => {
                Err(format!("node {child} below node {id} is not defined yet; children must come first"))
            }
        }
    }
}

/// The numbers of a file, with their lines.
struct Numbers<'a> {
    origin: TextOrigin<'a>,
    words: Box<dyn Iterator<Item = (usize, &'a str)> + 'a>,
    /// The line of the last number.
    line: usize,
}

impl<'a> Numbers<'a> {
    fn new(origin: &'a str, text: &'a str) -> Self {
        let lines = text.lines().enumerate();
        let words =
            lines.flat_map(|(at, line)| line.split_ascii_whitespace().map(move |word| (at + 1, word)));
        Self { origin: TextOrigin(origin), words: Box::new(words), line: 1 }
    }

    fn take(&mut self, what: &str) -> Result<u32, ConditionFileError> {
        let Some((line, word)) = self.words.next() else {
            return Err(self.origin.line(self.line, format!("the file ends where {what} is expected")));
        };
        self.line = line;
        word.parse().map_err(|_| self.origin.line(line, format!("`{word}` where {what} is expected")))
    }

    fn end(&mut self) -> Result<(), ConditionFileError> {
        match self.words.next() {
            None => Ok(()),
            Some((line, word)) => {
                Err(self.origin.line(line, format!("`{word}` after the last node; line 1 counts the nodes")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::groups::read_groups;
    use super::*;

    /// Variable 0 is not used; 1 is `a`, 2 `b`, 3 `c`.
    fn read(text: &str) -> Result<(Conditions, Condition), String> {
        let points = read_groups("g", "a b\nc\n").unwrap();
        let mut conditions = Conditions::new(1000);
        let condition =
            read_javabdd("t.txt", text, &points, 1, &mut conditions).map_err(|error| error.to_string())?;
        Ok((conditions, condition))
    }

    #[test]
    fn a_saved_diagram_is_the_condition_that_it_was() {
        let (all, condition) = read("2 4\n0 1 2 3 \n20 3 0 1\n21 1 20 1\n").unwrap();
        let held = [&[][..], &[0], &[1], &[2], &[0, 2]].map(|on| all.holds(condition, on));
        assert_eq!(held, [false, true, false, true, true]);
        let (_, condition) = read("0 0 1\n").unwrap();
        assert_eq!(condition, Condition::ALWAYS);
    }

    #[test]
    fn another_order_of_variables_is_turned_into_ours() {
        // c is asked before a.
        let (all, condition) = read("2 4\n0 3 2 1 \n20 1 0 1\n21 3 0 20\n").unwrap();
        assert!(all.holds(condition, &[0, 2]) && !all.holds(condition, &[0]));
        assert_eq!(all.choice(condition).mutant, 0);
    }

    #[test]
    fn a_damaged_file_is_refused_with_its_line() {
        let start = "2 4\n0 1 2 3\n";
        for (text, wanted) in [
            ("".to_owned(), "t.txt:1: the file ends where the number of nodes"),
            ("2 x".to_owned(), "t.txt:1: `x` where the number of variables"),
            (
                "2 4294967295\n0 1 2 3\n".to_owned(),
                "t.txt:1: 4294967295 variables, but only 4 numbers follow",
            ),
            ("2 4\n0 1 1 3\n".to_owned(), "t.txt:2: level 1 occurs twice"),
            ("2 4\n0 1 4 3\n".to_owned(), "t.txt:2: level 4 of variable 2"),
            (format!("{start}20 3 0 1\n"), "t.txt:3: the file ends where id"),
            (format!("{start}20 3 0 1\n21 1 22 1\n"), "t.txt:4: node 22 below node 21 is not defined yet"),
            (format!("{start}20 3 0 1\n21 3 20 1\n"), "t.txt:4: node 20 below node 21 does not have a later"),
            (format!("{start}20 3 0 1\n20 1 20 1\n"), "t.txt:4: node 20 occurs twice"),
            (format!("{start}20 0 0 1\n21 1 0 1\n"), "t.txt:3: variable 0, but the groups"),
            (format!("{start}20 9 0 1\n21 1 0 1\n"), "t.txt:3: variable 9, but there are 4"),
            (format!("{start}20 3 0 1\n21 1 20 1\n5\n"), "t.txt:5: `5` after the last node"),
            ("0 0 2\n".to_owned(), "t.txt:1: a diagram without nodes is"),
        ] {
            let error = read(&text).unwrap_err();
            assert!(error.starts_with(wanted), "{error}");
        }
    }
}
