// Elements. Text only ever becomes a text node: nothing of the project is read as HTML.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const visible = text => String(text).replace(UNSEEN, c => '\\u{' + c.codePointAt(0).toString(16) + '}');
function h(name, attributes, ...children) {
  const [tag, ...classes] = name.split('.');
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(' ');
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key === 'style') node.style.cssText = value;
    else node.setAttribute(key, value === true ? '' : visible(value));
  }
  for (const child of children.flat(9)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(visible(child)));
  }
  return node;
}
const link = (to, ...inside) => h('a', { href: '#/' + to }, ...inside);
const toMutant = m => 'mutant/' + encodeURIComponent(M.id[m]);
const toFile = f => 'source/' + encodeURIComponent(D.files[f].path);
const badge = fate => h('span.badge.fate-' + fate, { title: MEANING[fate] }, h('i.dot', { 'aria-hidden': 'true' }), fate);
// Words with code between back quotes.
const words = text => text.split('`').map((part, at) => at % 2 ? h('code', null, part) : part);
function bar(counts, thin) {
  const shown = FATES.filter(f => counts[f]);
  const all = shown.reduce((sum, f) => sum + counts[f], 0) || 1;
  const label = shown.map(f => counts[f] + ' ' + f).join(', ');
  return h('div.bar' + (thin ? '.thin' : ''), { role: 'img', 'aria-label': label, title: label },
    shown.map(f => h('i.fate-' + f, { style: 'flex:' + counts[f] / all })));
}
// A table whose columns sort: [title, cell, key for sorting, class].
function sortable(label, columns, rows, by, most) {
  let state = { at: by || 0, up: false }, shown = most || 200;
  const body = h('tbody'), more = h('p');
  const heads = columns.map((column, at) => h('th' + (column[3] === 'r' ? '.r' : ''), { scope: 'col' },
    h('button', { type: 'button', onclick: () => { state = { at, up: state.at === at ? !state.up : column[3] !== 'r' }; fill(); } }, column[0] || 'fates')));
  function fill() {
    heads.forEach((head, at) => at === state.at ? head.setAttribute('aria-sort', state.up ? 'ascending' : 'descending') : head.removeAttribute('aria-sort'));
    const key = columns[state.at][2], sign = state.up ? 1 : -1;
    const sorted = [...rows].sort((a, b) => { const x = key(a), y = key(b); return (x < y ? -1 : x > y ? 1 : 0) * sign; });
    body.replaceChildren(...sorted.slice(0, shown).map(row => h('tr', null, columns.map(c => h('td' + (c[3] ? '.' + c[3] : ''), null, c[1](row))))));
    more.replaceChildren(...(sorted.length > shown ? [h('button', { type: 'button', onclick: () => { shown += 500; fill(); } }, 'show more of ' + thousands(sorted.length))] : []));
  }
  fill();
  return h('div.scroll', { tabindex: '0', role: 'region', 'aria-label': label }, h('table.sort', null, h('thead', null, h('tr', null, heads)), body), more);
}
const LINES = new Map();
function linesOf(f) {
  if (!LINES.has(f)) LINES.set(f, D.files[f].source === null ? null : D.files[f].source.split('\n'));
  return LINES.get(f);
}
const untab = text => visible(text.replace(/\r$/, '').replace(/\t/g, '    '));
// A mutant as a diff with some lines around it; what differs is marked.
function diff(m, context) {
  const f = M.file[m], lines = linesOf(f);
  if (!lines) return h('div.diff', { tabindex: '0', role: 'region', 'aria-label': 'diff' }, side('old', '−', '', M.before[m]), side('new', '+', '', M.after[m]));
  const first = M.line[m] - 1, last = M.endLine[m] - 1;
  const a = M.fromColumn[m], b = M.toColumn[m], text = M.text[m].split('\n');
  const head = (lines[first] || '').slice(0, a), tail = (lines[last] || '').slice(b);
  const out = [];
  for (let n = Math.max(0, first - context); n < first; n++) out.push(side('', ' ', n + 1, untab(lines[n])));
  for (let n = first; n <= last; n++) {
    const line = lines[n] || '', from = n === first ? a : 0, to = n === last ? b : line.length;
    out.push(side('old', '−', n + 1, untab(line.slice(0, from)), h('mark', null, untab(line.slice(from, to))), untab(line.slice(to))));
  }
  const whole = head + M.text[m] + tail;
  if (whole.trim()) text.forEach((part, at) => out.push(side('new', '+', '', at ? '' : untab(head), h('mark', null, untab(part)), at === text.length - 1 ? untab(tail) : '')));
  for (let n = last + 1; n <= last + context && n < lines.length; n++) out.push(side('', ' ', n + 1, untab(lines[n])));
  return h('div.diff', { tabindex: '0', role: 'region', 'aria-label': 'diff of ' + place(m) }, out);
}
const side = (kind, sign, number, ...text) => h('div' + (kind ? '.' + kind : ''), null, h('span.n', { 'aria-hidden': 'true' }, number), h('span.sign', null, sign), h('span', null, text));
