// Opens a report in Chromium and uses it as a person would: pages, filters, keys, matrix, both themes, axe-core.
// node check.mjs REPORT.html [DIR for screenshots]
// Needs playwright-core and axe-core (npm install in this directory or above it), and Chromium (CHROMIUM=path).
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { launch } from './chromium.mjs';
const require = createRequire(process.cwd() + '/');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const [report, shots] = process.argv.slice(2), address = pathToFileURL(resolve(report)).href;
const browser = await launch();
let failures = 0;
const say = (ok, what) => { console.log((ok ? 'ok   ' : 'FAIL ') + what); if (!ok) failures++; };
for (const theme of ['light', 'dark']) {
  const page = await (await browser.newContext({ colorScheme: theme, viewport: { width: 1360, height: 900 } })).newPage();
  const errors = [];
  page.on('console', m => m.type() === 'error' && errors.push(m.text()));
  page.on('pageerror', e => errors.push(String(e)));
  page.on('request', r => !r.url().startsWith('file:') && !r.url().startsWith('data:') && errors.push('asks for ' + r.url()));
  const began = Date.now();
  await page.goto(address);
  await page.waitForSelector('main h2');
  say(Date.now() - began < 2000, `${theme}: interactive after ${Date.now() - began} ms`);
  const shot = async name => shots && page.screenshot({ path: `${shots}/${theme}-${name}.png` });
  const check = async name => {
    await page.evaluate(axe + ';0');
    const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
    const bad = violations.filter(v => v.impact === 'serious' || v.impact === 'critical');
    say(!bad.length, `${theme}: axe on ${name}: ${bad.map(v => v.id + ' ' + v.nodes[0].html.slice(0, 120) + ' ' + (v.nodes[0].any[0]?.message || '')).join('; ') || 'nothing serious'}`);
  };
  await shot('overview'); await check('overview');
  if (shots) await page.screenshot({ path: `${shots}/${theme}-overview-whole.png`, fullPage: true });
  // Keyboard only: to the mutants, search, down, open.
  await page.keyboard.press('2');
  await page.waitForSelector('.list .row');
  await shot('mutants'); await check('mutants');
  const all = await page.locator('p.faint[role=status]').innerText();
  await page.keyboard.press('/');
  await page.waitForFunction(() => document.activeElement.id === 'search');
  await page.keyboard.type('delete');
  await page.waitForTimeout(60);
  say(await page.locator('p.faint[role=status]').innerText() !== all, `${theme}: search filters: ${await page.locator('p.faint[role=status]').innerText()}`);
  await page.fill('#search', '');
  await page.locator('.list').focus();
  await page.keyboard.press('ArrowDown'); await page.keyboard.press('ArrowDown'); await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash.startsWith('#/mutant/'));
  await page.waitForSelector('.diff', { timeout: 5000 }).catch(() => {});
  say(await page.locator('.diff').count() > 0, `${theme}: a mutant opens by keys: ${await page.locator('h2').first().innerText()}`);
  await shot('mutant'); await check('mutant');
  const was = await page.evaluate(() => location.hash);
  await page.keyboard.press('j');
  await page.waitForFunction(was => location.hash !== was, was, { timeout: 5000 }).catch(() => {});
  say(await page.evaluate(() => location.hash) !== was, `${theme}: j goes to the next`);
  await page.keyboard.press('3');
  await page.waitForSelector('.code .line');
  // A long file has its first mutants far below.
  const first = page.locator('.bars2 a', { hasText: 'first missed' });
  if (await first.count()) { await first.click(); await page.waitForSelector('.code .dots button'); }
  const button = page.locator('.code .dots button').first();
  await button.click();
  say(await page.locator('.code .open .diff').count() > 0, `${theme}: a mutant opens in the source`);
  await shot('source'); await check('source');
  await page.keyboard.press('4');
  await page.waitForSelector('.matrix canvas, main p');
  if (await page.locator('.matrix canvas').count()) {
    const slowest = await page.evaluate(async () => {
      const box = document.querySelector('.matrix'), frame = () => new Promise(done => requestAnimationFrame(done));
      let worst = 0;
      for (let n = 0; n < 60; n++) { const at = performance.now(); box.scrollTop += 911; box.scrollLeft += 137; await frame(); await frame(); worst = Math.max(worst, performance.now() - at); }
      box.scrollTop = box.scrollLeft = 0; await frame(); await frame();
      return worst;
    });
    say(slowest < 250, `${theme}: matrix scrolls, slowest two frames ${slowest.toFixed(0)} ms`);
    await page.locator('.matrix canvas').focus();
    await page.keyboard.press('ArrowDown'); await page.keyboard.press('ArrowRight');
    say((await page.locator('.tip').innerText()).length > 40, `${theme}: the matrix speaks: ${await page.locator('.tip').innerText()}`);
    await shot('matrix'); await check('matrix');
  }
  await page.keyboard.press('5'); await page.waitForSelector('table.sort'); await shot('tests'); await check('tests');
  await page.keyboard.press('6'); await page.waitForSelector('table.sort'); await shot('operators'); await check('operators');
  await page.keyboard.press('?');
  say(await page.locator('dialog[open]').count() === 1, `${theme}: ? shows the keys`);
  await page.keyboard.press('Escape');
  say(!errors.length, `${theme}: console: ${errors.join('; ') || 'no errors'}`);
  if (theme === 'light' && shots) { await page.keyboard.press('1'); await page.pdf({ path: `${shots}/print.pdf`, format: 'A4' }).catch(() => {}); await page.setViewportSize({ width: 420, height: 800 }); await page.waitForTimeout(50); await shot('narrow'); }
}
await browser.close();
process.exit(failures ? 1 : 0);
