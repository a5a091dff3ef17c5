// A browser window that reports what must not happen: errors, dialogs, requests to other origins.
import { createRequire } from 'node:module';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The time limit of every action. It is not a measurement. */
export const PATIENCE = 30_000;

/**
 * Opens a page. `expected` are the errors that the case provokes on purpose, such as refusals.
 */
export async function openWindow(browser, url, problems, { where, expected = [], ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const origin = new URL(url).origin;
  const note = (what) => problems.push(`${where}: ${what}`);
  page.on('console', (message) => {
    const text = message.text();
    if (['error', 'warning'].includes(message.type()) && !expected.some((known) => text.includes(known))) note(text);
  });
  page.on('pageerror', (error) => note(error.stack));
  page.on('dialog', (dialog) => {
    note(`a dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on('request', (request) => {
    const asked = request.url();
    if (!asked.startsWith(`${origin}/`) && !asked.startsWith('data:')) note(`asks for ${asked}`);
  });
  if (process.env.DASHBOARD)
    await context.route(/\/(dashboard\/[\w.-]+|)(#.*)?$/, (route) => fromFolder(route, process.env.DASHBOARD));
  await page.goto(url);
  return page;
}

/** Serves the page from a folder instead of the program, to try changes without building. */
async function fromFolder(route, folder) {
  const response = await route.fetch();
  const name = new URL(route.request().url()).pathname.split('/').at(-1) || 'index.html';
  // The program generates some of the files.
  if (!existsSync(join(folder, name))) return route.fulfill({ response });
  const types = { html: 'text/html', css: 'text/css', js: 'text/javascript' };
  const headers = { ...response.headers(), 'content-type': types[name.split('.').at(-1)] };
  await route.fulfill({ status: 200, headers, body: readFileSync(join(folder, name)) });
}

/** The accessibility violations that axe finds, one line each. */
export async function violations(page) {
  // Evaluated, since the page's content policy refuses added scripts.
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary}`),
  );
}

/** Waits until the map's data attributes have these values. */
export function mapSays(page, wanted) {
  return page.waitForFunction((wanted) => {
    const data = document.querySelector('#map').dataset;
    return Object.entries(wanted).every(([name, value]) => data[name] === String(value));
  }, wanted);
}

export const overflow = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/**
 * The number of colours on the first canvas: one if it is blank. Data may come a frame before the drawing, so this waits
 * until the number stays the same, and up to three seconds for a canvas that is still blank.
 */
export const coloursDrawn = (page, canvas) =>
  page.evaluate(async (canvas) => {
    const target = document.querySelector(canvas);
    // A copy may be read often; the browser complains if the canvas itself is.
    const copy = Object.assign(document.createElement('canvas'), { width: target.width, height: target.height });
    const pixels = copy.getContext('2d', { willReadFrequently: true });
    const count = () => {
      pixels.clearRect(0, 0, copy.width, copy.height);
      pixels.drawImage(target, 0, 0);
      const { data } = pixels.getImageData(0, 0, copy.width, copy.height);
      const found = new Set();
      new Uint32Array(data.buffer).forEach((pixel) => found.add(pixel));
      return found.size;
    };
    const end = performance.now() + 3_000;
    let [last, same] = [count(), 0];
    while (performance.now() < end && (last <= 1 || same < 3)) {
      await new Promise(requestAnimationFrame);
      const now = count();
      same = now === last ? same + 1 : 0;
      last = now;
    }
    return last;
  }, canvas);
