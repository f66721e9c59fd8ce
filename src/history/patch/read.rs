//! Reads a stream of patch text, one window at a time, each window with all threads.

use std::io::Read;
use std::path::PathBuf;

use rayon::prelude::*;

use crate::control::Progress;
use crate::history::Census;
use crate::history::Collector;
use crate::history::CommitSelection;
use crate::history::FixWords;
use crate::history::HistoryError;
use crate::history::HistoryReading;
use crate::langdef::LangDef;

use super::header;
use super::header::PatchHeader;
use super::lines::PatchLines;
use super::piece::PatchPiece;
use super::piece::PatchWish;
use super::piece::PieceReader;
use super::window::Windows;
use super::window::last_header;
use super::window::pieces;

/// Bytes of patch text that one thread reads at a time.
const PIECE: usize = 8 << 20;

/// Where patch text comes from.
pub struct PatchText<'a, R> {
    /// What a person knows it by: a path, or `standard input`.
    pub name: &'a str,
    pub input: R,
    /// Its length in bytes, if known, for whoever watches the progress.
    pub size: Option<u64>,
}

/// Reads patch text; `new_collector` is called once per piece, and the collectors come in its order.
pub fn read_patch<C: Collector>(
    source: PatchText<impl Read>,
    def: &LangDef,
    selection: &CommitSelection,
    fixes: &FixWords,
    progress: &Progress,
    new_collector: impl Fn() -> C + Sync,
) -> Result<HistoryReading<C>, HistoryError> {
    let wish = PatchWish { def, selection, fixes, progress };
    let threads = rayon::current_num_threads();
    read_in_pieces(source, wish, PIECE, threads, new_collector)
}

/// The same with sizes that tests choose.
pub(super) fn read_in_pieces<C: Collector>(
    source: PatchText<impl Read>,
    wish: PatchWish,
    piece_size: usize,
    threads: usize,
    new_collector: impl Fn() -> C + Sync,
) -> Result<HistoryReading<C>, HistoryError> {
    let fail = |error| HistoryError::Io { path: PathBuf::from(source.name), error };
    wish.progress.expect(source.size.unwrap_or(0));
    let mut windows = Windows::new(source.input, piece_size.saturating_mul(threads));
    let mut reading =
        HistoryReading { collectors: Vec::new(), census: Census::default(), warnings: Vec::new() };
    let mut header = PatchHeader::default();
    let mut next = windows.next().map_err(fail)?;
    while let Some(window) = next.take().filter(|_| !wish.progress.stopped()) {
        let pieces = with_headers(pieces(&window, threads), &mut header, wish.fixes);
        let mut read = Vec::new();
        // While the pool reads this window, the next one is fetched: a pipe may be slow.
        next = rayon::in_place_scope(|scope| {
            scope.spawn(|_| read = read_pieces(pieces, wish, &new_collector));
            windows.next()
        })
        .map_err(fail)?;
        for (collector, census) in read {
            reading.census.add(&census);
            reading.collectors.push(collector);
        }
    }
    reading.warnings = warnings(&reading.census, source.name);
    Ok(reading)
}

/// Gives each piece the commit that is spoken of where it begins; leaves the one where the last ends.
fn with_headers<'t>(texts: Vec<&'t [u8]>, header: &mut PatchHeader, fixes: &FixWords) -> Vec<PatchPiece<'t>> {
    let mut pieces = Vec::with_capacity(texts.len());
    for text in texts {
        pieces.push(PatchPiece { text, header: header.clone() });
        if let Some(at) = last_header(text) {
            *header = header::take(&mut PatchLines::new(text, at)).judge(fixes);
        }
    }
    pieces
}

fn read_pieces<C: Collector>(
    pieces: Vec<PatchPiece>,
    wish: PatchWish,
    new_collector: &(impl Fn() -> C + Sync),
) -> Vec<(C, Census)> {
    let read = |piece| {
        let mut collector = new_collector();
        let census = PieceReader::new(wish, piece, &mut collector).read();
        (collector, census)
    };
    pieces.into_par_iter().map(read).collect()
}

fn warnings(census: &Census, name: &str) -> Vec<String> {
    let mut warnings = Vec::new();
    if census.malformed > 0 {
        warnings.push(format!(
            "{name}: {} hunks are incomplete, contradict their header or are not unified diffs (`diff -u`, `git \
             log -p`); they were skipped",
            census.malformed
        ));
    }
    if census.bytes > 0 && census.commits + census.merges + census.files + census.malformed == 0 {
        warnings.push(format!(
            "{name}: no commit and no diff of this language found; use the output of `git log -p` or `diff -u` \
             without --graph and colours"
        ));
    }
    warnings
}
