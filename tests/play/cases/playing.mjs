// Races that are played, stopped, changed by a click, and restored.
import { at, fast, is, played, standings, text } from '../program.mjs';

const USUAL = { graph: 'grid:10x10', agents: ['g-ucb', 'g-star', 'local-ucb'], steps: 2000, seed: 1 };
const SMALL = { graph: 'grid:5x5', agents: ['g-ucb', 'g-ts'], steps: 400, seed: 3 };
const SMALL_LINK = '#graph=grid:5x5&agent=g-ucb&agent=g-ts&steps=400&seed=3';

/** Numbers as the page writes them. */
const written = (page, numbers) =>
  page.evaluate(async (numbers) => {
    const { measure } = await import('/dashboard/format.js');
    return numbers.map(measure);
  }, numbers);

/** Checks that the standings are those of this race at its end. */
async function standAs(page, { last }, check, what) {
  const rows = await standings(page);
  const regrets = await written(page, last.racers.map(({ regret }) => regret));
  const rewards = await written(page, last.racers.map(({ reward }) => reward / last.t));
  rows.forEach((row, k) => {
    check(row[1] === regrets[k], `${what}: the regret of ${row[0]} is ${row[1]}, not ${regrets[k]}`);
    check(row[2] === rewards[k], `${what}: the reward of ${row[0]} is ${row[2]}, not ${rewards[k]}`);
    check(row[3] === last.racers[k].legs.toLocaleString('en'), `${what}: ${row[0]} has ${row[3]} legs`);
    check(row[4] === String(last.racers[k].at.node), `${what}: ${row[0]} is at ${row[4]}`);
  });
}

/** The middle of a road on the first map, on the screen. */
async function middleOf(page, opening, a, b) {
  const { left, top, width, height, camera } = await page.$eval('.map', (map) => {
    const { left, top, width, height } = map.getBoundingClientRect();
    return { left, top, width, height, camera: map.dataset.camera.split(',').map(Number) };
  });
  const [x, y, scale] = camera;
  const middle = [0, 1].map((axis) => (opening.graph.positions[a][axis] + opening.graph.positions[b][axis]) / 2);
  return [left + (middle[0] - x) * scale + width / 2, top + (y - middle[1]) * scale + height / 2];
}

export const playing = {
  'the first minute': played(async ({ program, open, check, shoot }) => {
    const page = await open();
    check((await text(page, '#play-text')) === 'Play', 'the button does not say play');
    check((await page.$$('.map')).length === 3, 'there are not three maps');
    check((await text(page, '#lead')).startsWith('Press play'), 'the page does not say what to do');
    await shoot(page, 'play-opened');
    await page.locator('#play').click();
    await is(page, 'playing');
    await page.waitForFunction(() => Number(document.body.dataset.t) > 60);
    check((await text(page, '#play-text')) === 'Pause', 'the button does not say pause');
    // Such a picture is docs/images/play.png.
    await shoot(page, 'play-playing');
    await page.locator('#play').click();
    await is(page, 'paused');
    await page.waitForFunction(() => document.querySelector('#stage').dataset.shown === document.body.dataset.t);
    const stood = await page.evaluate(() => document.body.dataset.t);
    check((await text(page, '#why')).length > 20, 'no reason is given');
    check((await page.evaluate(() => document.body.dataset.t)) === stood, 'the race does not stop');
    await fast(page);
    await page.locator('#play').click();
    await is(page, 'over');
    await at(page, 2000);
    const whole = await program.race(USUAL);
    await standAs(page, whole, check, 'at the end');
    const names = USUAL.agents;
    const regrets = whole.last.racers.map(({ regret }) => regret);
    const best = names[regrets.indexOf(Math.min(...regrets))];
    check((await text(page, '#verdict')).startsWith(`${best} wins with regret`), `verdict: ${await text(page, '#verdict')}`);
    check((await page.getAttribute('#chart', 'data-points')) === '400', 'not every point of regret is drawn');
    await shoot(page, 'play-over', { fullPage: true });
    // “Again” plays the same race.
    await page.locator('#play').click();
    await is(page, 'playing');
    await is(page, 'over');
    await standAs(page, whole, check, 'again');
  }),

  'by keys alone: play, step, speed, restart, new luck': played(async ({ program, open, check }) => {
    const page = await open(SMALL_LINK);
    const reason = () => page.getAttribute('#why', 'data-destination');
    const opening = await program.call('/play/races', SMALL);
    for (let t = 1; t <= 12; t += 1) {
      await page.keyboard.press('.');
      await at(page, t);
      await is(page, 'paused');
      const { racers } = await program.call(`/play/races/${opening.id}/advance`, { until: t });
      const destination = racers[0].path.at(-1) ?? racers[0].at;
      check((await reason()) === String(destination.node), `step ${t}: the reason is for another leg`);
      const where = await page.getAttribute('.map', 'data-at');
      check(where === String(racers[0].at.node), `step ${t}: the walker is drawn at ${where}`);
      check((await standings(page))[0][4] === String(racers[0].at.node), `step ${t}: the standings are out of date`);
    }
    await page.keyboard.press(']');
    check((await text(page, '#speed-text')) === '50 steps/s', 'the speed does not rise');
    await page.keyboard.press('[');
    await page.keyboard.press('[');
    check((await text(page, '#speed-text')) === '20 steps/s', 'the speed does not fall');
    await page.keyboard.press('Space');
    await is(page, 'playing');
    await page.waitForFunction(() => Number(document.body.dataset.t) > 15);
    await page.keyboard.press('Space');
    await is(page, 'paused');
    await page.keyboard.press('r');
    await at(page, 0);
    check((await text(page, '#play-text')) === 'Play', 'the race does not restart');
    await page.keyboard.press('n');
    await page.waitForFunction(() => location.hash.includes('seed=4'));
    await page.waitForFunction(() => document.querySelector('body').dataset.race === 'ready');
    await fast(page);
    await page.keyboard.press('k');
    await is(page, 'over');
    await standAs(page, await program.race({ ...SMALL, seed: 4 }), check, 'with new luck');
    // Every control can be reached, in the order of the page.
    const stops = [];
    await page.locator('#skip').focus();
    for (let k = 0; k < 12; k += 1) {
      stops.push(await page.evaluate(() => document.activeElement.id || document.activeElement.className));
      await page.keyboard.press('Tab');
    }
    check(
      stops.join() === 'skip,share,theme,change,view-apart,colour-visits,map,map,play,restart,luck,speed',
      `the stops are ${stops}`,
    );
  }),

  'roads closed by a click and by keys': played(async ({ program, open, check, shoot }) => {
    const page = await open(SMALL_LINK);
    const opening = await program.call('/play/races', SMALL);
    for (let t = 1; t <= 20; t += 1) await page.keyboard.press('.').then(() => at(page, t));
    const [x, y] = await middleOf(page, opening, 6, 7);
    await page.mouse.move(x, y);
    await page.mouse.click(x, y);
    await page.waitForSelector('.map[data-blocked="1"]');
    check(page.url().endsWith('&close=20:6-7'), `the link is ${page.url()}`);
    check(
      (await page.locator('#map-spoken').textContent()) === 'Road between 6 and 7 closed',
      'the closed road is not announced',
    );
    // By keys: from node 0 up to 5, select it, and close its first road.
    await page.locator('.map').first().focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    check((await text(page, '#node')).startsWith('Node 5'), `the panel is of ${await text(page, '#node')}`);
    await shoot(page, 'play-node', { fullPage: true });
    await page.locator('#node [data-road="0"]').press('Enter');
    await page.waitForSelector('.map[data-blocked="2"]');
    check(
      await page.evaluate(() => document.activeElement.dataset.road === '0'),
      'the focus is lost when a road closes',
    );
    await page.mouse.click(x, y);
    await page.waitForSelector('.map[data-blocked="1"]');
    await fast(page);
    await page.locator('#play').click();
    await is(page, 'over');
    const changes = [
      { t: 20, close: [6, 7] },
      { t: 20, close: [0, 5] },
      { t: 20, open: [6, 7] },
    ];
    const whole = await program.race({ ...SMALL, changes });
    await standAs(page, whole, check, 'with closed roads');
    // The link opens the same race.
    const again = await open(new URL(page.url()).hash);
    await fast(again);
    await again.locator('#play').click();
    await is(again, 'over');
    await standAs(again, whole, check, 'from the link');
  }),

  'a laptop is large enough to close a road, and space plays after that': played(async ({ program, open, check }) => {
    const page = await open();
    const opening = await program.call('/play/races', USUAL);
    for (const [width, height] of [
      [1280, 720],
      [1366, 768],
    ]) {
      await page.setViewportSize({ width, height });
      await page.waitForFunction(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(true)))));
      for (const [a, b] of [
        [44, 45],
        [44, 54],
      ]) {
        const [x, y] = await middleOf(page, opening, a, b);
        await page.mouse.click(x, y);
        await page.waitForSelector('.map[data-blocked="1"]');
        await page.mouse.click(x, y);
        await page.waitForSelector('.map[data-blocked="0"]');
        check(!(await text(page, '#node')).startsWith('Node'), `a node is selected at ${width} x ${height}`);
      }
    }
    await page.keyboard.press('Space');
    await is(page, 'playing');
  }),

  'a lost race is restored': played(async ({ program, open, check, shoot }) => {
    const lost = ['ERR_CONNECTION_REFUSED', 'ERR_CONNECTION_RESET', 'ERR_EMPTY_RESPONSE', 'ERR_SOCKET_NOT_CONNECTED'];
    const page = await open(SMALL_LINK, { expected: [...lost, 'status of 410'] });
    await page.locator('#play').click();
    await page.waitForFunction(() => Number(document.body.dataset.t) > 20);
    // Other races were used since.
    for (let k = 0; k < 16; k += 1) await program.call('/play/races', SMALL);
    const t = await page.evaluate(() => Number(document.body.dataset.t));
    await page.waitForFunction((t) => Number(document.body.dataset.t) > t + 10, t);
    check(await page.locator('#banner').isHidden(), 'a dropped race is not restored silently');
    await program.kill();
    await page.waitForSelector('#banner:not([hidden])');
    check((await text(page, '#banner-text')).includes('gbandit play'), 'the banner does not name the program');
    await shoot(page, 'play-lost');
    const before = await page.evaluate(() => Number(document.body.dataset.t));
    await program.start();
    await page.waitForSelector('#banner[hidden]', { state: 'attached' });
    await is(page, 'playing');
    check((await page.evaluate(() => Number(document.body.dataset.t))) >= before, 'the race starts from zero');
    await fast(page);
    await is(page, 'over');
    await standAs(page, await program.race(SMALL), check, 'after it was lost');
  }),
};
