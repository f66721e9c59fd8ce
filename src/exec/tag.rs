//! Which run a process belongs to: a variable in the environment of everything that is started.

use std::fs;
use std::sync::OnceLock;

/// The variable.
pub const TAG: &str = "WILDCAUGHT_RUN";

/// A process, whatever becomes of its number: the number, when it was started, and in which namespace the number is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessIdentity {
    namespace: String,
    pub number: u32,
    started: u64,
}

impl ProcessIdentity {
    /// This process; none where the system does not say.
    pub fn own() -> Option<&'static Self> {
        static OWN: OnceLock<Option<ProcessIdentity>> = OnceLock::new();
        OWN.get_or_init(|| Self::of(std::process::id())).as_ref()
    }

    /// A process that runs.
    fn of(number: u32) -> Option<Self> {
        let link = fs::read_link("/proc/self/ns/pid").ok()?;
        let namespace = link.to_string_lossy().chars().filter(char::is_ascii_digit).collect();
        Some(Self { namespace, number, started: started(number)? })
    }

    /// Reads what [`ProcessIdentity::tag`] wrote.
    pub fn parse(tag: &str) -> Option<Self> {
        let mut parts = tag.split('-');
        let (namespace, number, started) = (parts.next()?, parts.next()?, parts.next()?);
        if parts.next().is_some() {
            return None;
        }
        Some(Self {
            namespace: namespace.into(),
            number: number.parse().ok()?,
            started: started.parse().ok()?,
        })
    }

    /// The value of the variable.
    pub fn tag(&self) -> String {
        format!("{}-{}-{}", self.namespace, self.number, self.started)
    }

    /// Whether it has ended for sure. Of another namespace, nothing is known.
    pub fn is_dead(&self) -> bool {
        let ours = Self::own().is_some_and(|own| own.namespace == self.namespace);
        ours && started(self.number) != Some(self.started)
    }
}

/// When a process was started, in ticks since the system was.
fn started(number: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
    // The name of the program may have blanks and brackets in it; field 22 is the 20th after it.
    let (_, rest) = text.rsplit_once(") ")?;
    let fields: Vec<&str> = rest.split(' ').collect();
    // One that waits to be collected does nothing any more.
    (fields.first() != Some(&"Z")).then(|| fields.get(19)?.parse().ok()).flatten()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_known_by_its_start_and_not_by_its_number_alone() {
        let own = ProcessIdentity::own().unwrap();
        assert_eq!(ProcessIdentity::parse(&own.tag()).as_ref(), Some(own));
        assert!(!own.is_dead());
        assert!(ProcessIdentity { started: own.started + 1, ..own.clone() }.is_dead());
        let elsewhere = ProcessIdentity { namespace: "1".into(), started: 0, ..own.clone() };
        assert!(!elsewhere.is_dead(), "numbers of another namespace say nothing here");
        assert_eq!(ProcessIdentity::parse("1-2-3-4"), None);
    }
}
