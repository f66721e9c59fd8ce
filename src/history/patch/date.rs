//! The ways in which git and mail write a date.

/// Seconds since 1970, or none for what is no date (`3 days ago`). Without a zone, UTC is taken.
///
/// Knows git's default, `iso`, `iso-strict`, `rfc`, `raw`, `unix` and `short` formats.
pub fn parse_date(text: &[u8]) -> Option<i64> {
    let mut date = Date::default();
    for word in text.split(|byte| matches!(byte, b' ' | b'\t' | b',' | b'(' | b')' | b'\r' | b'\n')) {
        date.see(std::str::from_utf8(word).ok()?);
    }
    date.seconds()
}

#[derive(Default)]
struct Date {
    unix: Option<i64>,
    year: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    time: i64,
    zone: i64,
}

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

impl Date {
    fn see(&mut self, word: &str) {
        if let Some(month) = MONTHS.iter().position(|name| *name == word) {
            self.month = Some(month as i64 + 1);
        } else if let Some(zone) = zone(word) {
            self.zone = zone;
        } else if word.bytes().all(|byte| byte.is_ascii_digit()) {
            self.see_number(word);
        } else if !word.starts_with(|c: char| c.is_ascii_digit()) {
            // The name of a day or a zone.
        } else if let Some((date, time)) = word.split_once('T') {
            self.see_day(date);
            self.see_time(time);
        } else if word.contains(':') {
            self.see_time(word);
        } else {
            self.see_day(word);
        }
    }

    fn see_number(&mut self, word: &str) {
        let number = word.parse().ok();
        match word.len() {
            1 | 2 => self.day = self.day.or(number),
            4 => self.year = self.year.or(number),
            5.. => self.unix = self.unix.or(number),
            _ => {}
        }
    }

    /// `2001-09-17`
    fn see_day(&mut self, word: &str) {
        let mut parts = word.splitn(3, '-').map(|part| part.parse::<u16>().ok().map(i64::from));
        if let (Some(Some(year)), Some(Some(month)), Some(Some(day))) =
            (parts.next(), parts.next(), parts.next())
        {
            (self.year, self.month, self.day) = (Some(year), Some(month), Some(day));
        }
    }

    /// `10:20:30`, with or without a zone right after it
    fn see_time(&mut self, word: &str) {
        let end = word.find(|c: char| !c.is_ascii_digit() && c != ':').unwrap_or(word.len());
        let (clock, rest) = word.split_at(end);
        let units = clock.split(':').map(|part| i64::from(part.parse::<u16>().unwrap_or(0)));
        self.time = units.zip([3600, 60, 1]).map(|(count, unit)| count * unit).sum();
        self.zone = zone(rest).unwrap_or(self.zone);
    }

    fn seconds(&self) -> Option<i64> {
        if self.unix.is_some() {
            return self.unix;
        }
        let (year, month, day) = (self.year?, self.month?, self.day?);
        let valid = (1..=12).contains(&month) && (1..=31).contains(&day);
        valid.then(|| days_since_1970(year, month, day) * 86_400 + self.time - self.zone)
    }
}

/// `+0200`, `-02:00`, `Z`, in seconds east of Greenwich.
fn zone(word: &str) -> Option<i64> {
    if matches!(word, "Z" | "UTC" | "GMT" | "UT") {
        return Some(0);
    }
    let sign = if word.starts_with('-') { -1 } else { 1 };
    let digits: String = word.strip_prefix(['+', '-'])?.chars().filter(|&c| c != ':').collect();
    let number: u16 = digits.parse().ok().filter(|_| digits.len() == 4)?;
    let number = i64::from(number);
    Some(sign * (number / 100 * 3600 + number % 100 * 60))
}

/// Counts from March, so that the leap day is a year's last; all that is left is months of 30.6 days.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_date_format_of_git_is_read() {
        for text in [
            "Mon Sep 17 01:02:03 2001 +0200",
            "2001-09-17 01:02:03 +0200",
            "2001-09-17T01:02:03+02:00",
            "2001-09-16T23:02:03Z",
            "Mon, 17 Sep 2001 01:02:03 +0200",
            "Mon, 17 Sep 2001 01:02:03 +0200 (CEST)",
            "17 Sep 2001 01:02:03 +0200",
            "1000681323 +0200",
            "1000681323",
            "Sun Sep 16 23:02:03 2001",
        ] {
            assert_eq!(parse_date(text.as_bytes()), Some(1_000_681_323), "{text}");
        }
        assert_eq!(parse_date(b"2000-02-29"), Some(951_782_400));
        assert_eq!(parse_date(b"Thu Jan 1 00:00:00 1970 +0000"), Some(0));
    }

    #[test]
    fn what_is_no_date_gives_none() {
        for text in ["3 days ago", "", "yesterday", "2001-13-01", "\u{e4} 17 2001", "99999999999999999999"] {
            assert_eq!(parse_date(text.as_bytes()), None, "{text}");
        }
        assert_eq!(parse_date(b"\xff 2001-09-17"), None);
    }
}
