// All mutants, filtered; only the rows that are seen are in the page.
const ROW = 54;
function mutantsPage(query) {
  const filter = {
    fate: new Set((query.get('fate') || '').split(',').filter(Boolean)),
    file: query.get('file') || '', operator: query.get('op') || '', test: query.get('test') || '', text: query.get('q') || '',
  };
  const count = h('p.faint', { role: 'status', 'aria-live': 'polite' }), size = h('div', { style: 'position:relative' });
  const list = h('div.list', { tabindex: '0', role: 'list', 'aria-label': 'mutants' }, size);
  let found = [];
  function apply() {
    found = select(filter);
    count.textContent = many(found.length, 'mutant') + (found.length < COUNT ? ' of ' + thousands(COUNT) : '');
    size.style.height = found.length * ROW + 'px';
    list.scrollTop = 0;
    draw();
    const params = new URLSearchParams();
    if (filter.fate.size) params.set('fate', [...filter.fate].join(','));
    for (const [key, value] of [['file', filter.file], ['op', filter.operator], ['test', filter.test], ['q', filter.text]]) if (value !== '') params.set(key, value);
    history.replaceState(null, '', '#/mutants' + (params.size ? '?' + params : ''));
    CURRENT = found;
  }
  function draw() {
    const from = Math.max(0, Math.floor(list.scrollTop / ROW) - 5), to = Math.min(found.length, from + Math.ceil((list.clientHeight || 600) / ROW) + 12);
    const kept = document.activeElement && list.contains(document.activeElement) ? document.activeElement.dataset.at : null;
    size.replaceChildren(...found.slice(from, to).map((m, i) => row(m, from + i)));
    if (kept) { const again = size.querySelector('[data-at="' + kept + '"]'); if (again) again.focus({ preventScroll: true }); }
  }
  const row = (m, at) => h('a.row', { href: '#/' + toMutant(m), style: 'top:' + at * ROW + 'px', 'data-at': at, role: 'listitem' },
    badge(fateOf(m)),
    h('span.two', null, h('span', null, D.files[M.file[m]].path.split('/').pop() + ':' + M.line[m]), h('span.faint', null, functionAt(m) || M.id[m])),
    h('span.two', null, h('span', null, words(operator(m).words)), h('span.mono.faint', null, snippet(m))));
  list.addEventListener('scroll', () => requestAnimationFrame(draw));
  list.addEventListener('keydown', event => {
    const at = Number(document.activeElement.dataset.at ?? -1), step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || at + step < 0 || at + step >= found.length) return;
    event.preventDefault();
    const top = (at + step) * ROW;
    if (top < list.scrollTop || top + ROW > list.scrollTop + list.clientHeight) { list.scrollTop = top - list.clientHeight / 2; draw(); }
    const next = size.querySelector('[data-at="' + (at + step) + '"]');
    if (next) next.focus({ preventScroll: true });
  });
  const fates = FATES.filter(f => M.fate.includes(FATES.indexOf(f))).map(f => {
    const button = h('button.chip.fate-' + f, { type: 'button', 'aria-pressed': String(filter.fate.has(f)), title: MEANING[f], onclick: () => { filter.fate.has(f) ? filter.fate.delete(f) : filter.fate.add(f); button.setAttribute('aria-pressed', String(filter.fate.has(f))); apply(); } }, h('i.dot', { 'aria-hidden': 'true' }), f);
    return button;
  });
  const choose = (label, key, options) => h('select', { 'aria-label': label, onchange: event => { filter[key] = event.target.value; apply(); } },
    h('option', { value: '' }, label), options.map(([value, text]) => h('option', { value, selected: String(value) === filter[key] }, text)));
  const search = h('input', { type: 'search', id: 'search', placeholder: 'file, code, operator, id …', 'aria-label': 'search mutants', value: filter.text, oninput: event => { filter.text = event.target.value; apply(); } });
  const operators = D.operators.map((o, at) => [at, o.words]).sort((a, b) => a[1] < b[1] ? -1 : 1);
  const short = text => text.length > 70 ? text.slice(0, 69) + '…' : text;
  queueMicrotask(apply);
  return [h('h2', null, 'Mutants'),
    h('div.bars2', { role: 'group', 'aria-label': 'filters' }, fates),
    h('div.bars2', null, search, choose('all files', 'file', D.files.map((f, at) => [at, f.path])),
      choose('all operators', 'operator', operators.map(([at, text]) => [at, short(text)])),
      choose('all tests', 'test', D.tests.map((name, at) => [at, short(name)]))), count, list];
}
function select(filter) {
  const wanted = filter.text.toLowerCase(), test = filter.test === '' ? null : +filter.test;
  const holds = m => (!filter.fate.size || filter.fate.has(fateOf(m)))
    && (filter.file === '' || M.file[m] === +filter.file) && (filter.operator === '' || M.operator[m] === +filter.operator)
    && (test === null || covered(m).includes(test) || ran(m).includes(test))
    && (!wanted || [M.id[m], D.files[M.file[m]].path, M.text[m], operator(m).words, functionAt(m) || ''].some(t => t.toLowerCase().includes(wanted)));
  const rank = m => RANK.has(m) ? RANK.get(m) : D.ranked.length + m;
  return range(COUNT).filter(holds).sort((a, b) => rank(a) - rank(b));
}
function functionAt(m) {
  let best = null;
  for (const [first, last, name] of D.files[M.file[m]].functions) if (first <= M.line[m] && M.line[m] <= last && (!best || last - first < best[0])) best = [last - first, name];
  return best && best[1];
}
function snippet(m) {
  const lines = linesOf(M.file[m]);
  if (!lines) return M.before[m] + ' → ' + M.after[m];
  const line = lines[M.line[m] - 1] || '', end = M.endLine[m] === M.line[m] ? M.toColumn[m] : line.length;
  return (line.slice(M.fromColumn[m], end).trim() || '∅') + ' → ' + (M.text[m].trim().split('\n')[0] || '∅');
}
