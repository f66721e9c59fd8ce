//! The pages of `docs/` that the program has in it, in the order of the manual.

/// A page of the manual.
pub(super) struct Page {
    /// What is typed: the file's name below `docs`.
    pub topic: &'static str,
    /// The part of the manual that it is in.
    pub part: &'static str,
    /// Its Markdown.
    pub text: &'static str,
}

macro_rules! page {
    ($part:literal, $topic:literal) => {
        page!($part, $topic, concat!($topic, ".md"))
    };
    ($part:literal, $topic:literal, $file:expr) => {
        Page { topic: $topic, part: $part, text: include_str!(concat!("../../../docs/", $file)) }
    };
}

pub(super) static PAGES: [Page; 33] = [
    page!("The manual", "manual", "README.md"),
    page!("Tutorials", "start"),
    page!("Tutorials", "ci"),
    page!("Tutorials", "faults"),
    page!("Tutorials", "fuzzing"),
    page!("Tutorials", "patches"),
    page!("Tutorials", "compilers"),
    page!("Tutorials", "mining"),
    page!("Tutorials", "scale"),
    page!("Reference", "commands"),
    page!("Reference", "settings"),
    page!("Reference", "frameworks"),
    page!("Reference", "choosing"),
    page!("Reference", "operators"),
    page!("Reference", "languages"),
    page!("Reference", "methods"),
    page!("Reference", "results"),
    page!("Reference", "exit-codes"),
    page!("Reference", "sandbox"),
    page!("Reference", "glossary"),
    page!("Explanations", "switching"),
    page!("Explanations", "ranking"),
    page!("Explanations", "verdicts"),
    page!("Explanations", "papers"),
    page!("Evaluation", "evaluation", "evaluation/README.md"),
    page!("Evaluation", "evaluation/tests"),
    page!("Evaluation", "evaluation/operators"),
    page!("Evaluation", "evaluation/localize"),
    page!("Evaluation", "evaluation/repair"),
    page!("Evaluation", "evaluation/witness"),
    page!("Evaluation", "evaluation/tame"),
    page!("Evaluation", "evaluation/sshom"),
    page!("Evaluation", "evaluation/speed"),
];

impl Page {
    /// The page of this topic; `tests` finds `evaluation/tests`, and case does not matter.
    pub(super) fn called(topic: &str) -> Option<&'static Self> {
        let topic = topic.to_lowercase();
        let topic = topic.strip_suffix(".md").unwrap_or(&topic);
        let short = |page: &&Self| page.topic.rsplit('/').next() == Some(topic);
        PAGES.iter().find(|page| page.topic == topic).or_else(|| PAGES.iter().find(short))
    }

    /// Its first line, without the mark of a heading.
    pub(super) fn title(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches(['#', ' '])
    }

    /// The directory of its file below `docs`, with a slash at the end; empty at the top.
    pub(super) fn directory(&self) -> &'static str {
        if self.topic.starts_with("evaluation") { "evaluation/" } else { "" }
    }
}
