// Mutants by tests on a canvas: only what is in view is drawn.
function matrixPage() {
  if (!COUNT || !TESTS) return [h('h2', null, 'Matrix'), h('p', null, 'Nothing to show: no mutants or no tests.')];
  const state = { rows: range(COUNT), columns: range(TESTS), cell: 8, x: 0, y: 0 };
  const canvas = h('canvas', { tabindex: '0', role: 'img', 'aria-label': 'kill matrix, ' + many(COUNT, 'mutant') + ' by ' + many(TESTS, 'test') + '; arrow keys move, Enter opens the mutant' });
  const size = h('div.size'), box = h('div.matrix', null, size, canvas);
  const tip = h('p.tip', { role: 'status', 'aria-live': 'polite' }, 'Move over a cell, or use the arrow keys.');
  const letters = new Map();
  // Per mutant one byte per test: 0 nothing, 1 reached, 2 passed, 3 killed.
  function rowOf(m) {
    let row = letters.get(m);
    if (!row) {
      row = new Uint8Array(TESTS);
      for (const t of covered(m)) row[t] = 1;
      for (const t of ran(m)) row[t] = 2;
      for (const t of kills(m)) row[t] = 3;
      if (letters.size > 3000) letters.clear();
      letters.set(m, row);
    }
    return row;
  }
  function draw() {
    const ratio = devicePixelRatio || 1, width = box.clientWidth, height = box.clientHeight, c = state.cell;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio);
      canvas.style.width = width + 'px'; canvas.style.height = height + 'px';
    }
    const paint = canvas.getContext('2d'), style = getComputedStyle(document.documentElement), colour = n => style.getPropertyValue(n).trim();
    paint.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint.fillStyle = colour('--paper'); paint.fillRect(0, 0, width, height);
    const colours = [null, colour('--rule'), colour('--untested'), colour('--killed')];
    const fates = Object.fromEntries(FATES.map(f => [f, colour('--' + f)]));
    const gap = c > 4 ? 1 : 0, edge = 10, x0 = Math.floor(box.scrollLeft / c), y0 = Math.floor(box.scrollTop / c);
    const dx = edge - box.scrollLeft % c, dy = -(box.scrollTop % c);
    const nx = Math.min(TESTS - x0, Math.ceil((width - dx) / c) + 1), ny = Math.min(COUNT - y0, Math.ceil((height - dy) / c) + 1);
    for (let i = 0; i < ny; i++) {
      const m = state.rows[y0 + i], row = rowOf(m), y = dy + i * c;
      // Neighbours of one colour are one rectangle where there is no gap between cells.
      for (let j = 0; j < nx; j++) {
        const what = row[state.columns[x0 + j]];
        if (!what) continue;
        let n = 1;
        while (!gap && j + n < nx && row[state.columns[x0 + j + n]] === what) n++;
        paint.fillStyle = colours[what];
        paint.fillRect(dx + j * c, y, n * c - gap, c - gap);
        j += n - 1;
      }
      paint.fillStyle = fates[fateOf(m)]; paint.fillRect(0, y, 6, Math.max(1, c - gap));
    }
    if (state.cursor) {
      paint.strokeStyle = colour('--ink'); paint.lineWidth = 2;
      paint.strokeRect(edge + state.x * c - box.scrollLeft - 1, state.y * c - box.scrollTop - 1, c + 1, c + 1);
    }
  }
  let waiting = false;
  const later = () => { if (!waiting) { waiting = true; requestAnimationFrame(() => { waiting = false; draw(); }); } };
  function fit() { size.style.width = TESTS * state.cell + 20 + 'px'; size.style.height = COUNT * state.cell + 'px'; later(); }
  function say(x, y) {
    const m = state.rows[y], t = state.columns[x];
    if (m === undefined || t === undefined) return;
    const said = ['does not reach', 'reaches, but did not run on', 'ran and passed with', 'killed'][rowOf(m)[t]];
    tip.replaceChildren(link(toMutant(m), place(m)), ' ', badge(fateOf(m)), ' ', h('code', null, D.tests[t]), ' ' + said + ' it');
  }
  const cellAt = event => { const r = canvas.getBoundingClientRect(); return [Math.floor((event.clientX - r.left - 10 + box.scrollLeft) / state.cell), Math.floor((event.clientY - r.top + box.scrollTop) / state.cell)]; };
  canvas.addEventListener('mousemove', event => say(...cellAt(event)));
  canvas.addEventListener('click', event => { const m = state.rows[cellAt(event)[1]]; if (m !== undefined) location.hash = '#/' + toMutant(m); });
  canvas.addEventListener('keydown', event => {
    const step = { ArrowDown: [0, 1], ArrowUp: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0], PageDown: [0, 20], PageUp: [0, -20], Home: [-TESTS, 0], End: [TESTS, 0] }[event.key];
    if (event.key === 'Enter') location.hash = '#/' + toMutant(state.rows[state.y]);
    if (!step) return;
    event.preventDefault();
    state.cursor = true;
    state.x = Math.min(TESTS - 1, Math.max(0, state.x + step[0])); state.y = Math.min(COUNT - 1, Math.max(0, state.y + step[1]));
    const c = state.cell, into = (at, scroll, room) => at < scroll ? at : at + c > scroll + room ? at + c - room : scroll;
    box.scrollLeft = into(state.x * c, box.scrollLeft, box.clientWidth - 20); box.scrollTop = into(state.y * c, box.scrollTop, box.clientHeight);
    say(state.x, state.y); later();
  });
  box.addEventListener('scroll', later);
  new ResizeObserver(later).observe(box);
  const order = {
    place: () => range(COUNT), fate: () => range(COUNT).sort((a, b) => M.fate.charCodeAt(a) - M.fate.charCodeAt(b) || a - b),
    kills: () => { const n = range(COUNT).map(m => kills(m).length); return range(COUNT).sort((a, b) => n[b] - n[a] || a - b); },
    reach: () => { const n = range(COUNT).map(m => covered(m).length); return range(COUNT).sort((a, b) => n[b] - n[a] || a - b); },
  };
  const tests = {
    list: () => range(TESTS), kills: () => range(TESTS).sort((a, b) => byTest()[b].kills - byTest()[a].kills || a - b),
    time: () => range(TESTS).sort((a, b) => D.millis[b] - D.millis[a] || a - b),
  };
  const pick = (label, options, set) => h('label', null, label + ' ', h('select', { onchange: event => { set(event.target.value); later(); } }, options.map(([value, text]) => h('option', { value }, text))));
  const zoom = h('input', { type: 'range', min: 1, max: 18, value: state.cell, 'aria-label': 'size of a cell', oninput: event => { state.cell = +event.target.value; fit(); } });
  queueMicrotask(() => { state.cell = Math.max(4, Math.min(16, Math.floor((box.clientWidth - 30) / TESTS))); zoom.value = state.cell; fit(); });
  return [h('h2', null, 'Matrix: ' + many(COUNT, 'mutant') + ' down, ' + many(TESTS, 'test') + ' across'), h('div.bars2', null,
    pick('mutants by', [['place', 'place'], ['fate', 'fate'], ['kills', 'kills'], ['reach', 'reach']], value => { state.rows = order[value](); }),
    pick('tests by', [['list', 'name'], ['kills', 'kills'], ['time', 'time']], value => { state.columns = tests[value](); }), zoom,
    h('span.chip', { style: '--c:var(--killed)' }, h('i.dot'), 'noticed'), h('span.chip', { style: '--c:var(--untested)' }, h('i.dot'), 'ran, passed'), h('span.chip', { style: '--c:var(--rule)' }, h('i.dot'), 'reaches')), tip, box];
}
