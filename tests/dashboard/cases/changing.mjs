// Rewards that change: the age of knowledge, and the changes that an agent found.
import { SQUARE, attribute, served, text } from '../stage.mjs';
import { coloursDrawn, mapSays, overflow, violations } from '../window.mjs';

/** Visits a grid; the first corner pays well until report 120, then badly. */
async function change(service, id) {
  for (let sequence = 0; sequence < 240; sequence += 1) {
    const order = await service.ask(id);
    const { node } = order.path[0] ?? order.at;
    const pays = node === 0 ? (sequence < 120 ? 2 : -2) : node / 20;
    await service.call('POST', `/v1/agents/${id}/tell`, { sequence, reward: pays + (sequence % 3) / 10 });
  }
}

export const changing = {
  'age of knowledge': served(async ({ service, open, check, shoot }) => {
    await service.create({ id: 'rover', agent: 'g-drift', graph: SQUARE, init: 'none', clock: 'stamps' });
    await service.call('POST', '/v1/agents/rover/tell', {
      sequence: 0,
      visits: [
        { at: 'hall', reward: 1, time: 1000 },
        { at: 'yard', reward: 1, time: 1001 },
        { at: 'roof', reward: 1, time: 1051 },
      ],
    });
    const page = await open('#agent=rover');
    await mapSays(page, { nodes: 4, colourBy: 'estimate', visited: 3 });
    const before = await coloursDrawn(page, '#map canvas');
    check(before > 3, 'the map is blank');
    // By keys, from the colour that is chosen.
    await page.locator('#colour-estimate').focus();
    for (let k = 0; k < 3; k += 1) await page.keyboard.press('ArrowRight');
    await mapSays(page, { colourBy: 'age', visited: 3 });
    check(new URL(page.url()).hash.includes('color=age'), 'the address does not follow the colours');
    await page.waitForFunction(() => document.querySelector('#legend').textContent.includes('Age of knowledge'));
    const legend = await text(page, '#legend');
    check(legend.includes('Age of knowledge, in visits'), `the legend says ${legend}`);
    check(legend.includes('not visited yet: 1'), `the legend says ${legend}`);
    check((await attribute(page, '#legend svg', 'aria-label')) === 'from 0 to 51', `from ${await attribute(page, '#legend svg', 'aria-label')}`);
    // The longer ago, the higher the level; a node that was never visited has none.
    const levels = await page.evaluate(async () => {
      const { levelsOf, scaleOf } = await import('/dashboard/palette.js');
      const nodes = [{ visits: 1, age: 99 }, { visits: 1, age: 9 }, { visits: 2, age: 0 }, { visits: 0 }];
      return [...levelsOf(nodes, 4, scaleOf(nodes, 'age'))];
    });
    check(levels.join() === '15,8,0,255', `levels ${levels}`);
    await page.locator('#map').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction(() => /last visit/.test(document.querySelector('#map-spoken').textContent));
    check(/last visit (just now|\d+ visits ago)/.test(await text(page, '#node-card').then((said) => said.replace(/\s+/g, ' '))), 'the card does not say when');
    await shoot(page, 'age');
    for (const found of await violations(page)) check(false, found);
    // Other agents do not remember.
    await service.create({ id: 'still', agent: 'g-star', graph: SQUARE, init: 'none' });
    await service.call('POST', '/v1/agents/still/tell', { sequence: 0, visits: [{ at: 'hall', reward: 1 }] });
    const other = await open('#agent=still&color=age');
    await mapSays(other, { nodes: 4, colourBy: 'age', sequence: 1 });
    await other.waitForFunction(() => document.querySelector('#legend').textContent.includes('not visited yet: 3'));
    check((await text(other, '#legend')).includes('Known only of agents for rewards that change'), 'the legend does not say why');
  }),

  'changes are marked on the curve of rewards': served(async ({ service, open, check, shoot }) => {
    await service.create({ id: 'rover', agent: 'g-drift', graph: 'grid:4x4', seed: 1 });
    await change(service, 'rover');
    const { changes, changes_found: found } = await service.call('GET', '/v1/agents/rover/rewards');
    check(found > 0 && changes[0].node === 0 && changes[0].visits > 120, `found ${JSON.stringify(changes)}`);
    for (const theme of ['light', 'dark']) {
      const page = await open('#agent=rover&color=age', { colorScheme: theme });
      await mapSays(page, { nodes: 16, sequence: 240, colourBy: 'age', visited: 16, sharp: true });
      await page.waitForSelector(`#chart[data-changes="${changes.length}"]`);
      check((await page.locator('#chart .change').count()) === changes.length, 'not every change is marked');
      const title = await page.locator('#chart .change title').first().textContent();
      check(title === `visit ${changes[0].visits}: change found at 0`, `the tooltip says ${title}`);
      const said = await attribute(page, '#chart', 'aria-label');
      const [number, last] = [found === 1 ? '1 change' : `${found} changes`, changes.at(-1)];
      check(
        said.endsWith(`; ${number} found, the last at visit ${last.visits}, at ${last.node}`),
        `the chart says ${said}`,
      );
      // By pointer and by keys.
      const mark = await page.locator('#chart .change path').first().boundingBox();
      await page.mouse.move(mark.x + mark.width / 2, mark.y + 40);
      await page.waitForFunction((said) => document.querySelector('#chart-readout').textContent.includes(said), title);
      check((await text(page, '#chart-readout')) === title, `the readout says ${await text(page, '#chart-readout')}`);
      await page.mouse.move(5, 5);
      await page.locator('#chart').focus();
      const heard = new Set();
      for (let k = 0; k < 64 + changes.length; k += 1) {
        await page.keyboard.press('ArrowLeft');
        heard.add(await text(page, '#chart-readout'));
      }
      check(heard.has(title), 'keys do not reach the change');
      await page.locator('#chart').blur();
      await shoot(page, `changes-${theme}`);
      for (const found of await violations(page)) check(false, found);
      await page.setViewportSize({ width: 320, height: 640 });
      check((await overflow(page)) <= 0, 'the page is wider than a phone');
      await shoot(page, `changes-narrow-${theme}`);
    }
  }),
};
