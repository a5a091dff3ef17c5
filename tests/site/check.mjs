// Opens every page of the site in headless Chromium, wide and narrow, light and dark, and checks what
// a reader would notice: no error, nothing loaded from elsewhere, nothing wider than the page, links
// that lead to something, pictures that are there, text that can be read on its background.
//
// node check.mjs SITE_DIR SCREENSHOT_DIR
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// The browser is driven by what the report's test installs.
const { chromium } = createRequire(new URL('../page/check.mjs', import.meta.url))('playwright-core');

const [site, screenshots] = process.argv.slice(2).map((path) => resolve(path));
// rustdoc checks its own pages.
const is_page = (path) => path.endsWith('.html') && !path.startsWith('rustdoc');
const pages = readdirSync(site, { recursive: true }).filter(is_page).sort();
mkdirSync(screenshots, { recursive: true });

const problems = [];

// In the page: links to other pages of the site, and what is wrong in this one.
const read = () => ({
  wider: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  missing: [...document.images].filter((image) => !image.naturalWidth).map((image) => image.src),
  links: [...document.querySelectorAll('a[href]')].map((link) => link.href),
  ids: [...document.querySelectorAll('[id]')].map((element) => element.id),
  colours: (() => {
    const { color } = getComputedStyle(document.querySelector('article') ?? document.body);
    const { backgroundColor } = getComputedStyle(document.body);
    const light = (text) => text.match(/[\d.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 765;
    return Math.abs(light(color) - light(backgroundColor));
  })(),
});

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync',
    '--disable-component-update', '--no-first-run', '--allow-file-access-from-files'],
});
const ids = new Map();
const links = [];
try {
  for (const width of [1280, 360]) {
    for (const colorScheme of ['light', 'dark']) {
      const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
      const page = await context.newPage();
      let where = '';
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(`${where}: ${message.text()}`);
      });
      page.on('pageerror', (error) => problems.push(`${where}: ${error}`));
      page.on('request', (request) => {
        if (!/^(file|data):/.test(request.url())) problems.push(`${where}: asks for ${request.url()}`);
      });
      for (const path of pages) {
        where = `${path}, ${width} px, ${colorScheme}`;
        await page.goto(pathToFileURL(join(site, path)).href, { waitUntil: 'load' });
        const found = await page.evaluate(read);
        if (found.wider > 0) problems.push(`${where}: ${found.wider} px wider than the window`);
        for (const source of found.missing) problems.push(`${where}: ${source} cannot be shown`);
        if (found.colours < 0.4) problems.push(`${where}: text can hardly be read on its background`);
        ids.set(path, new Set(found.ids));
        for (const link of found.links) links.push([path, link]);
        if (['index.html', 'tutorial.html'].includes(path)) {
          const file = `${path.replace('.html', '')}-${width}-${colorScheme}.png`;
          await page.screenshot({ path: join(screenshots, file) });
        }
      }
      await context.close();
    }
  }
} finally {
  await browser.close();
}

let inside = 0;
for (const [path, link] of links) {
  if (!link.startsWith('file:')) continue;
  inside += 1;
  const url = new URL(link);
  const file = fileURLToPath(new URL(url.pathname, 'file:'));
  const target = relative(site, file);
  if (!existsSync(file)) problems.push(`${path}: ${target} is not there`);
  const place = decodeURIComponent(url.hash.slice(1));
  if (place && ids.has(target) && !ids.get(target).has(place)) problems.push(`${path}: ${target} has no #${place}`);
}

if (pages.length < 20 || inside < 500) problems.push(`only ${pages.length} pages and ${inside} links`);
if (problems.length) {
  console.error([...new Set(problems)].join('\n'));
  process.exit(1);
}
console.log(`${pages.length} pages, ${inside} links: nothing wrong`);
