// Agents on roads: directions, times, closed roads, and when the robot arrives.
import { attribute, served, text } from '../stage.mjs';
import { coloursDrawn, mapSays, violations } from '../window.mjs';

/** A one-way ring, and a street between yard and gate that is slower in one direction. */
const TOWN = {
  nodes: 5,
  names: ['hall', 'yard', 'roof', 'gate', 'mill'],
  visit_time: 30,
  roads: [
    ['hall', 'yard', 2.5],
    ['yard', 'roof', 0],
    ['roof', 'gate', 1],
    ['gate', 'hall', 0.5],
    ['yard', 'gate', 4],
    ['gate', 'yard', 0.25],
    ['roof', 'mill', 6],
    ['mill', 'roof', 1.5],
  ],
  coordinates: [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
    [2, 0.6],
  ],
};

export const roads = {
  'roads show their directions, times and closures': served(async ({ service, open, check, shoot }) => {
    await service.create({ id: 'van', agent: 'g-star', seed: 3, graph: TOWN });
    const page = await open('#agent=van');
    await mapSays(page, { nodes: 5, edges: 6, roads: 8, at: 0, sequence: 0, blocked: 0, sharp: true });
    check((await text(page, '#agent-size')) === '5 nodes · 8 roads', `size: ${await text(page, '#agent-size')}`);
    const drawn = await coloursDrawn(page, '#map canvas');
    check(drawn > 3, 'the map is blank');

    // After a visit to the hall, only one road leads on: 2.5 on the road, and a visit.
    await service.call('POST', '/v1/agents/van/tell', { sequence: 0, reward: 0.5, took: 1 });
    const order = await service.ask('van');
    const [way, seconds] = [order.times, order.times_in_seconds].map((times) => times.reduce((sum, time) => sum + time));
    await mapSays(page, { sequence: 1, way, leg: order.path.map(({ node }) => node).join(',') });
    check(order.times[0] === 3.5, `the first step takes ${order.times[0]}`);
    const why = await text(page, '#why');
    check(why.includes(`there in ${minutes(seconds)} (`), `why: ${why}`);
    await shoot(page, 'roads');

    // One direction of a street, both of another, and a one-way street.
    await service.call('POST', '/v1/agents/van/blocked', { sequence: 1, edge: ['yard', 'gate'] });
    await service.call('POST', '/v1/agents/van/blocked', { sequence: 2, edge: ['mill', 'roof'], directions: 'both' });
    await service.call('POST', '/v1/agents/van/blocked', { sequence: 3, edge: ['roof', 'gate'] });
    // Now no road leaves the roof, and none leads to the mill.
    await mapSays(page, { blocked: 4, aside: 4 });
    check((await text(page, '#legend')).includes('cut off by blocked edges: 4'), 'the legend does not count the nodes that are cut off');
    await page.locator('#map').focus();
    await page.keyboard.press('Home');
    await page.waitForSelector('#node-card:not([hidden])');
    const card = await text(page, '#node-card');
    check(/to yard\s+\+1 min 15 s/.test(card), `the card says: ${card}`);
    await shoot(page, 'roads-closed');
    await service.call('POST', '/v1/agents/van/opened', { sequence: 4, edge: ['roof', 'gate'] });
    await mapSays(page, { blocked: 3, aside: 1 });
    check((await violations(page)).length === 0, 'the page has accessibility violations');
  }),

  'a map with directions and times is read in the dialog': served(async ({ open, check, shoot }) => {
    const page = await open('', { expected: ['status of 422'] });
    await page.locator('[data-create]').first().click();
    await page.locator('label[for=by-file]').click();
    const file = 'source,target,time\nhall,yard,60\nyard,hall,15\nyard,roof,30\nroof,hall,0\n';
    await page.setInputFiles('#create-file', { name: 'town.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
    await page.waitForSelector('#preview:not([hidden])');
    check((await text(page, '#preview-size')).includes('3 nodes, 3 edges'), 'without options the map has roads, not edges');
    await page.locator('.roads summary').click();
    await page.locator('#create-times').fill('tiem');
    await page.locator('#create-times').blur();
    await page.waitForSelector('#create-error:not([hidden])');
    check((await text(page, '#create-error')).includes('“Travel-time field”'), await text(page, '#create-error'));
    await page.locator('#create-times').fill('time');
    await page.locator('#create-directed').check();
    await page.locator('#create-visit-time').fill('30');
    await page.locator('#create-visit-time').blur();
    await page.waitForFunction(() => document.querySelector('#preview-size').textContent.includes('4 roads'));
    await shoot(page, 'roads-dialog');
    await page.locator('#create-id').fill('van');
    await page.locator('#create-submit').click();
    await mapSays(page, { nodes: 3, roads: 4 });
    check((await attribute(page, '#map', 'data-edges')) === '3', 'two roads between two nodes are not one line');
  }),
};

/** The page's format of a duration. */
function minutes(seconds) {
  const [whole, rest] = [Math.floor(seconds / 60), Math.round(seconds % 60)];
  if (whole === 0) return `${rest} s`;
  return rest === 0 ? `${whole} min` : `${whole} min ${rest} s`;
}
