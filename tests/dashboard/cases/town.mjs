// The town of docs/guides/town.md, with a van at work.
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { attribute, served, text } from '../stage.mjs';
import { mapSays, violations } from '../window.mjs';

const script = resolve(fileURLToPath(import.meta.url), '../../../../scripts/town.py');
const START = '240109189';

/** Creates a van whose first drive took longer than the map says, and closes two streets on its way. */
async function sendVan(service) {
  const file = execFileSync('python3', [script, '--junctions', '1000', '--seed', '1'], { maxBuffer: 2 ** 26 });
  const query = new URLSearchParams({ name: 'town.graphml', times: 'travel_time', visit_time: 30 });
  const response = await fetch(`${service.url}/v1/maps?${query}`, { method: 'POST', body: file });
  const { graph } = await response.json();
  await service.create({ id: 'van', start: START, init: 'none', graph });
  const tell = (verb, body) => service.call('POST', `/v1/agents/van/${verb}`, body);
  // Rewards grow towards the north-east, some streets away.
  const [[west, south]] = graph.coordinates;
  const counted = graph.coordinates.map(([x, y], node) => {
    const away = Math.hypot(110 * (x - west) - 0.7, 140 * (y - south) - 0.8);
    return { at: graph.names[node], reward: 9 * Math.exp(-2 * away * away) + ((node * 37) % 11) / 10 };
  });
  await tell('observe', { sequence: 0, observations: counted });
  await tell('tell', { sequence: 1, reward: 1 });
  const first = (await service.ask('van')).path[0].name;
  await tell('tell', { sequence: 2, reward: 2, at: first, took: 2 });
  const direct = await service.ask('van');
  const closed = direct.path.slice(2, 4).map(({ name }) => name);
  await tell('blocked', { sequence: 3, edge: closed });
  const around = await service.ask('van');
  return { graph, first, direct, closed, around, tell };
}

const roadsOf = (order) => [order.at, ...order.path].map(({ name }) => name).join(' ');

export const town = {
  'a van goes around a closed road, and learned times are shown': served(
    async ({ service, open, check, shoot }) => {
      const { graph, first, direct, closed, around, tell } = await sendVan(service);
      check(roadsOf(around) !== roadsOf(direct), 'the van does not go around');
      check(!roadsOf(around).includes(closed.join(' ')), 'the van uses a closed road');
      const page = await open('#agent=van');
      const leg = around.path.map(({ node }) => node).join(',');
      await mapSays(page, { nodes: 1000, roads: 2715, blocked: 1, learned: 1, leg, visited: 1000 });
      check((await text(page, '#legend')).includes('1 road: time learned'), await text(page, '#legend'));
      await shoot(page, 'town');

      // Zoomed in, times stand beside roads; the card of a road shows both directions.
      const zoomIn = async (times) => {
        await page.locator('#zoom-agent').click();
        for (let k = 0; k < times; k += 1) await page.locator('#zoom-in').click();
      };
      await zoomIn(3);
      await drag(page, [-190, 150]);
      await mapSays(page, { sharp: true });
      // This is the picture in docs/images.
      await shoot(page, 'dashboard-town', { clip: { x: 228, y: 121, width: 1044, height: 652 } });
      await zoomIn(3);
      await mapSays(page, { sharp: true });
      const times = Number(await attribute(page, '#map', 'data-times'));
      check(times > 3, `${times} road times are shown`);
      const [from, to] = [START, first].map((name) => graph.names.indexOf(name));
      const card = await findRoad(page, `${START} to ${first}`);
      const [, , mapped] = graph.roads.find(([a, b]) => a === from && b === to);
      // The mean of the map's time and of one drive that took two visits.
      const [said, learned] = [30 * mapped, (30 * (mapped + 1)) / 2].map(inSeconds);
      check(card.includes(`on the map\n+${said}`), `the card says: ${card}, not ${said}`);
      check(card.includes(`expected\n+${learned}`), `the card says: ${card}, not ${learned}`);
      check(card.includes('learned from\n1 drive'), `the card says: ${card}`);
      check(card.includes(`${first} to ${START}`), `the other direction is missing: ${card}`);
      await shoot(page, 'town-near');
      check((await violations(page)).length === 0, 'the page has accessibility violations');

      // The road opens again, and the van takes the direct path.
      await tell('opened', { sequence: 4, edge: closed });
      await mapSays(page, { blocked: 0, leg: direct.path.map(({ node }) => node).join(',') });
      check((await service.ask('van')).arrival === direct.arrival, 'the van does not take the direct path again');
    },
  ),

  'a town fits a small and dark screen': served(async ({ service, open, check, shoot }) => {
    const { around } = await sendVan(service);
    for (const [as, options] of [
      ['town-dark', { colorScheme: 'dark' }],
      ['town-phone', { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 }],
      ['town-phone-dark', { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, colorScheme: 'dark' }],
    ]) {
      const page = await open('#agent=van', options);
      await mapSays(page, { nodes: 1000, blocked: 1, learned: 1, way: around.times.reduce((sum, time) => sum + time) });
      const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      check(wide <= room, `${as}: ${wide} pixels in ${room}`);
      check((await page.locator('#map').getAttribute('data-badge')) !== '', `${as}: the arrival is not shown`);
      await shoot(page, as);
    }
  }),
};

/** Drags the map by `right` and `down` pixels. */
async function drag(page, [right, down]) {
  const { x, y, width, height } = await page.locator('#map').boundingBox();
  const [from, to] = [y + height / 2, y + height / 2 + down];
  await page.mouse.move(x + width / 2, from);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + right, to, { steps: 4 });
  await page.mouse.up();
  await page.mouse.move(0, 0);
}

/** Moves the pointer around the node in the middle of the map until the card shows this road. */
async function findRoad(page, title) {
  const { x, y, width, height } = await page.locator('#map').boundingBox();
  for (let turn = 0; turn < 72; turn += 1) {
    const angle = (turn * Math.PI) / 36;
    await page.mouse.move(x + width / 2 + 45 * Math.cos(angle), y + height / 2 + 45 * Math.sin(angle));
    const card = page.locator('#node-card');
    if ((await card.isVisible()) && (await card.innerText()).includes(title)) return card.innerText();
  }
  throw new Error(`no card says ${title}`);
}

/** The page's format of a duration. */
const inSeconds = (seconds) =>
  `${seconds < 10 ? Number(seconds.toPrecision(3)) : Math.round(seconds)} s`;
