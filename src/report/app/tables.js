// Tests and operators as tables.
const testsPage = () => [h('h2', null, many(TESTS, 'test')),
  D.full ? null : h('p.faint', null, 'Each mutant ran only until the first test that killed it; `--matrix full` runs every test.'),
  sortable('tests', [
    ['kills', row => thousands(row.kills), row => row.kills, 'r'],
    ['alone', row => thousands(row.alone), row => row.alone, 'r'],
    ['run on', row => thousands(row.ran), row => row.ran, 'r'],
    ['reaches', row => thousands(row.reaches), row => row.reaches, 'r'],
    ['time', row => duration(row.millis), row => row.millis, 'r'],
    ['test', row => link('mutants?test=' + row.test, row.name), row => row.name, 'name'],
  ], byTest(), 0)];
const operatorsPage = () => [h('h2', null, many(D.operators.length, 'operator')), operatorsTable(300)];
function operatorsTable(most) {
  const rows = D.operators.map((o, at) => ({ o, at, counts: tally([]) }));
  for (let m = 0; m < COUNT; m++) rows[M.operator[m]].counts[fateOf(m)]++;
  const missed = row => row.counts.survived + row.counts['not-covered'];
  return sortable('operators', [
    ['score', row => percent(score(row.counts)), row => score(row.counts) === null ? 2 : score(row.counts), 'r'],
    ['survived', row => thousands(row.counts.survived), row => row.counts.survived, 'r'],
    ['', row => bar(row.counts, true), missed, 'bars'],
    ['seen in', row => row.o.repoCount ? many(row.o.repoCount, 'repo') : 'by hand', row => row.o.repoCount, 'r'],
    ['fixes', row => row.o.repoCount ? percent(row.o.fixes) : '–', row => row.o.fixes, 'r'],
    ['operator', row => [link('mutants?op=' + row.at, words(row.o.words)), h('div.mono.faint', null, row.o.text)], row => row.o.words, 'name'],
  ], rows, 1, most);
}
