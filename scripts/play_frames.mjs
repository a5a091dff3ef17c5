// Takes the frames of docs/images/play.gif off the page of `gbandit play`. scripts/play_picture.py runs this.
//
// The page's clock is held: it moves on only between frames, and waits for every answer of the program. So the film
// runs at the same pace on any machine.
//
// node scripts/play_frames.mjs FRAMES_DIR
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Program } from '../tests/play/program.mjs';

const { chromium } = createRequire(new URL('../tests/dashboard/package.json', import.meta.url))('playwright-core');

const RACE = '#graph=geometric:90,0.16&agent=g-star&agent=g-ucb&steps=1000&seed=2';
const STEPS = 1000;
const WINDOW = { width: 880, height: 660 };
/** Milliseconds of the page's time from one frame to the next, and from one drawing of the page to the next. */
const [FRAME, DRAWING] = [80, 20];
/** Until which step the race goes at which place of the slider: the eye follows first the legs, then the curves. */
const SPEEDS = [[24, 5], [120, 8], [360, 10], [STEPS, 12]];
/** What does not fit into a small picture, and where the rest goes. */
const STYLE = `
  .bar, .summary, .stage-head, .transport-more, .speed, .standings-panel, .look-panel, .keys { display: none !important; }
  .play main { padding: 10px 12px !important; gap: 8px !important; }
  .head h1 { font-size: 19px !important; }
  .intro { font-size: 12px !important; white-space: nowrap; }
  .stage { height: 330px !important; }
  .transport { grid-template-columns: auto 1fr !important; padding: 7px 12px !important; }
  .progress { grid-column: auto !important; }
  .below { grid-template-columns: 1fr !important; }
  .play .panel { padding: 8px 12px !important; }
  .regret-chart { min-height: 150px !important; }`;

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('usage: node scripts/play_frames.mjs FRAMES_DIR');
mkdirSync(folder, { recursive: true });
const program = await new Program().start();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--force-color-profile=srgb', '--font-render-hinting=none'],
});
try {
  const race = await openRace();
  const taken = await film(race);
  console.log(`${taken} frames of ${FRAME} ms`);
} finally {
  await browser.close();
  await program.kill();
}

/** The page with its race ready, and what waits for the program's answers. */
async function openRace() {
  const context = await browser.newContext({ viewport: WINDOW, colorScheme: 'light', bypassCSP: true });
  const page = await context.newPage();
  const waiting = new Set();
  page.on('request', (request) => waiting.add(request));
  for (const end of ['requestfinished', 'requestfailed']) page.on(end, (request) => waiting.delete(request));
  await page.clock.install({ time: 0 });
  await page.addInitScript((style) => {
    addEventListener('DOMContentLoaded', () => {
      document.head.append(Object.assign(document.createElement('style'), { textContent: style }));
    });
  }, STYLE);
  await page.goto(`${program.url}/${RACE}`);
  await page.locator('body[data-race=ready]').waitFor();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  if (width > WINDOW.width) throw new Error(`the page is ${width} pixels wide; make its text smaller in STYLE`);
  await page.clock.pauseAt(60_000);
  const answered = async () => {
    do await page.evaluate(() => new Promise((resolve) => queueMicrotask(resolve)));
    while (waiting.size > 0);
  };
  return { page, answered };
}

/** Plays the race to its end, a picture for every frame. Answers how many there are. */
async function film({ page, answered }) {
  const at = () => page.evaluate(() => Number(document.querySelector('#stage').dataset.shown));
  const isOver = () => page.evaluate(() => document.body.dataset.playing === 'over');
  let taken = 0;
  const take = async () => {
    await page.screenshot({ path: `${folder}/${String(taken).padStart(4, '0')}.png` });
    taken += 1;
  };
  const moveOn = async () => {
    for (let passed = 0; passed < FRAME; passed += DRAWING) {
      await page.clock.runFor(DRAWING);
      await answered();
    }
  };
  await moveOn();
  await take();
  await page.keyboard.press('k');
  while (!(await isOver())) {
    const now = await at();
    const [, place] = SPEEDS.find(([until]) => now < until) ?? SPEEDS.at(-1);
    await page.locator('#speed').evaluate((slider, place) => {
      slider.value = place;
      slider.dispatchEvent(new Event('input'));
    }, place);
    await moveOn();
    await take();
  }
  await moveOn();
  await take();
  return taken;
}
