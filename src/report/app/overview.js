// The first page: the result of the run, and where to look first.
function overview() {
  const counts = tally(range(COUNT)), total = score(counts);
  const missed = D.ranked.length;
  return [
    h('h2', null, D.title),
    h('div.top', null,
      h('div', null, h('div.score', null, total === null ? '–' : (100 * total).toFixed(1), h('small', null, ' %')),
        h('div.faint', null, 'of the tested mutants were killed')),
      h('div', null, bar(counts),
        h('ul.legend', null, FATES.filter(f => counts[f]).map(f => h('li', null, h('a.chip.fate-' + f, { href: '#/mutants?fate=' + f, title: MEANING[f] }, h('i.dot', { 'aria-hidden': 'true' }), h('b', null, thousands(counts[f])), f)))),
        h('p.faint', null, facts().join(' · ')))),
    missed ? h('section', null, h('h2', null, 'Most useful to test'),
      h('p.faint', null, 'Survivors that many tests execute, from operators that often occur in fixes; one per function first.'),
      h('ul.cards', null, D.first.map(m => card(m))),
      missed > D.first.length ? h('p', null, link('mutants?fate=survived,not-covered', 'all ' + thousands(missed) + ' missed mutants')) : null) : null,
    D.groups.length ? h('section', null, h('h2', null, 'Groups of survivors'), h('p.faint', null, D.groupsSay),
      h('ul.cards', null, D.groups.slice(0, 5).map(g => card(g.of, 'stands for ' + many(g.others.length, 'more mutant'))))) : null,
    trend(),
    h('section', null, h('h2', null, 'Files'), filesTable()),
    h('div.grid', null,
      h('section', null, h('h2', null, 'Tests that kill nothing'), idle()),
      h('section', null, h('h2', null, 'Slowest tests'), slowest())),
    h('section', null, h('h2', null, 'Operators with most survivors'), operatorsTable(10)),
  ];
}
function facts() {
  const out = [many(COUNT, 'mutant'), many(TESTS, 'test')];
  if (D.dominator !== null) out.push('dominator score ' + percent(D.dominator));
  if (D.accepted.length) out.push(thousands(D.accepted.length) + ' accepted');
  if (D.seconds) out.push(duration(D.seconds * 1000));
  if (D.at) out.push(D.at);
  out.push('wildcaught ' + D.version);
  return out;
}
function card(m, note) {
  const fate = fateOf(m);
  return h('li.card.fate-' + fate, null, link(toMutant(m), place(m)), ' ', badge(fate),
    note ? h('span.faint', null, ' ' + note) : null,
    h('div.words', null, words(operator(m).words), reachNote(m)), diff(m, 1));
}
const reachNote = m => { const n = covered(m).length; return h('span.faint', null, n ? ' · ' + many(n, 'test') + (n === 1 ? ' executes' : ' execute') + ' it' : ' · no test executes it'); };
function filesTable() {
  const rows = [], folders = new Map();
  byFile().forEach((list, f) => {
    const counts = tally(list), path = D.files[f].path;
    rows.push({ path, counts, f });
    const parts = path.split('/').slice(0, -1);
    for (let n = 1; n <= parts.length; n++) {
      const name = parts.slice(0, n).join('/') + '/';
      if (!folders.has(name)) folders.set(name, { path: name, counts: tally([]), f: null, files: 0 });
      const folder = folders.get(name);
      folder.files++;
      for (const fate of FATES) folder.counts[fate] += counts[fate];
    }
  });
  if (D.files.length > 1) rows.push(...[...folders.values()].filter(row => row.files > 1));
  const missed = row => row.counts.survived + row.counts['not-covered'];
  return sortable('files', [
    ['score', row => percent(score(row.counts)), row => score(row.counts) === null ? 2 : score(row.counts), 'r'],
    ['survived', row => thousands(row.counts.survived), row => row.counts.survived, 'r'],
    ['not covered', row => thousands(row.counts['not-covered']), row => row.counts['not-covered'], 'r'],
    ['', row => bar(row.counts, true), missed, 'bars'],
    ['file', row => row.f === null ? h('b', null, row.path) : link(toFile(row.f), row.path), row => row.path, 'name'],
  ], rows, 3);
}
function idle() {
  const rows = byTest().filter(row => row.ran && !row.kills);
  if (!rows.length) return h('p.faint', null, TESTS ? 'Every test that ran on a mutant killed one.' : 'There are no tests.');
  const note = D.full ? '' : 'Each mutant ran only until the first test that killed it, so a test here may kill mutants that others killed first.';
  return [h('p.faint', null, note), sortable('tests that kill nothing', [
    ['run on', row => thousands(row.ran), row => row.ran, 'r'],
    ['test', row => link('mutants?test=' + row.test, row.name), row => row.name, 'name'],
  ], rows, 0, 10)];
}
const slowest = () => sortable('slowest tests', [
  ['time', row => duration(row.millis), row => row.millis, 'r'],
  ['kills', row => thousands(row.kills), row => row.kills, 'r'],
  ['test', row => link('mutants?test=' + row.test, row.name), row => row.name, 'name'],
], byTest(), 0, 10);
// The score over the runs that were kept.
function trend() {
  const runs = D.history.filter(run => run.score !== null);
  if (runs.length < 2) return null;
  const W = 640, H = 130, x = i => 46 + i * (W - 60) / (runs.length - 1);
  const low = Math.min(...runs.map(r => r.score)), high = Math.max(...runs.map(r => r.score)), span = Math.max(high - low, 0.02);
  const y = s => 14 + (H - 34) * (1 - (s - low) / span);
  const svg = (name, attributes, text) => { const n = document.createElementNS('http://www.w3.org/2000/svg', name); for (const k in attributes) n.setAttribute(k, attributes[k]); if (text) n.textContent = text; return n; };
  const label = 'score of the last ' + runs.length + ' runs, from ' + percent(runs[0].score) + ' to ' + percent(runs[runs.length - 1].score);
  const root = svg('svg', { viewBox: `0 0 ${W} ${H}`, width: W, role: 'img', 'aria-label': label });
  for (const s of span === high - low ? [low, high] : [low]) root.append(svg('text', { x: 0, y: y(s) + 4, fill: 'var(--faint)', 'font-size': 12 }, percent(s)), svg('line', { x1: 46, x2: W, y1: y(s), y2: y(s), stroke: 'var(--rule)' }));
  root.append(svg('polyline', { points: runs.map((r, i) => x(i) + ',' + y(r.score)).join(' '), fill: 'none', stroke: 'var(--mark)', 'stroke-width': 2 }));
  runs.forEach((r, i) => { const dot = svg('circle', { cx: x(i), cy: y(r.score), r: 3.5, fill: 'var(--mark)' }); dot.append(svg('title', {}, r.at + ': ' + percent(r.score) + ' of ' + many(r.mutants, 'mutant'))); root.append(dot); });
  return h('section', null, h('h2', null, 'Trend'), root);
}
