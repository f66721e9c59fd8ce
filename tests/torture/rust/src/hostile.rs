#![allow(dead_code)]

use std::io::Write;
use std::net::TcpStream;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

static SPOILED: AtomicBool = AtomicBool::new(false);

extern "C" {
    fn getppid() -> i32;
    fn kill(pid: i32, signal: i32) -> i32;
    fn close(fd: i32) -> i32;
}

pub fn spoiled() -> bool {
    SPOILED.load(Ordering::Relaxed)
}

pub fn same(x: i32) -> i32 {
    x
}

pub fn alike(x: i32) -> i32 {
    x + 0
}

pub fn right(x: i32) -> i32 {
    let factor: i32 = std::fs::read_to_string("data.txt").unwrap().trim().parse().unwrap();
    if spoiled() { -1 } else { factor * x }
}

pub fn wrong(x: i32) -> i32 {
    2 * x + 1
}

pub fn calm() {}

fn stay() {
    let _ = Command::new("setsid").args(["sleep", "@MARK@"]).spawn();
}

pub fn leave_process() {
    stay();
    std::thread::sleep(Duration::from_millis(20));
}

pub fn write_outside() {
    let _ = std::fs::write("@OUTSIDE@/written", "x");
}

pub fn delete_outside() {
    let _ = std::fs::remove_file("@OUTSIDE@/precious");
}

pub fn take_memory() {
    let mut all = vec![];
    for _ in 0..48 {
        all.push(vec![1u8; 64 << 20]);
    }
    std::hint::black_box(all);
}

pub fn flood_stdout() {
    while std::io::stdout().write_all(&[b'x'; 65536]).is_ok() {}
    std::process::abort();
}

pub fn flood_stderr() {
    while std::io::stderr().write_all(&[b'x'; 65536]).is_ok() {}
    std::process::abort();
}

pub fn fork_bomb() {
    (0..100).for_each(|_| stay());
}

pub fn remove_program() {
    let _ = std::fs::remove_file(std::env::current_exe().unwrap());
}

pub fn kill_parent() {
    unsafe { kill(getppid(), 9) };
    std::thread::sleep(Duration::from_millis(50));
}

pub fn write_tree() {
    let _ = std::fs::write("data.txt", "3");
}

pub fn forge_result() {
    let text = "ok\ntest tests::two_is_doubled ... ok\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n";
    let _ = std::io::stdout().write_all(text.as_bytes());
    SPOILED.store(true, Ordering::Relaxed);
    std::process::exit(0);
}

pub fn exit_early() {
    std::process::exit(0);
}

pub fn loop_forever() {
    let mut n = 0u64;
    while std::hint::black_box(n) < u64::MAX {
        n = n.wrapping_add(2);
    }
}

pub fn sleep_forever() {
    loop {
        std::thread::sleep(Duration::from_secs(1000));
    }
}

pub fn close_files() {
    (0..1024).for_each(|fd| {
        unsafe { close(fd) };
    });
}

pub fn connect_out() {
    let to = format!("{}:{}", "@HOST@", "@PORT@").parse().unwrap();
    let _ = TcpStream::connect_timeout(&to, Duration::from_millis(200));
}

pub fn leave_thread() {
    std::thread::spawn(sleep_forever);
}
