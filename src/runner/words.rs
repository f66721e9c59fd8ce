//! Command lines that need no shell.

/// A program in the tree, its arguments, and perhaps a file that it reads.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Words {
    pub program: String,
    pub arguments: Vec<String>,
    pub input: Option<String>,
}

/// What has a meaning for a shell, where it is not quoted,
const SPECIAL: &str = "|&;$`*?()>\\~#[]!\n";
/// and within double quotes.
const SPECIAL_QUOTED: &str = "$`\\!";

/// Reads a line as a shell would; nothing if it takes a shell to do what it says.
pub(super) fn plain_words(line: &str) -> Option<Words> {
    let (call, input) = split_words(line)?;
    let input = match &input[..] {
        [] => None,
        [input] => Some(input.clone()),
        _ => return None,
    };
    let (program, arguments) = call.split_first()?;
    let in_tree = program.contains('/') && !program.contains('=');
    in_tree.then(|| Words { program: program.clone(), arguments: arguments.to_vec(), input })
}

/// The words of a line that takes no shell to run.
pub(super) fn words(line: &str) -> Option<Vec<String>> {
    split_words(line).filter(|(_, input)| input.is_empty()).map(|(words, _)| words)
}

/// The words before and after `<`.
fn split_words(line: &str) -> Option<(Vec<String>, Vec<String>)> {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let mut redirected = false;
    let mut word: Option<String> = None;
    let mut letters = line.trim().chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next()? {
                        end if end == letter => break,
                        inside if letter == '"' && SPECIAL_QUOTED.contains(inside) => return None,
                        inside => word.push(inside),
                    }
                }
            }
            '<' if redirected => return None,
            ' ' | '\t' | '<' => {
                let words = if redirected { &mut after } else { &mut before };
                words.extend(word.take());
                redirected |= letter == '<';
            }
            _ if SPECIAL.contains(letter) => return None,
            _ => word.get_or_insert_default().push(letter),
        }
    }
    let words = if redirected { &mut after } else { &mut before };
    words.extend(word);
    (redirected != after.is_empty()).then_some((before, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Option<(String, Option<String>)> {
        plain_words(line)
            .map(|words| ([vec![words.program], words.arguments].concat().join("|"), words.input))
    }

    #[test]
    fn quotes_are_read_as_a_shell_does() {
        assert_eq!(words("./p -n  {case}"), Some(("./p|-n|{case}".into(), None)));
        assert_eq!(
            words("./p -e 'f(1); \"x\"' a\"b c\"d '' <'my {case}'"),
            Some(("./p|-e|f(1); \"x\"|ab cd|".into(), Some("my {case}".into())))
        );
    }

    #[test]
    fn what_takes_a_shell_is_left_to_one() {
        let lines = [
            "./p | q",
            "p {case}",
            "A=./b p",
            "./p \"$A\"",
            "./p 'a",
            "./p <",
            "./p < a b",
            "./p <a <b",
            "./p *",
            "",
        ];
        for line in lines {
            assert_eq!(words(line), None, "{line}");
        }
    }
}
