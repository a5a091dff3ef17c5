// Opens a report in headless Chromium, wide and narrow, light and dark, and checks what a reader would
// notice: no errors, no requests, results and a figure at the top, every figure visible, nothing wider
// than the page, links between claims and figures, quick verdicts marked as quick, one colour per agent,
// and values under the pointer.
//
// node check.mjs REPORT_DIR SCREENSHOT_DIR
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [report, screenshots] = process.argv.slice(2);
const page_url = pathToFileURL(resolve(report, 'index.html')).href;
mkdirSync(screenshots, { recursive: true });

const problems = [];
let checks = 0;
const check = (holds, what) => {
  checks += 1;
  if (!holds) problems.push(what);
};

// Runs in the page: the problems of its links and of the colours of its legends.
const read_links = () => {
  const problems = [];
  for (const link of document.querySelectorAll('a[href^="#"]')) {
    if (!document.getElementById(link.hash.slice(1))) problems.push(`${link.hash} has no target`);
  }
  for (const claim of document.querySelectorAll('.claim')) {
    const words = claim.querySelector('blockquote')?.textContent ?? '';
    if (words.length < 25 || !words.startsWith('“')) problems.push(`${claim.id} says ${words}`);
    const figures = [...claim.querySelectorAll('.where a[href$="-figure"]')];
    if (figures.length === 0) problems.push(`${claim.id} has no figure`);
    for (const { hash } of figures) {
      const shown = document.querySelector(hash)?.closest('.shown');
      const back = shown?.querySelector(`.shows a[href="#${claim.id}"]`);
      if (!back) problems.push(`${hash} does not link back to ${claim.id}`);
    }
  }
  for (const back of document.querySelectorAll('.shows a')) {
    const figure = back.closest('.shown').querySelector('figure').id;
    const claim = document.querySelector(back.hash);
    if (!claim?.querySelector(`a[href="#${figure}"]`)) problems.push(`${back.hash} does not link to ${figure}`);
  }
  const colors = new Map();
  for (const entry of document.querySelectorAll('figure > p > span')) {
    const [name, color] = [entry.textContent.trim(), getComputedStyle(entry.querySelector('svg')).color];
    if (!/^[a-z0-9-]+$/.test(name)) continue; // Only agents with their default parameters keep their colour.
    if ((colors.get(name) ?? color) !== color) problems.push(`${name} is ${color} and ${colors.get(name)}`);
    colors.set(name, color);
  }
  if (new Set(colors.values()).size !== colors.size) problems.push(`colours of agents: ${[...colors]}`);
  return problems;
};

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync',
    '--disable-component-update', '--no-first-run'],
});
try {
  for (const width of [360, 1280]) {
    for (const colorScheme of ['light', 'dark']) {
      const where = `${width} px, ${colorScheme}`;
      const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
      const page = await context.newPage();
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) problems.push(`${where}: ${message.text()}`);
      });
      page.on('pageerror', (error) => problems.push(`${where}: ${error}`));
      page.on('request', (request) => {
        if (request.url() !== page_url && !request.url().startsWith('data:')) {
          problems.push(`${where}: asks for ${request.url()}`);
        }
      });
      await page.goto(page_url, { waitUntil: 'load' });

      const wider = () => page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      check(await wider() <= 0, `${where}: the page is ${await wider()} px wider than the window`);

      const top = await page.evaluate(() => {
        const at = (selector) =>
          document.querySelector(selector).getBoundingClientRect().top + window.scrollY;
        return { results: at('#results'), figure: at('figure'), ledger: at('#claims') };
      });
      check(top.results < top.figure && top.figure < top.ledger,
        `${where}: results, figure and ledger are at ${JSON.stringify(top)}`);
      if (width === 1280) check(top.figure <= 1200, `${where}: the first figure is ${top.figure} px down`);
      const results = await page.textContent('#results');
      check(/\d+ of its \d+ sentences/.test(results) && /g-star/.test(results),
        `${where}: the first paragraph says ${results}`);

      const figures = await page.$$('figure svg[role="img"], figure svg:not([aria-hidden])');
      check(figures.length > 0, `${where}: no figure`);
      for (const figure of figures) {
        const box = await figure.boundingBox();
        check(box && box.width > 100 && box.height > 60, `${where}: a figure is not visible`);
      }
      const claims = await page.$$('.claim');
      const cells = await page.$$('.claim .cell');
      check(claims.length > 0 && cells.length >= claims.length, `${where}: no ledger of claims`);

      for (const problem of await page.evaluate(read_links)) problems.push(`${where}: ${problem}`);
      const verdicts = await page.$$eval('.claim .cell b, .counts th b',
        (all) => all.map((b) => (b.closest('th') ?? b).textContent.trim()));
      const is_quick = (await page.$('p.quick')) !== null;
      const said = verdicts.filter((words) => words.endsWith('(quick)')).length;
      check(said === (is_quick ? verdicts.length : 0),
        `${where}: ${said} of ${verdicts.length} verdicts say that they are quick`);
      check((await page.textContent('h1')).endsWith('(quick)') === is_quick, `${where}: the title does not say whether the report is quick`);

      // From a claim to its figure, and back.
      const link = page.locator('.claim .where a[href$="-figure"]').first();
      const figure = await link.getAttribute('href');
      await link.click();
      await page.waitForFunction((selector) => {
        const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
        return top < window.innerHeight && bottom > 0;
      }, figure);
      await page.locator(`${figure} ~ .shows a`).first().click();
      check(new URL(page.url()).hash.startsWith('#claim-'), `${where}: a figure leads to ${page.url()}`);

      // The panel under the pointer shows its values.
      const panel = await page.$('#gb-grid-benchmarks-figure svg:not([aria-hidden])');
      check(panel, `${where}: no figure of benchmarks`);
      if (panel) {
        await panel.scrollIntoViewIfNeeded();
        const box = await panel.boundingBox();
        await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.6);
        const values = await page.evaluate(
          () => document.querySelector('[role="status"]')?.textContent ?? '');
        check(values.includes('g-ucb') && values.includes('ucrl2'), `${where}: no values on hover`);
        await page.screenshot({ path: `${screenshots}/${width}-${colorScheme}-hover.png` });
        await page.evaluate(() => window.scrollTo(0, 0));
      }

      const background = await page.evaluate(
        () => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
      check((background[0] < 128) === (colorScheme === 'dark'),
        `${where}: the background is ${background}`);

      await page.screenshot({ path: `${screenshots}/${width}-${colorScheme}.png` });
      await page.evaluate(() => document.querySelector('#claims').scrollIntoView({ behavior: 'instant' }));
      await page.screenshot({ path: `${screenshots}/${width}-${colorScheme}-ledger.png` });

      await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
      check(await wider() <= 0, `${where}: unfolded, the page is ${await wider()} px wider than the window`);
      const scrolled = await page.$$eval('.scroll', (all) =>
        all.filter((box) => box.scrollWidth > box.clientWidth).length);
      check(width < 1280 || scrolled === 0, `${where}: ${scrolled} tables are wider than the page`);
      await context.close();
    }
  }
} finally {
  await browser.close();
}
for (const problem of problems) console.error(problem);
console.log(`${checks - problems.length} passed, ${problems.length} failed`);
process.exit(problems.length === 0 ? 0 : 1);
