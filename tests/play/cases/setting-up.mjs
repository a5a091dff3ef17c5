// Setting up races: families, drawings, files, links and refusals.
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fixture } from '../../dashboard/stage.mjs';
import { fast, is, played, standings, text } from '../program.mjs';

const town = resolve(fileURLToPath(import.meta.url), '../../../../scripts/town.py');

const message = (page, name) => page.locator(`#error-${name}`).innerText();

export const settingUp = {
  'a set-up by the dialog, and refusals beside the field': played(async ({ open, check, shoot }) => {
    const page = await open('', { expected: ['status of 422'] });
    await page.locator('#change').click();
    await page.waitForSelector('#agent-chips .chip');
    check(
      (await page.$$eval('#agent-chips [aria-pressed=true]', (chips) => chips.map((chip) => chip.textContent))).sort().join() ===
        'g-star,g-ucb,local-ucb',
      'the buttons of the agents are not pressed',
    );
    const shown = await page.$$eval('#agent-chips button:not([hidden])', (chips) => chips.map((chip) => chip.textContent));
    check(shown.length < 10 && shown.at(-1) === 'All agents', `the few agents are ${shown}`);
    await page.getByText('All agents').click();
    check((await page.locator('#agent-chips button:visible').count()) > 30, 'not all agents are shown');
    const refused = async (field, value, name, said) => {
      await page.fill(field, value);
      await page.locator('#setup-submit').click();
      await page.waitForSelector(`#error-${name}:not([hidden])`);
      check((await message(page, name)).includes(said), `${name}: ${await message(page, name)}`);
      check((await page.getAttribute(field, 'aria-invalid')) === 'true', `${field} is not marked`);
      check((await page.getAttribute(field, 'aria-errormessage')) === `error-${name}`, `${field} does not name its error`);
    };
    await refused('#setup-family', 'gird:3x3', 'graph', 'gird');
    await shoot(page, 'play-refused');
    await refused('#setup-family', 'grid:100x100', 'graph', '10000 nodes');
    await page.fill('#setup-family', 'star:12');
    await refused('#setup-steps', '0', 'steps', '0 steps');
    await refused('#setup-steps', 'many', 'steps', '“many” is not a whole number');
    await refused('#setup-steps', '2000000', 'steps', '2000000 steps are too many');
    await page.fill('#setup-steps', '300');
    await refused('#setup-start', '12', 'start', '12 is outside the graph');
    await page.fill('#setup-start', '3');
    await refused('#setup-noise', 'loud', 'noise', 'loud');
    await page.fill('#setup-noise', 'gaussian:1');
    await refused('#setup-means', 'file:/etc/passwd', 'means', 'file');
    await page.fill('#setup-means', 'uniform:0,1');
    await refused('#setup-agents', 'g-ucb:bonus=-1', 'agents', '-1');
    await page.fill('#setup-agents', 'g-ucb:bonus=0.5');
    await page.locator('#agent-chips .chip', { hasText: 'local-ucb' }).click();
    await page.locator('#setup-submit').click();
    await page.waitForSelector('#setup:not([open])', { state: 'attached' });
    const names = (await standings(page)).map(([name]) => name).join();
    check(names === 'g-ucb,g-star,g-ucb:bonus=0.5', `the agents are ${names}`);
    const { hash } = new URL(page.url());
    check(
      hash === '#graph=star:12&agent=g-ucb&agent=g-star&agent=g-ucb:bonus%3D0.5&steps=300&seed=1&start=3&means=uniform:0,1&noise=gaussian:1',
      `the link is ${hash}`,
    );
    // The dialog shows what is wrong with a link.
    const wrong = await open('#graph=grid:3x3&agent=g-usb', { expected: ['status of 422'] });
    await wrong.waitForSelector('#setup[open] #error-agents:not([hidden])');
    check((await message(wrong, 'agents')).includes('g-usb'), 'a wrong link is not explained');
    check((await wrong.inputValue('#setup-family')) === 'grid:3x3', 'the correct part of the link is lost');
  }),

  'a graph that is drawn, by pointer and by keys': played(async ({ program, open, check, shoot }) => {
    const page = await open('', { expected: ['status of 422'] });
    await page.locator('#change').click();
    await page.getByText('Draw one').click();
    await page.locator('#board-clear').click();
    // The dialog scrolls when it shows an error.
    const spot = async ([right, down]) => {
      await page.locator('#board').scrollIntoViewIfNeeded();
      const { x, y, width, height } = await page.locator('#board').boundingBox();
      return [x + right * width, y + down * height];
    };
    const [west, east, south, corner] = [[0.2, 0.2], [0.8, 0.2], [0.5, 0.85], [0.2, 0.8]];
    for (const place of [west, east, south]) await page.mouse.click(...(await spot(place)));
    check((await text(page, '#board-size')) === '3 nodes, 0 roads', 'clicks do not add nodes');
    await page.locator('#setup-submit').click();
    await page.waitForSelector('#error-graph:not([hidden])');
    check((await message(page, 'graph')).includes('cut off'), 'a graph in parts is not refused');
    const drag = async (from, to) => {
      await page.mouse.move(...(await spot(from)));
      await page.mouse.down();
      await page.mouse.move(...(await spot(to)), { steps: 4 });
      await page.mouse.up();
    };
    await drag(west, east);
    await drag(east, south);
    // A road that starts on an empty spot adds a node there.
    await drag(corner, west);
    check((await text(page, '#board-size')) === '4 nodes, 3 roads', await text(page, '#board-size'));
    await page.locator('#board-undo').click();
    check((await text(page, '#board-size')) === '4 nodes, 2 roads', 'undo does not remove a road');
    // By keys: the cross starts in the middle.
    await page.locator('#board').focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    check((await text(page, '#board-size')) === '5 nodes, 2 roads', 'keys do not add nodes');
    await page.keyboard.press('Delete');
    check((await text(page, '#board-size')) === '4 nodes, 2 roads', 'keys do not remove nodes');
    await drag(corner, west);
    await shoot(page, 'play-drawing');
    await page.locator('#setup-submit').click();
    await page.waitForSelector('#setup:not([open])', { state: 'attached' });
    check((await text(page, '#summary-size')) === '4 nodes · 3 edges', 'the race is on another graph');
    const { hash } = new URL(page.url());
    check(/roads=0-1,1-2,0-3&/.test(hash), `the link is ${hash}`);
    const again = await open(hash);
    for (const window of [page, again]) {
      await fast(window);
      await window.locator('#play').click();
      await is(window, 'over');
    }
    check(
      JSON.stringify(await standings(page)) === JSON.stringify(await standings(again)),
      'the link of a drawing opens another race',
    );
    await again.locator('#share').click();
    check((await again.inputValue('#share-link')).endsWith(hash), 'another link is shared');
    check((await again.inputValue('#share-command')).includes('drawn'), 'an impossible command is offered');
    await again.keyboard.press('Escape');
    await again.locator('#change').click();
    check((await text(again, '#board-size')) === '4 nodes, 3 roads', 'the drawing of a link cannot be edited');
    check(program.process.exitCode === null, 'the program ended');
  }),

  'the town of the README, and one that is too large': played(async ({ open, check, shoot }) => {
    const page = await open('', { expected: ['status of 422'] });
    await page.locator('#change').click();
    await page.getByText('A map file').click();
    const choose = async (junctions) => {
      const buffer = execFileSync('python3', [town, '--junctions', String(junctions)], { maxBuffer: 2 ** 26 });
      await page.setInputFiles('#setup-file', { name: 'town.graphml', mimeType: 'text/xml', buffer });
      await page.waitForFunction(() => !document.querySelector('#drop-state').textContent.startsWith('Reading'));
    };
    for (const junctions of [2500, 7000]) {
      await choose(junctions);
      await page.locator('#setup-submit').click();
      const said = await message(page, 'graph');
      const sizes = new RegExp(`the map has ${junctions} nodes and \\d+ edges, and the limits are 2000 nodes and 10000 edges`);
      check(sizes.test(said), `${junctions} junctions: ${said}`);
    }
    await shoot(page, 'play-town-refused');
    await choose(1000);
    check((await text(page, '#drop-state')).startsWith('1,000 nodes, '), await text(page, '#drop-state'));
    check(await page.locator('#error-graph').isHidden(), 'the message about another file stays');
    await page.locator('#setup-submit').click();
    await page.waitForSelector('#setup:not([open])', { state: 'attached' });
    check((await text(page, '#summary-graph')) === 'town.graphml', 'the race is on another graph');
    await page.locator('#play').click();
    await page.waitForFunction(() => Number(document.body.dataset.t) > 30);
    await shoot(page, 'play-town-of-readme');
  }),

  'agents of the same colour: the later one gets a free one, and dashes': played(async ({ open, check, shoot }) => {
    const agents = ['ucrl2', 'g-horizon', 'g-safe', 'ql-eps', 'g-ucb', 'local-ts'];
    const hash = `#graph=grid:10x10&${agents.map((agent) => `agent=${agent}`).join('&')}&steps=600&seed=2`;
    const page = await open(hash, { expected: ['status of 422'] });
    const looks = (selector) =>
      page.$$eval(selector, (lines) => lines.map((line) => [line.getAttribute('stroke'), line.hasAttribute('stroke-dasharray')].join()));
    const keys = await looks('#standings .key line');
    const hues = new Set(keys.map((key) => key.split(',')[0]));
    check(keys.length === 6 && hues.size === 6, `the colours are ${keys}`);
    check(keys.map((key) => key.split(',')[1]).join() === 'false,true,true,false,false,true', `the dashes are ${keys}`);
    for (const selector of ['.tile-head .key line', '#chart .line'])
      check((await looks(selector)).join() === keys.join(), `${selector}: ${await looks(selector)}`);
    await page.locator('#play').click();
    await page.waitForFunction(() => Number(document.body.dataset.t) > 60);
    await shoot(page, 'play-dashes', { fullPage: true });
    await page.getByText('One map').click();
    await page.waitForFunction(() => Number(document.body.dataset.t) > 120);
    await shoot(page, 'play-dashes-together');
    // A seventh is refused beside the field.
    await page.locator('#change').click();
    await page.waitForSelector('#agent-chips .chip');
    await page.fill('#setup-agents', 'g-ts:noise-scale=1');
    await page.locator('#setup-submit').click();
    await page.waitForSelector('#error-agents:not([hidden])');
    const said = await message(page, 'agents');
    check(said === '7 agents are too many to watch; name at most 6', said);
    await shoot(page, 'play-seven');
  }),

  'a map from a file, with directions and times': played(async ({ open, check, shoot }) => {
    const page = await open('', { expected: ['status of 422'] });
    await page.locator('#change').click();
    await page.getByText('A map file').click();
    await page.locator('#setup-submit').click();
    check((await message(page, 'graph')).includes('Choose a map file'), 'a missing file is not reported');
    await page.setInputFiles('#setup-file', fixture('osmnx.graphml'));
    await page.waitForSelector('#error-graph:not([hidden])');
    check((await message(page, 'graph')).includes('(“Only the largest part'), await message(page, 'graph'));
    // The message stays until another file is chosen.
    const said = await message(page, 'graph');
    await page.locator('#setup-submit').click();
    check((await message(page, 'graph')) === said, `the message becomes ${await message(page, 'graph')}`);
    await page.getByText('A family', { exact: true }).click();
    check(await page.locator('#error-graph').isHidden(), 'the message about a file stands beside a family');
    await page.getByText('A map file').click();
    check((await message(page, 'graph')) === said, 'the message is lost');
    await page.setInputFiles('#setup-file', fixture('town.graphml'));
    await page.waitForFunction(() => document.querySelector('#drop-state').textContent.includes('read as graphml'));
    await page.locator('label', { hasText: 'one-way roads' }).click();
    await page.fill('#file-times', 'travel_time');
    await page.fill('#file-visit-time', '30');
    await page.locator('#file-visit-time').press('Tab');
    await page.waitForFunction(() => document.querySelector('#drop-state').textContent.includes('roads'));
    await page.fill('#setup-start', '240112058');
    await shoot(page, 'play-file');
    await page.locator('#setup-submit').click();
    await page.waitForSelector('#setup:not([open])', { state: 'attached' });
    check((await text(page, '#summary-graph')) === 'town.graphml', 'the map is not named');
    check(page.url().includes('#map=town.graphml&directed=true&times=travel_time&visit_time=30&'), `the link is ${page.url()}`);
    await page.locator('.map').first().focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.locator('#node [data-road]').first().press('Enter');
    await page.waitForSelector('.map[data-blocked="1"]');
    await page.locator('#play').click();
    await page.waitForFunction(() => Number(document.body.dataset.t) > 30);
    await shoot(page, 'play-town');
    await fast(page);
    await is(page, 'over');
    const stood = await standings(page);
    await page.locator('#share').click();
    check((await text(page, '#share-file')).includes('town.graphml'), 'the dialog does not say that the file is not in the link');
    const command = await page.inputValue('#share-command');
    check(
      command.startsWith('gbandit run --graph town.graphml ') &&
        command.endsWith(' --directed --times travel_time --visit-time 30 --start 240112058'),
      `the command is ${command}`,
    );
    // The link asks for the file, and has its options and the roads that close.
    const again = await open(new URL(page.url()).hash);
    check((await text(again, '#banner-text')).includes('town.graphml'), 'the link does not ask for its map');
    await again.locator('#banner-action').click();
    await again.setInputFiles('#setup-file', fixture('town.graphml'));
    await again.waitForFunction(() => document.querySelector('#drop-state').textContent.includes('roads'));
    await again.locator('#setup-submit').click();
    await again.waitForSelector('#setup:not([open])', { state: 'attached' });
    check(await again.locator('#banner').isHidden(), 'the page still asks for the file');
    await fast(again);
    await again.locator('#play').click();
    await is(again, 'over');
    check(JSON.stringify(await standings(again)) === JSON.stringify(stood), 'the same file gives another race');
  }),
};
