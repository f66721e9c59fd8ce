//! Weaving as a library: what a meta-program keeps of the original, and whose lines its lines are.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::LazyLock;

use proptest::prelude::*;

use wildcaught::insert::Piece;
use wildcaught::insert::Target;
use wildcaught::insert::Units;
use wildcaught::langdef::LangDef;
use wildcaught::lex::TokenKind;
use wildcaught::workspace::Member;
use wildcaught::workspace::Owner;
use wildcaught::workspace::Woven;
use wildcaught::workspace::weave;

use super::samples::cases;
use super::samples::languages;
use super::samples::sample;

/// Where the numbers of units begin.
const FIRST: u32 = 40;

/// The sample of a language, ready to be woven.
struct Cloth<'a> {
    def: &'a LangDef,
    target: Target,
    units: Units,
}

impl<'a> Cloth<'a> {
    fn new(def: &'a LangDef) -> Self {
        let path = PathBuf::from(format!("code.{}", def.file.extensions[0]));
        let target = Target::new(def, vec![(path, sample(def))]);
        let units = Units::new(def, target.view(0));
        Self { def, target, units }
    }

    /// Languages whose mutants can be switched.
    fn all() -> &'static [Cloth<'static>] {
        static ALL: LazyLock<Vec<Cloth<'static>>> = LazyLock::new(|| {
            languages().iter().filter(|def| def.file.switch.is_given()).map(Cloth::new).collect()
        });
        &ALL
    }

    fn text(&self) -> &[u8] {
        &self.target.files[0].text
    }

    /// The statement, or the body, that a token is in.
    fn piece(&self, token: u32, whole: bool) -> Option<Piece> {
        let function = self.units.function(token, token + 1)?;
        let body = || self.units.body(function, token, token + 1);
        let piece = if whole {
            body()
        } else {
            self.units.statements(function, token, token + 1).first().copied().or_else(body)
        }?;
        self.starts_its_line(piece).then_some(piece)
    }

    fn is_indented(&self) -> bool {
        self.def.file.switch.close.is_empty()
    }

    fn starts_its_line(&self, piece: Piece) -> bool {
        let start = self.target.files[0].tokens[piece.start as usize].span.start as usize;
        let line = self.text()[..start].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        !self.is_indented() || self.text()[line..start].iter().all(u8::is_ascii_whitespace)
    }

    /// One member for each of the tokens, numbered in order.
    fn members(&self, chosen: &[(prop::sample::Index, bool)]) -> Vec<Member> {
        let count = self.target.files[0].tokens.len();
        let pieces = chosen.iter().filter_map(|(token, whole)| self.piece(token.index(count) as u32, *whole));
        pieces.zip(0..).map(|(piece, mutant)| Member { mutant, piece }).collect()
    }

    fn weave(&self, members: &[Member]) -> Woven {
        weave(self.def, self.target.view(0), members, &[], FIRST, &|mutant, _| version(mutant).into_bytes())
    }
}

/// What a mutant makes of any piece: three lines that are seen nowhere else.
fn version(mutant: u32) -> String {
    format!("mutant{mutant}a;\nmutant{mutant}b;\nmutant{mutant}c;")
}

fn fill(template: &str, unit: u32, mutant: usize) -> String {
    template.replace("{unit}", &unit.to_string()).replace("{mutant}", &mutant.to_string())
}

fn without_space(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace()).collect()
}

/// The text with every guard replaced by the original that it guards, all white space left out.
fn unravelled(cloth: &Cloth, woven: &Woven) -> String {
    let switch = &cloth.def.file.switch;
    let labels = regex::Regex::new("__label__[A-Za-z_0-9,]+;").unwrap();
    let text = without_space(&String::from_utf8_lossy(&woven.text));
    let mut text = labels.replace_all(&text, "").into_owned();
    for unit in &woven.units {
        let mut tail = String::new();
        for (place, mutant) in unit.mutants.iter().enumerate() {
            let head = if place + 1 == unit.mutants.len() { &switch.last } else { &switch.next };
            tail.push_str(&fill(head, unit.number, place + 1));
            tail.push_str(&version(*mutant));
        }
        tail.push_str(&switch.close);
        for guard in [without_space(&tail), without_space(&fill(&switch.open, unit.number, 0))] {
            assert_eq!(text.matches(&guard).count(), 1, "{}: {guard}\n{text}", cloth.def.name());
            text = text.replacen(&guard, "", 1);
        }
    }
    text
}

/// The lines of a woven text, counted from 1.
fn lines(woven: &Woven) -> impl Iterator<Item = (u32, String)> {
    let text = String::from_utf8_lossy(&woven.text).into_owned();
    (1..).zip(text.split('\n').map(str::to_owned).collect::<Vec<_>>())
}

#[test]
fn a_file_without_mutants_stays_as_it_is() {
    for cloth in Cloth::all() {
        let woven = cloth.weave(&[]);
        assert!(woven.text == cloth.text(), "{}", cloth.def.name());
        assert!(woven.units.is_empty());
        assert!(lines(&woven).all(|(line, _)| woven.regions.owner(line).is_none()));
    }
}

#[test]
fn every_language_that_switches_has_pieces_in_its_sample() {
    for cloth in Cloth::all() {
        let tokens = cloth.target.files[0].tokens.len() as u32;
        let pieces: BTreeSet<Piece> = (0..tokens).filter_map(|token| cloth.piece(token, false)).collect();
        assert!(!pieces.is_empty(), "{}", cloth.def.name());
    }
}

#[test]
fn a_definition_that_says_nothing_of_statements_still_has_pieces() {
    let keys = ["continues", "blocks", "tested_last", "before_statements", "before_values", "returning"];
    for def in languages().iter().filter(|def| def.file.switch.is_given()) {
        let path = format!("{}/langdefs/{}.toml", env!("CARGO_MANIFEST_DIR"), def.name());
        let mut file: toml::Table = std::fs::read_to_string(path).unwrap().parse().unwrap();
        let syntax = file["syntax"].as_table_mut().unwrap();
        keys.iter().chain(&["throwing", "creates"]).for_each(|key| drop(syntax.remove(*key)));
        let bare = LangDef::parse(&toml::to_string(&file).unwrap(), "bare").unwrap();
        let cloth = Cloth::new(&bare);
        let tokens = cloth.target.files[0].tokens.len() as u32;
        assert!((0..tokens).any(|token| cloth.piece(token, false).is_some()), "{}", def.name());
        assert!(cloth.weave(&[]).text == cloth.text(), "{}", def.name());
    }
}

#[test]
fn only_what_is_const_itself_cannot_be_switched() {
    let def = languages().iter().find(|def| def.file.name == "rust").expect("there is Rust");
    let text = b"unsafe fn a(p: *const u8) -> u8 { let x = *p; x } const fn b() -> u8 { let x = 1; x } \
                 fn c<const N: usize>() -> usize { let x = N; x }";
    let target = Target::new(def, vec![(PathBuf::from("a.rs"), text.to_vec())]);
    let units = Units::new(def, target.view(0));
    let file = &target.files[0];
    let lets = (0..file.tokens.len() as u32).filter(|at| file.token(*at as usize) == b"let");
    let switched = lets.map(|at| units.body(units.function(at, at + 1).unwrap(), at, at + 1).is_some());
    assert_eq!(switched.collect::<Vec<_>>(), [true, false, true]);
}

#[test]
fn pieces_are_nested_or_apart() {
    for cloth in Cloth::all() {
        let tokens = cloth.target.files[0].tokens.len() as u32;
        let both = |token| [true, false].map(|whole| cloth.piece(token, whole));
        let pieces: BTreeSet<Piece> = (0..tokens).flat_map(both).flatten().collect();
        for (a, b) in pieces.iter().flat_map(|a| pieces.iter().map(move |b| (a, b))) {
            let apart = a.end <= b.start || b.end <= a.start;
            let nested = a.holds(b.start, b.end) || b.holds(a.start, a.end);
            assert!(apart || nested, "{}: {a:?} {b:?}", cloth.def.name());
        }
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn without_its_guards_a_meta_program_is_the_original(
        chosen in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 1..40)
    ) {
        for cloth in Cloth::all() {
            let woven = cloth.weave(&cloth.members(&chosen));
            let original = without_space(&String::from_utf8_lossy(cloth.text()));
            prop_assert_eq!(unravelled(cloth, &woven), original, "{}", cloth.def.name());
        }
    }

    #[test]
    fn the_inside_of_literals_is_not_moved(
        chosen in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 1..40)
    ) {
        for cloth in Cloth::all() {
            let woven = cloth.weave(&cloth.members(&chosen));
            let text = String::from_utf8_lossy(&woven.text);
            let file = &cloth.target.files[0];
            for at in (0..file.tokens.len()).filter(|at| file.tokens[*at].kind == TokenKind::String) {
                let literal = String::from_utf8_lossy(file.token(at));
                prop_assert!(text.contains(&*literal), "{}: {}", cloth.def.name(), literal);
            }
        }
    }

    #[test]
    fn every_line_of_a_mutant_is_owned_by_it(
        chosen in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 1..40)
    ) {
        for cloth in Cloth::all() {
            let members = cloth.members(&chosen);
            let woven = cloth.weave(&members);
            let mut seen = 0;
            for (line, text) in lines(&woven) {
                let Some(rest) = text.trim().strip_prefix("mutant") else { continue };
                let digits = rest.find(['a', 'b', 'c']).unwrap();
                let owner = Owner::Mutant(rest[..digits].parse().unwrap());
                prop_assert_eq!(woven.regions.owner(line), Some(owner), "{}", text);
                seen += 1;
            }
            prop_assert_eq!(seen, members.len() * 3, "{}", cloth.def.name());
        }
    }

    #[test]
    fn every_token_is_found_at_its_new_line(
        chosen in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 1..40)
    ) {
        for cloth in Cloth::all() {
            let woven = cloth.weave(&cloth.members(&chosen));
            let lines: Vec<String> = lines(&woven).map(|(_, text)| text).collect();
            let file = &cloth.target.files[0];
            for at in (0..file.tokens.len()).filter(|at| !file.tokens[*at].kind.is_layout()) {
                let start = file.tokens[at].span.start;
                let line = woven.regions.line_of(start, &file.text) as usize;
                let token = String::from_utf8_lossy(file.token(at)).into_owned();
                let first = token.lines().next().unwrap_or("");
                prop_assert!(lines[line - 1].contains(first), "{}: {} in {}", cloth.def.name(), first, lines[line - 1]);
            }
        }
    }

    #[test]
    fn mutants_of_one_piece_are_numbered_in_their_order(
        chosen in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 1..40)
    ) {
        for cloth in Cloth::all() {
            let members = cloth.members(&chosen);
            let woven = cloth.weave(&members);
            let numbers: Vec<u32> = woven.units.iter().map(|unit| unit.number).collect();
            prop_assert_eq!(numbers, (FIRST..).take(woven.units.len()).collect::<Vec<_>>());
            for unit in &woven.units {
                let here: Vec<u32> =
                    members.iter().filter(|member| member.piece == unit.piece).map(|member| member.mutant).collect();
                prop_assert_eq!(&unit.mutants, &here);
            }
        }
    }
}

#[test]
fn a_body_that_ends_with_a_block_holds_the_statements_in_it() {
    let def = languages().iter().find(|def| def.name() == "python").unwrap();
    let text = "def f(a):\n    try:\n        g(a)\n    except E as e:\n        raise X(a) from e\n\n\ndef h():\n    pass\n";
    let target = Target::new(def, vec![(PathBuf::from("a.py"), text.as_bytes().to_vec())]);
    let units = Units::new(def, target.view(0));
    let body = units.body(0, units.whole(0).start + 1, units.whole(0).start + 2).unwrap();
    for (_, statement) in units.all_statements().filter(|(function, _)| *function == 0) {
        assert!(body.holds(statement.start, statement.end), "{statement:?} in {body:?}");
    }
    let members: Vec<Member> = [body]
        .into_iter()
        .chain(units.all_statements().filter(|(function, _)| *function == 0).map(|(_, piece)| piece))
        .zip(0..)
        .map(|(piece, mutant)| Member { mutant, piece })
        .collect();
    let woven = weave(def, target.view(0), &members, &[], FIRST, &|_, _| b"pass".to_vec());
    assert!(String::from_utf8_lossy(&woven.text).contains("def h():"));
}
