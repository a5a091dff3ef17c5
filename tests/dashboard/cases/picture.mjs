// Drones that have learned for a while, as the documentation shows them.
import { fly } from '../service.mjs';
import { served, text } from '../stage.mjs';
import { mapSays } from '../window.mjs';

const REPORTS = 300;

export const picture = {
  'drones that have learned for a while': served(async ({ service, open, check, shoot }) => {
    const graph = 'geometric:170,0.12';
    fly(service.url, ['--name', 'rover', '--drones', 3, '--agent', 'g-ucb', '--graph', graph, '--reports', REPORTS]);
    const order = await service.ask('rover-0');
    check(order.path.length > 1 && order.stay > 0, 'the picture needs a leg with a path and a stay');
    const page = await open('#agent=rover-0');
    const leg = order.path.map(({ node }) => node).join(',');
    await mapSays(page, { nodes: 170, sequence: REPORTS, leg, stay: order.stay, visited: 170, sharp: true });
    await page.waitForFunction(() => document.querySelector('#stat-best').textContent.includes(' pays '));
    await page.waitForFunction(() => Number(document.querySelector('#chart').dataset.points) > 10);
    check((await text(page, '#why')).includes(`${order.path.length} steps away`), `why: ${await text(page, '#why')}`);
    // This is the picture docs/images/dashboard.png.
    await shoot(page, 'dashboard');
  }),
};
