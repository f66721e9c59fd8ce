'use strict';
// The data of the report: columns, sets of tests, and what is derived from them.
const D = JSON.parse(document.getElementById('data').textContent);
const M = D.mutants, COUNT = M.id.length, TESTS = D.tests.length;
const FATES = D.fates.map(f => f.name);
const MEANING = Object.fromEntries(D.fates.map(f => [f.name, f.means]));
const fateOf = m => FATES[+M.fate[m]];
const isMissed = f => f === 'survived' || f === 'not-covered';
const isDetected = f => f === 'killed' || f === 'time-out';
const SETS = new Map();
// A set of tests: 'r' and steps in base 36, '-' before the length of a run; or 'b' and bits in base 64.
function decode(at) {
  if (SETS.has(at)) return SETS.get(at);
  const text = D.sets[at];
  const found = [];
  if (text[0] === 'b') {
    const bits = atob(text.slice(1));
    for (let i = 0; i < bits.length; i++) {
      const byte = bits.charCodeAt(i);
      for (let k = 0; byte >> k; k++) if (byte >> k & 1) found.push(i * 8 + k);
    }
  } else if (text.length > 1) {
    let next = 0;
    for (const part of text.slice(1).split(' ')) {
      const [step, run] = part.split('-');
      let test = next + parseInt(step, 36);
      const end = test + (run ? parseInt(run, 36) : 0);
      for (; test <= end; test++) found.push(test);
      next = end + 1;
    }
  }
  if (SETS.size > 4000) SETS.clear();
  SETS.set(at, found);
  return found;
}
const covered = m => decode(M.covered[m]);
const ran = m => decode(M.ran[m]);
const kills = m => decode(M.kills[m]);
const BY_ID = new Map(M.id.map((id, m) => [id, m]));
const RANK = new Map(D.ranked.map((m, at) => [m, at]));
const place = m => D.files[M.file[m]].path + ':' + M.line[m] + ':' + M.column[m];
const operator = m => D.operators[M.operator[m]];
function tally(mutants) {
  const counts = Object.fromEntries(FATES.map(f => [f, 0]));
  for (const m of mutants) counts[fateOf(m)]++;
  return counts;
}
function score(counts) {
  const detected = counts.killed + counts['time-out'];
  const all = detected + counts.survived + counts['not-covered'];
  return all ? detected / all : null;
}
const percent = s => s === null ? '–' : (s === 1 || s === 0 ? String(100 * s) : (100 * s).toFixed(1)) + ' %';
const thousands = n => String(n).replace(/\B(?=(\d{3})+$)/g, ',');
const many = (n, word) => thousands(n) + ' ' + word + (n === 1 ? '' : 's');
const duration = ms => ms >= 60000 ? (ms / 60000).toFixed(1) + ' min' : ms >= 1000 ? (ms / 1000).toFixed(1) + ' s' : ms.toFixed(ms < 10 ? 1 : 0) + ' ms';
const range = n => Array.from({ length: n }, (_, i) => i);
let byFileCache = null;
function byFile() {
  if (!byFileCache) {
    byFileCache = D.files.map(() => []);
    for (let m = 0; m < COUNT; m++) byFileCache[M.file[m]].push(m);
  }
  return byFileCache;
}
let byTestCache = null;
// Per test: how many mutants it reaches, runs and kills, and which it alone kills.
function byTest() {
  if (byTestCache) return byTestCache;
  const rows = D.tests.map((name, test) => ({ test, name, millis: D.millis[test], reaches: 0, ran: 0, kills: 0, alone: 0 }));
  const weigh = (column, key) => {
    const uses = new Map();
    for (let m = 0; m < COUNT; m++) uses.set(column[m], (uses.get(column[m]) || 0) + 1);
    for (const [at, n] of uses) for (const t of decode(at)) rows[t][key] += n;
  };
  weigh(M.covered, 'reaches'); weigh(M.ran, 'ran'); weigh(M.kills, 'kills');
  for (let m = 0; m < COUNT; m++) { const k = kills(m); if (k.length === 1) rows[k[0]].alone++; }
  return byTestCache = rows;
}
