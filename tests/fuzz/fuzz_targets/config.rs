//! `wildcaught.toml`: whatever the text, it is read or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wildcaught::harness::Config;

fuzz_target!(|text: &str| {
    if let Err(error) = Config::parse(text, "fuzz") {
        assert!(error.to_string().starts_with("fuzz"), "{error}");
    }
});
