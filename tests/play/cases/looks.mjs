// The look of the page: light and dark, wide and narrow, without layout shifts, and accessible.
import { overflow, violations } from '../../dashboard/window.mjs';
import { coloursDrawn } from '../../dashboard/window.mjs';
import { fast, is, played } from '../program.mjs';

const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
const SIX = '#graph=small-world:60,4,0.1&agent=g-ucb&agent=g-ts&agent=local-ts&agent=g-star&agent=g-moss&agent=ucrl2&steps=1000&seed=4';

/** The layout shifts that no input caused. */
const watchShifts = (page) =>
  page.evaluate(() => {
    window.shifts = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifts += value;
    }).observe({ type: 'layout-shift' });
  });

export const looks = {
  'light and dark, wide and narrow': played(async ({ open, check, shoot }) => {
    for (const [size, window] of Object.entries({ desktop: {}, phone: PHONE })) {
      for (const colorScheme of ['light', 'dark']) {
        for (const [what, hash] of Object.entries({ three: '', six: SIX })) {
          const name = `play-${size}-${colorScheme}-${what}`;
          const page = await open(hash, { ...window, colorScheme });
          await watchShifts(page);
          await page.locator('#play').click();
          await page.waitForFunction(() => Number(document.body.dataset.t) > 60);
          check((await overflow(page)) <= 0, `${name} is ${await overflow(page)} pixels too wide`);
          check((await coloursDrawn(page, '.map canvas')) > 8, `${name}: the map is blank`);
          await shoot(page, name);
          for (const found of await violations(page)) check(false, `${name}: ${found}`);
          await fast(page);
          await is(page, 'over');
          const shifts = await page.evaluate(() => window.shifts);
          check(shifts < 0.01, `${name}: the layout shifts by itself (${shifts})`);
          await shoot(page, `${name}-over`, { fullPage: true });
          for (const found of await violations(page)) check(false, `${name}, over: ${found}`);
          await page.context().close();
        }
      }
    }
  }),

  'dialogs, light and dark, wide and narrow': played(async ({ open, check, shoot }) => {
    for (const [size, window] of Object.entries({ desktop: {}, phone: PHONE })) {
      for (const colorScheme of ['light', 'dark']) {
        const page = await open('', { ...window, colorScheme });
        const look = async (what) => {
          const name = `play-${size}-${colorScheme}-${what}`;
          check((await overflow(page)) <= 0, `${name} is too wide`);
          await shoot(page, name);
          for (const found of await violations(page)) check(false, `${name}: ${found}`);
        };
        await page.locator('#change').click();
        await page.waitForSelector('#agent-chips .chip');
        await look('set-up');
        for (const source of ['Draw one', 'A map file']) {
          await page.getByText(source).click();
          await look(source.replaceAll(' ', '-').toLowerCase());
        }
        await page.keyboard.press('Escape');
        await page.locator('#share').click();
        await look('share');
        await page.context().close();
      }
    }
  }),

  'one map for all agents, and zoom on all maps': played(async ({ open, check, shoot }) => {
    const page = await open();
    const cameras = () => page.$$eval('.map', (maps) => maps.map(({ dataset }) => dataset.camera));
    await page.locator('.map').first().focus();
    await page.keyboard.press('+');
    await page.keyboard.press('.');
    await page.waitForSelector('body[data-t="1"]');
    const [first, ...others] = await cameras();
    check(others.every((other) => other === first), 'maps side by side show different parts');
    await page.getByText('One map').click();
    check((await page.$$('.map')).length === 1, 'there is more than one map');
    await page.locator('#play').click();
    await page.waitForFunction(() => Number(document.body.dataset.t) > 40);
    await shoot(page, 'play-together');
    await page.getByText('Estimate', { exact: true }).click();
    check((await page.getAttribute('.map', 'data-colour-by')) === 'estimate', 'nodes keep their colours');
    await page.getByText('Side by side').click();
    check((await page.$$('.map')).length === 3, 'there are not three maps again');
    await page.locator('#theme').click();
    check((await page.evaluate(() => document.documentElement.dataset.theme)) === 'dark', 'the theme stays light');
  }),
};
