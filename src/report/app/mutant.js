// One mutant: the change, where its operator was mined, which tests reach it and which kill it.
function mutantPage(id) {
  const m = BY_ID.get(id);
  if (m === undefined) return [h('p', null, 'This report has no mutant ' + id + '.')];
  const o = operator(m), fate = fateOf(m), killers = kills(m), reached = covered(m), f = M.file[m];
  const accepted = D.accepted.find(a => a.id === id);
  const passed = ran(m).filter(t => !killers.includes(t));
  return [
    h('h2', null, place(m), ' ', badge(fate)),
    h('p.words', null, 'The mutant ', words(o.words), functionAt(m) ? [' in ', h('code', null, functionAt(m))] : null, '. ', outcomeSentence(m, fate, killers, reached)),
    accepted ? h('p', null, h('b', null, 'Accepted: '), accepted.reason, accepted.author ? ' (' + accepted.author + ')' : '') : null,
    diff(m, 4),
    h('p', null, link(toFile(f) + '?line=' + M.line[m], 'in the source'), ' · ', link('mutants?op=' + M.operator[m], 'mutants of this operator'), ' · ', neighbours(m)),
    h('dl.facts', null,
      fact('id', h('code', null, M.id[m])), fact('operator', h('span', null, h('code', null, o.text), o.name ? ' (' + o.name + ')' : '')),
      fact('mined from', caught(o)), o.examples.length ? fact('for example', o.examples.join(', ')) : null,
      fact('run', ran(m).length ? many(ran(m).length, 'test') + ' in ' + duration(M.millis[m]) : 'not run')),
    testsList('Killed by', killers), testsList(isMissed(fate) ? 'Execute it and pass' : 'Ran and passed', passed),
    passed.length ? null : testsList('Reach it', reached.filter(t => !killers.includes(t))),
    M.log[m] >= 0 ? h('section', null, h('h2', null, 'Output'), h('pre', { tabindex: '0' }, D.logs[M.log[m]])) : null,
  ];
}
const fact = (name, value) => [h('dt', null, name), h('dd', null, value)];
function outcomeSentence(m, fate, killers, reached) {
  if (fate === 'survived') return many(reached.length || ran(m).length, 'test') + ' execute it and pass. To kill it, check a result that differs when the changed code runs.';
  if (fate === 'not-covered') return 'No test executes this line. To kill it, a test must first reach it.';
  if (fate === 'killed') return 'Killed by ' + (killers.length ? many(killers.length, 'test') : 'the tests') + '.';
  if (fate === 'time-out') return 'A test timed out, which counts as killed.';
  return MEANING[fate] + '.';
}
function caught(o) {
  if (!o.count) return o.repoCount ? 'in ' + many(o.repoCount, 'repo') + ', ' + percent(o.fixes) + ' of the changes in fixes' : 'none: written by hand';
  const names = o.repos.slice(0, 8).map(r => D.repositories[r]).join(', ');
  const more = o.repos.length > 8 ? ' and ' + (o.repos.length - 8) + ' more' : '';
  return many(o.count, 'change') + ' in ' + (o.repos.length === 1 ? '1 repository' : o.repos.length + ' repositories') + ', ' + percent(o.fixes) + ' of them in fixes' + (o.first ? ', ' + o.first + ' to ' + o.last : '') + (names ? ': ' + names + more : '');
}
function testsList(title, tests) {
  if (!tests.length) return null;
  const shown = tests.slice(0, 60);
  return h('section', null, h('h2', null, title), h('ul.tests', null, shown.map(t => h('li', null, link('mutants?test=' + t, D.tests[t])))),
    tests.length > shown.length ? h('p.faint', null, 'and ' + thousands(tests.length - shown.length) + ' more') : null);
}
function neighbours(m) {
  const list = CURRENT.length ? CURRENT : D.ranked, at = list.indexOf(m);
  const previous = at > 0 ? list[at - 1] : null, next = at >= 0 && at + 1 < list.length ? list[at + 1] : list.length && at < 0 ? list[0] : null;
  return [previous !== null ? h('a', { href: '#/' + toMutant(previous), rel: 'prev' }, 'previous') : null, previous !== null && next !== null ? ' · ' : null, next !== null ? h('a', { href: '#/' + toMutant(next), rel: 'next' }, 'next') : null];
}
