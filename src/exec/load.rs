//! How busy the machine is.

/// How many processes want each processor, rounded up: 1 where all get what they want, or nothing is known.
pub fn load() -> u32 {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let wanting: f64 = text.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0.0);
    (wanting / processors as f64).ceil().max(1.0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn somebody_always_works() {
        assert!(load() >= 1);
    }
}
