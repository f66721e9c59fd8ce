//! What GCC's --coverage writes: notes and counters of any bytes are read or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wildcaught::matrix::Counters;
use wildcaught::matrix::Notes;
use wildcaught::matrix::executed;

fuzz_target!(|bytes: &[u8]| {
    let counters = Counters::read(bytes, "fuzz");
    let Ok(notes) = Notes::read(bytes, "fuzz") else { return };
    for function in &notes.functions {
        let counted = function.arcs.iter().filter(|arc| !arc.on_tree).count();
        drop(executed(function, &vec![1; counted]));
        let known = counters.as_ref().ok().and_then(|all| all.functions.get(&(function.ident, function.checksum)));
        drop(known.map(|counts| executed(function, counts)));
    }
});
