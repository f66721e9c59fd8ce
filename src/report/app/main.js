// Pages by the part of the address after #, keys, and the theme.
let CURRENT = [], FILL = null;
const main = document.querySelector('main');
const PAGES = [['overview', 'Overview', overview], ['mutants', 'Mutants', mutantsPage], ['source', 'Source', null], ['matrix', 'Matrix', matrixPage], ['tests', 'Tests', testsPage], ['operators', 'Operators', operatorsPage]];
document.querySelector('header nav').append(...PAGES.map(([id, title]) => h('a', { href: '#/' + id }, title)));
function show() {
  const [path, search] = (location.hash.replace(/^#\//, '') || 'overview').split('?');
  const [page, ...rest] = path.split('/'), name = decodeURIComponent(rest.join('/')), query = new URLSearchParams(search || '');
  FILL = null;
  const known = PAGES.find(([id]) => id === page);
  const content = page === 'mutant' ? mutantPage(name) : page === 'source' ? sourcePage(name, query) : (known || PAGES[0])[2](query);
  main.className = page === 'matrix' || page === 'source' ? 'wide' : '';
  main.replaceChildren(...content.filter(Boolean));
  document.querySelectorAll('header nav a').forEach(a => a.getAttribute('href') === '#/' + (page === 'mutant' ? 'mutants' : page) ? a.setAttribute('aria-current', 'page') : a.removeAttribute('aria-current'));
  document.title = (page === 'mutant' ? name : (known || PAGES[0])[1]) + ' · ' + D.title;
  if (!query.get('line')) scrollTo({ top: 0, behavior: 'instant' });
}
addEventListener('hashchange', () => { show(); main.focus({ preventScroll: true }); });
addEventListener('beforeprint', () => FILL && FILL());
const help = document.querySelector('dialog');
addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input,select,textarea')) return;
  const at = '123456'.indexOf(event.key);
  if (at >= 0) location.hash = '#/' + PAGES[at][0];
  else if (event.key === '/') { event.preventDefault(); if (!document.getElementById('search')) { location.hash = '#/mutants'; } setTimeout(() => document.getElementById('search').focus(), 30); }
  else if (event.key === 'j') main.querySelector('a[rel=next]')?.click();
  else if (event.key === 'k') main.querySelector('a[rel=prev]')?.click();
  else if (event.key === '?') help.showModal();
});
document.getElementById('keys').addEventListener('click', () => help.showModal());
document.getElementById('theme').addEventListener('click', () => {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches, now = document.documentElement.dataset.theme || (dark ? 'dark' : 'light');
  document.documentElement.dataset.theme = now === 'dark' ? 'light' : 'dark';
  if (location.hash.startsWith('#/matrix')) show();
});
show();
