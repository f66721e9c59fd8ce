// A file with its mutants at their lines. Blocks of lines are filled when they come into view.
const BLOCK = 200;
function sourcePage(name, query) {
  const f = D.files.findIndex(file => file.path === name);
  if (f < 0) return D.files.length ? sourcePage(D.files[mostMissed()].path, query) : [h('p', null, 'No files.')];
  const nav = h('nav', { 'aria-label': 'files' }, h('ul', null, D.files.map((file, at) => {
    const counts = tally(byFile()[at]), missed = counts.survived + counts['not-covered'];
    return h('li', null, h('a', { href: '#/' + toFile(at), 'aria-current': at === f ? 'page' : null }, h('span', null, file.path), h('span.faint', null, missed || '')));
  })));
  const only = new Set((query.get('fate') || 'survived,not-covered,time-out,killed').split(',')), open = new Set();
  const counts = tally(byFile()[f]), lines = linesOf(f);
  const code = h('div.code', { tabindex: '0', role: 'region', 'aria-label': name });
  const chips = FATES.filter(fate => counts[fate]).map(fate => {
    const button = h('button.chip.fate-' + fate, { type: 'button', 'aria-pressed': String(only.has(fate)), onclick: () => { only.has(fate) ? only.delete(fate) : only.add(fate); button.setAttribute('aria-pressed', String(only.has(fate))); fill(); } }, h('i.dot', { 'aria-hidden': 'true' }), h('b', null, counts[fate]), fate);
    return button;
  });
  function fill() {
    const at = new Map();
    for (const m of byFile()[f]) if (only.has(fateOf(m))) at.has(M.line[m]) ? at.get(M.line[m]).push(m) : at.set(M.line[m], [m]);
    const seen = new IntersectionObserver(entries => entries.forEach(entry => entry.isIntersecting && show(entry.target)), { rootMargin: '900px' });
    const show = block => { seen.unobserve(block); block.style.height = ''; block.replaceChildren(...linesIn(+block.dataset.from)); };
    const linesIn = from => range(Math.min(BLOCK, lines.length - from)).flatMap(n => line(from + n + 1, at.get(from + n + 1) || []));
    const blocks = range(Math.ceil(lines.length / BLOCK)).map(n => h('div', { 'data-from': n * BLOCK, style: 'height:' + Math.min(BLOCK, lines.length - n * BLOCK) * 20 + 'px' }));
    code.replaceChildren(...blocks);
    blocks.forEach(block => seen.observe(block));
    FILL = () => blocks.forEach(show);
    const wanted = +query.get('line');
    if (wanted) { const block = blocks[Math.floor((wanted - 1) / BLOCK)]; if (block) { show(block); queueMicrotask(() => block.children[0] && document.getElementById('L' + wanted)?.scrollIntoView({ block: 'center' })); } }
  }
  function line(number, mutants) {
    const groups = FATES.map(fate => [fate, mutants.filter(m => fateOf(m) === fate)]).filter(g => g[1].length);
    const row = h('div.line' + (mutants.length ? '.has' : ''), { id: 'L' + number }, h('span.n', null, number),
      h('span.dots', null, groups.map(([fate, list]) => h('button.fate-' + fate, { type: 'button', 'aria-expanded': 'false', 'aria-label': many(list.length, fate + ' mutant') + ' in line ' + number, onclick: event => toggle(event.target, row, list) }, list.length))),
      h('span', null, untab(lines[number - 1])));
    return [row];
  }
  function toggle(button, row, list) {
    const was = button.getAttribute('aria-expanded') === 'true';
    if (was) { button.nextOpen.remove(); } else {
      button.nextOpen = h('div.open', null, list.slice(0, 30).map(m => h('div', null, link(toMutant(m), M.id[m]), ' ', badge(fateOf(m)), ' ', words(operator(m).words), diff(m, 0))), list.length > 30 ? link('mutants?file=' + f, 'and ' + (list.length - 30) + ' more') : null);
      row.after(button.nextOpen);
    }
    button.setAttribute('aria-expanded', String(!was));
  }
  const first = Math.min(...byFile()[f].filter(m => isMissed(fateOf(m))).map(m => M.line[m]));
  if (lines) fill();
  return [h('div.split', null, nav, h('div', null, h('h2', null, name),
    h('div.bars2', null, h('b', null, percent(score(counts))), bar(counts, true), chips, lines && isFinite(first) ? link(toFile(f) + '?line=' + first, 'first missed: line ' + first) : null),
    lines ? code : h('p', null, 'The source was missing when this report was written. ', link('mutants?file=' + f, 'Its mutants')))),];
}
function mostMissed() {
  let best = 0, most = -1;
  byFile().forEach((list, f) => { const n = list.filter(m => isMissed(fateOf(m))).length; if (n > most) { most = n; best = f; } });
  return best;
}
