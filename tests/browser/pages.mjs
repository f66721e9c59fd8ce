// Opens pages that run nothing (localize, repair, witness, tame, sshom, coupling, ops) in Chromium, in both themes:
// node pages.mjs DIR PAGE.html...   screenshots go to DIR, unless it is `-`
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch } from './chromium.mjs';
const axe = readFileSync(createRequire(process.cwd() + '/').resolve('axe-core/axe.min.js'), 'utf8');
const [shots, ...pages] = process.argv.slice(2);
const browser = await launch();
let failures = 0;
const say = (ok, what) => { console.log((ok ? 'ok   ' : 'FAIL ') + what); if (!ok) failures++; };
for (const path of pages) for (const theme of ['light', 'dark']) {
  const name = basename(path, '.html');
  const page = await (await browser.newContext({ colorScheme: theme, viewport: { width: 1100, height: 800 } })).newPage();
  const errors = [];
  page.on('console', m => m.type() === 'error' && errors.push(m.text()));
  page.on('request', r => !r.url().startsWith('file:') && !r.url().startsWith('data:') && errors.push('asks for ' + r.url()));
  await page.goto(pathToFileURL(resolve(path)).href);
  if (shots !== '-') await page.screenshot({ path: `${shots}/${theme}-page-${name}.png` });
  // Every part of the head leads somewhere.
  const lost = await page.evaluate(() => [...document.querySelectorAll('a[href^="#"]')].filter(a => !document.getElementById(a.hash.slice(1))).map(a => a.hash));
  say(!lost.length, `${theme}: ${name}: ${lost.join(', ') || 'links lead to parts'}`);
  await page.evaluate(axe + ';0');
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
  const bad = violations.filter(v => v.impact === 'serious' || v.impact === 'critical');
  say(!bad.length, `${theme}: ${name}: axe: ${bad.map(v => v.id + ' ' + v.nodes[0].html.slice(0, 120)).join('; ') || 'nothing serious'}`);
  say(!errors.length, `${theme}: ${name}: console: ${errors.join('; ') || 'no errors'}`);
}
await browser.close();
process.exit(failures ? 1 : 0);
