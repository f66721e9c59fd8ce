//! The lines of a function.

/// A function and the lines it stands on, from its head to its end; lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FunctionLines {
    pub first: u32,
    pub last: u32,
    pub name: String,
}

impl FunctionLines {
    /// The innermost of these functions that a line is in: the one with the fewest lines.
    pub fn around(functions: &[Self], line: u32) -> Option<&Self> {
        let holding = functions.iter().filter(|function| function.first <= line && line <= function.last);
        holding.min_by_key(|function| function.last - function.first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_in_the_innermost_function() {
        let function = |first, last, name: &str| FunctionLines { first, last, name: name.into() };
        let functions = [function(1, 9, "outer"), function(3, 5, "inner")];
        let at = |line| FunctionLines::around(&functions, line).map(|function| function.name.as_str());
        assert_eq!([at(2), at(4), at(10)], [Some("outer"), Some("inner"), None]);
    }
}
