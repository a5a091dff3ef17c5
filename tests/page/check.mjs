// Opens a report in headless Chromium, wide and narrow, light and dark, and checks what a reader
// would notice: no error, no request to anywhere, every figure visible, nothing wider than the page,
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

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync',
    '--disable-component-update', '--no-first-run'],
});
try {
  for (const width of [400, 1400]) {
    for (const colorScheme of ['light', 'dark']) {
      const where = `${width} px, ${colorScheme}`;
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
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

      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      check(overflow <= 0, `${where}: the page is ${overflow} px wider than the window`);

      const figures = await page.$$('figure svg[role="img"], figure svg:not([aria-hidden])');
      check(figures.length > 0, `${where}: no figure`);
      for (const figure of figures) {
        const box = await figure.boundingBox();
        check(box && box.width > 100 && box.height > 60, `${where}: a figure is not visible`);
      }
      const claims = await page.$$('.claim');
      const cells = await page.$$('.claim .cell');
      check(claims.length > 0 && cells.length >= claims.length, `${where}: no ledger of claims`);

      // A panel in the middle of the pointer's reach shows its values.
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
      await context.close();
    }
  }
} finally {
  await browser.close();
}
for (const problem of problems) console.error(problem);
console.log(`${checks - problems.length} passed, ${problems.length} failed`);
process.exit(problems.length === 0 ? 0 : 1);
