#!/usr/bin/env run-cargo-script
//! A parser of tiny expressions; /* not a comment opener */ here.
#![allow(dead_code)]

/* nested /* comments /* are */ fine */ here: "unclosed */
use std::{collections::BTreeMap, fmt};

const STRINGS: &[&str] = &[
    "plain", "esc \" \\ \n \u{1F980}", "two
lines", "joined \
     here", r"raw \", r#"raw "quoted" "#, r##"with "# inside"##,
];
const BYTES: &[&[u8]] = &[b"bytes\x00\"", br"raw\", br##"raw "#"##];
const C: &std::ffi::CStr = c"nul-terminated";
const CRAW: &std::ffi::CStr = cr#"raw "c""#;
const CHARS: [char; 8] = ['a', '\'', '"', '\\', '\u{e9}', 'é', '🦀', ' '];
const BYTE: [u8; 3] = [b'x', b'\'', b'\\'];
const NUMBERS: (i32, u64, f64, f32, usize) = (1_000, 0xFF_u64, 1.5e-3, 2f32, 1usize+2);
const REALS: [f64; 5] = [1., 2.0e+10, 1e5, 3.0_f64, 0.5];
const RADIX: [i64; 3] = [0b1010_1010, 0o777, -0x7fi64];

#[derive(Debug, Clone, PartialEq)]
pub enum Expr<'src, T: 'static + ?Sized> {
    Name(&'src str),
    Pair(Box<(Expr<'src, T>, Expr<'src, T>)>),
    Marker(std::marker::PhantomData<T>),
}

macro_rules! sum {
    ($($x:expr),* $(,)?) => { 0 $(+ $x)* };
    (@inner $crate:tt) => { $crate::sum!() };
}

impl<'a, 'b: 'a> Parser<'a, 'b> {
    /// Doc comment with `code` and "quotes".
    pub async fn parse(&mut self, r#type: &'a str) -> Result<Vec<Vec<u8>>, fmt::Error> {
        let pair = ((1, 2), 3);
        let (first, nested) = (pair.1, pair.0.1);
        'outer: for i in 0..10 {
            for j in (0..=i).rev() {
              