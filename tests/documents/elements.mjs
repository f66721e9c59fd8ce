// Opens mte.json in mutation-testing-elements: node elements.mjs MTE.json [DIR for a screenshot].
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { launch } from '../browser/chromium.mjs';
const require = createRequire(process.cwd() + '/');
const [document, shots] = process.argv.slice(2);
const elements = readFileSync(require.resolve('mutation-testing-elements/dist/mutation-test-elements.js'), 'utf8');
const mte = readFileSync(document, 'utf8'), files = Object.keys(JSON.parse(mte).files);
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1360, height: 900 } });
const errors = [];
page.on('console', m => m.type() === 'error' && errors.push(m.text()));
page.on('pageerror', e => errors.push(String(e)));
// Pages from a file or from text may keep nothing; the element keeps its theme.
await page.route('http://report.test/**', route => route.fulfill({ contentType: 'text/html', body: '<!DOCTYPE html><html lang="en"><head><link rel="icon" href="data:,"></head><body><mutation-test-report-app titlePostfix="ours"></mutation-test-report-app></body></html>' }));
await page.goto('http://report.test/');
await page.addScriptTag({ content: elements });
await page.evaluate(text => { document.querySelector('mutation-test-report-app').report = JSON.parse(text); }, mte);
await page.waitForFunction(name => document.querySelector('mutation-test-report-app').shadowRoot.textContent.length > 0, null);
const all = () => page.evaluate(() => {
  const text = root => [...root.childNodes].map(node => node.nodeType === 3 ? node.textContent : (node.nodeName === 'STYLE' ? '' : text(node) + (node.shadowRoot ? text(node.shadowRoot) : ''))).join(' ');
  return text(document.body);
});
let failures = 0;
const say = (ok, what) => { console.log((ok ? 'ok   ' : 'FAIL ') + 'mutation-testing-elements: ' + what); if (!ok) failures++; };
await page.waitForTimeout(500);
say((await all()).includes(files[0].split('/').pop()), `shows ${files[0]}`);
if (shots) await page.screenshot({ path: `${shots}/elements.png` });
const shared = files.length > 1 ? files[0].split('/').slice(0, -1).join('/') : '';
await page.evaluate(hash => { location.hash = hash; }, 'mutant/' + files[0].slice(shared && files.every(f => f.startsWith(shared + '/')) ? shared.length + 1 : 0));
await page.waitForTimeout(1000);
if (shots) await page.screenshot({ path: `${shots}/elements-file.png` });
say(!errors.length, `console: ${errors.join('; ') || 'no errors'}`);
await browser.close();
process.exit(failures ? 1 : 0);
