//! What the guards of a meta-program ask: which mutant of a unit is on. Built with the target's compiler.
#![allow(warnings)]

use std::ffi::c_void;

const UNITS: usize = @UNITS@;

#[repr(C, align(4096))]
struct Table<T>([T; UNITS]);

static mut ON: Table<u16> = Table([0; UNITS]);
static mut REACH: Table<u8> = Table([0; UNITS]);

/// The original runs, and its unit is noted. Only runs that ask for reach set it: the others do not write.
const NOTED: u16 = 65535;

#[inline(always)]
fn on(unit: usize) -> u16 {
    unsafe { std::ptr::addr_of!(ON.0).cast::<u16>().add(unit).read() }
}

/// Whether the original code of a unit is to run.
#[inline(always)]
pub fn off(unit: usize) -> bool {
    on(unit) == 0 || noted(unit)
}

#[cold]
fn noted(unit: usize) -> bool {
    // Several threads may pass a unit; all of them write the same byte.
    unsafe { std::ptr::addr_of_mut!(REACH.0).cast::<u8>().add(unit).write(1) };
    on(unit) == NOTED
}

/// Whether this mutant of a unit is to run.
#[inline(always)]
pub fn is(unit: usize, mutant: u16) -> bool {
    on(unit) == mutant
}

extern "C" {
    fn mmap(at: *mut c_void, length: usize, protect: i32, flags: i32, file: i32, offset: i64) -> *mut c_void;
}

/// Before `main`: reads the environment once.
extern "C" fn begin() {
    if let Ok(list) = std::env::var("WILDCAUGHT_ON") {
        for (unit, mutant) in list.split(',').filter_map(|item| item.split_once(':')) {
            if let (Ok(unit), Ok(mutant)) = (unit.parse::<usize>(), mutant.parse::<u16>()) {
                if unit < UNITS {
                    unsafe { std::ptr::addr_of_mut!(ON.0).cast::<u16>().add(unit).write(mutant) };
                }
            }
        }
    }
    #[cfg(unix)]
    if let Some(path) = std::env::var_os("WILDCAUGHT_REACH") {
        use std::os::fd::AsRawFd;
        let file = std::fs::OpenOptions::new().read(true).write(true).open(path);
        if let Ok(file) = file {
            // Read and write, shared, at exactly this address: the table is the file from now on.
            unsafe { mmap(std::ptr::addr_of_mut!(REACH).cast(), UNITS, 3, 0x11, file.as_raw_fd(), 0) };
            for unit in (0..UNITS).filter(|unit| on(*unit) == 0) {
                unsafe { std::ptr::addr_of_mut!(ON.0).cast::<u16>().add(unit).write(NOTED) };
            }
        }
    }
}

#[used]
#[cfg_attr(target_os = "linux", link_section = ".init_array")]
#[cfg_attr(target_os = "macos", link_section = "__DATA,__mod_init_func")]
static BEGIN: extern "C" fn() = begin;
