//! Text inside XML and HTML.

use crate::text::one_line;

/// Escapes text for element content and attributes; what XML cannot hold at all becomes U+FFFD.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            // Marks that turn the direction of writing are spelled out.
            c => out.push_str(&one_line(c.encode_utf8(&mut [0; 4]))),
        }
    }
    out
}

/// JSON for an element `script`: no text in it can end the element or begin a comment.
pub(super) fn script_json(json: &str) -> String {
    json.replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_in_json_cannot_end_a_script() {
        let json = serde_json::to_string("</script><!--").unwrap();
        let safe = script_json(&json);
        assert!(!safe.contains('<'), "{safe}");
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), "</script><!--");
    }

    #[test]
    fn text_cannot_end_its_element_or_turn_the_line() {
        assert_eq!(escape("</script>\"&\u{1b}\n"), "&lt;/script&gt;&quot;&amp;\u{fffd} ");
        assert_eq!(escape("a\u{202e}b"), "a\\u{202e}b");
    }
}
