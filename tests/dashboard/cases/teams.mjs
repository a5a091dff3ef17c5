// Teams: one field and many walkers, each with its own colour, order and reasons.
import { Service, tokens } from '../service.mjs';
import { SQUARE, attribute, closeAll, served, text } from '../stage.mjs';
import { mapSays, openWindow, overflow, violations } from '../window.mjs';

const CREW = {
  id: 'crew',
  graph: SQUARE,
  seed: 1,
  share: 'capacity:2',
  start: 'hall',
  walkers: [{ name: 'anna' }, { name: 'bert', start: 'roof', speed: 2, nodes: ['yard', 'roof', 'gate'] }],
};

/** After so many rounds, the team of the picture has visited all nodes, and goes to the better ones. */
const ROUNDS = 41;

const ask = (service, id, walker) => service.call('POST', `/v1/agents/${id}/ask?walker=${walker}`);
const team = async (service, id) => (await service.call('GET', `/v1/agents/${id}`)).team;

/** The walkers of a team as the map notes them. */
const noted = ({ walkers }) =>
  walkers.map(({ walker, at, path, stay }) => `${walker}@${at.node}>${path.join(',')}+${stay}`).join(' ');

/** Every walker in turn visits the next node of its order. The rewards depend only on node and round. */
async function walk(service, id, rounds) {
  for (let round = 0; round < rounds; round += 1) {
    for (const { walker } of (await team(service, id)).walkers) {
      const order = await ask(service, id, walker);
      const { node } = order.path[0] ?? order.at;
      const reward = ((node * 37) % 23) / 2 + 0.25 * ((round * 7) % 4);
      await service.call('POST', `/v1/agents/${id}/tell`, { walker, sequence: order.sequence, reward });
    }
  }
}

/** What the rows of the table say. */
const rows = (page) =>
  page.$$eval('#walkers-body tr', (rows) =>
    rows.map((row) => [...row.children].map((cell) => cell.innerText.replace(/\s+/g, ' ').trim())),
  );

/** Where the disc of a walker is drawn: where most pixels in a small square have its colour. */
async function discOf(page, number) {
  const found = await page.evaluate(async (number) => {
    const { hueOf } = await import('/dashboard/team.js');
    const hue = getComputedStyle(document.documentElement).getPropertyValue(hueOf(number)).trim();
    const wanted = [1, 3, 5].map((k) => parseInt(hue.slice(k, k + 2), 16));
    const canvas = document.querySelectorAll('#map canvas')[1];
    const { width, height } = canvas;
    const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
    const isHue = (x, y) =>
      wanted.every((part, k) => data[4 * (y * width + x) + k] === part) && data[4 * (y * width + x) + 3] === 255;
    let best = { most: 0 };
    for (let y = 10; y < height - 10; y += 2) {
      for (let x = 10; x < width - 10; x += 2) {
        if (!isHue(x, y)) continue;
        let most = 0;
        for (let dy = -9; dy <= 9; dy += 1) for (let dx = -9; dx <= 9; dx += 1) most += isHue(x + dx, y + dy);
        if (most > best.most) best = { most, x, y };
      }
    }
    const { left, top } = canvas.getBoundingClientRect();
    const ratio = width / canvas.clientWidth;
    return { most: best.most, at: [left + best.x / ratio, top + best.y / ratio] };
  }, number);
  // A disc has about 280 pixels, less those of its number.
  if (found.most < 140) throw new Error(`walker ${number} is not drawn in its colour: ${found.most} pixels`);
  return found.at;
}

export const teams = {
  'a team is created in the dialog': served(async ({ service, open, check, shoot }) => {
    const page = await open('', { expected: ['status of 422'] });
    await page.locator('.bar [data-create]').click();
    check(await page.locator('#create-share').isHidden(), 'an agent alone is offered a share');
    await page.fill('#create-id', 'crew');
    await page.fill('#create-family', 'grid:4x5');
    await page.fill('#create-walkers', '3');
    check(await page.locator('#create-share').isVisible(), 'a team is not offered a share');
    await page.fill('#create-share', 'half');
    await shoot(page, 'create-team');
    for (const found of await violations(page)) check(false, found);
    // Errors mark their field.
    await page.locator('#create-submit').click();
    await page.waitForSelector('#create-share[aria-invalid=true]');
    check((await text(page, '#create-error')).includes('half'), `the error says ${await text(page, '#create-error')}`);
    await page.fill('#create-share', 'log:0.05');
    await page.fill('#create-seats', 'two');
    await page.locator('#create-submit').click();
    await page.waitForSelector('#create-seats[aria-invalid=true]');
    await page.fill('#create-seats', '2');
    for (const [wrong, part] of [
      ['41', 'do not fit'],
      ['2.5', 'must be a whole number'],
      ['0, 1', 'is not a name'],
      ['anna, anna', 'another walker'],
    ]) {
      await page.fill('#create-walkers', wrong);
      await page.locator('#create-submit').click();
      await page.waitForSelector('#create-walkers[aria-invalid=true]');
      check((await text(page, '#create-error')).includes(part), `${wrong}: ${await text(page, '#create-error')}`);
    }
    await page.fill('#create-walkers', '3');
    await page.locator('#create-submit').click();
    await mapSays(page, { nodes: 20, sequence: 0 });
    const made = await team(service, 'crew');
    check(made.walkers.length === 3 && made.share === 'log:0.05' && made.seats === 2, JSON.stringify(made));
    check((await text(page, '#stat-walkers')) === '3', 'the walkers are not counted');
    check(await page.locator('#stat-at').isHidden(), 'a team is said to be at one place');
    check(
      (await text(page, '#team-rules')) === 'Share: log:0.05 · at most 2 on a node',
      await text(page, '#team-rules'),
    );
    await page.waitForFunction(
      () => document.querySelector('#agents-list .spec')?.textContent === 'g-star · team of 3',
    );

    // By names; and one walker is an agent alone, as before.
    await page.locator('.bar [data-create]').click();
    await page.fill('#create-id', 'named');
    await page.fill('#create-walkers', 'anna, bert');
    await page.locator('#create-submit').click();
    await page.waitForFunction(() => location.hash.includes('named'));
    check((await team(service, 'named')).walkers.map(({ name }) => name).join() === 'anna,bert', 'the names are lost');
    await page.locator('.bar [data-create]').click();
    await page.fill('#create-id', 'alone');
    await page.fill('#create-walkers', '1');
    await page.locator('#create-submit').click();
    await mapSays(page, { nodes: 20, at: 0, walkers: '' });
    check((await team(service, 'alone')) === undefined, 'one walker is a team');
    check(await page.locator('.walkers-panel').isHidden(), 'an agent alone has a table of walkers');
    check(await page.locator('#stat-at').isVisible(), 'the place of an agent alone is not shown');
    check((await text(page, '#why-title')) === 'Next leg', `the panel is called ${await text(page, '#why-title')}`);
  }),

  'walkers on the map, in the table, and live': served(async ({ service, open, check, shoot }) => {
    await service.create(CREW);
    const page = await open('#agent=crew');
    await mapSays(page, {
      nodes: 4,
      sequence: 0,
      walkers: noted(await team(service, 'crew')),
      discs: 2,
      names: 2,
      sharp: true,
    });
    const [anna, bert] = await rows(page);
    check(anna[0].startsWith('0 anna') && anna[1] === 'hall' && anna[3] === '0', `the row says ${anna}`);
    check(bert[0] === '1 bert speed 2 · only yard, roof, gate', `the row says ${bert[0]}`);
    check((await text(page, '#agent-phase')) === 'covering the graph', 'the phase is not shown');

    // A report of one walker changes its row; the other goes on.
    await service.call('POST', '/v1/agents/crew/tell', {
      walker: 'anna',
      sequence: 0,
      visits: [
        { at: 'hall', reward: 1 },
        { at: 'yard', reward: 2 },
      ],
    });
    await mapSays(page, { sequence: 1, walkers: noted(await team(service, 'crew')), visited: 2 });
    const [moved, same] = await rows(page);
    check(moved[1] === 'yard' && moved[3] === '2', `the row says ${moved}`);
    check(same.join() === bert.join(), `the other row says ${same}`);
    check(
      (await text(page, '#stat-visits')) === '2' && (await text(page, '#stat-total')) === '3.000',
      'the sums are not the team’s',
    );
    await service.call('POST', '/v1/agents/crew/tell', {
      walker: 'bert',
      sequence: 0,
      visits: [
        { at: 'roof', reward: 3 },
        { at: 'gate', reward: 4 },
      ],
    });
    await mapSays(page, { sequence: 2, visited: 4 });
    await page.waitForFunction(() => document.querySelector('#agent-phase').dataset.phase === 'learn');
    await page.waitForSelector('#chart[data-points="4"]');

    // Blocked edges, walkers that join and leave: all of it arrives by itself.
    await service.call('POST', '/v1/agents/crew/blocked', { sequence: 0, edge: ['hall', 'gate'] });
    await mapSays(page, { blocked: 1, walkers: noted(await team(service, 'crew')) });
    await service.call('POST', '/v1/agents/crew/joined', { name: 'cleo', start: 'gate' });
    await mapSays(page, { discs: 3, walkers: noted(await team(service, 'crew')) });
    check((await text(page, '#stat-walkers')) === '3', 'the size of the team is out of date');
    await page.waitForFunction(() => document.querySelector('#agents-list .spec').textContent === 'g-star · team of 3');
    await service.call('POST', '/v1/agents/crew/left', { walker: 'anna' });
    await mapSays(page, { discs: 2, walkers: noted(await team(service, 'crew')) });
    check((await rows(page)).length === 2, 'the table shows a walker that left');
    check((await text(page, '#why-title')).endsWith('bert'), 'the reasons of a walker that left are shown');
    await page.waitForFunction(() =>
      /crew has 2 walkers; bert is at/.test(document.querySelector('#agent-spoken').textContent),
    );
    await shoot(page, 'team-live');
    for (const found of await violations(page)) check(false, found);
  }),

  'the reasons of each walker': served(async ({ service, open, check, shoot }) => {
    await service.create({
      ...CREW,
      graph: 'grid:6x6',
      start: 0,
      walkers: [{ name: 'anna' }, { name: 'bert', start: 35 }, { start: 5 }],
    });
    await walk(service, 'crew', 20);
    const page = await open('#agent=crew');
    await mapSays(page, { sequence: 60, discs: 3, names: 2, visited: 36, sharp: true });
    for (const [number, called] of [
      [0, 'anna'],
      [1, 'bert'],
      [2, 'walker 2'],
    ]) {
      if (number > 0) await page.locator(`#walkers-body tr:nth-child(${number + 1}) button`).click();
      const order = await ask(service, 'crew', number);
      await page.waitForSelector(`#why[data-walker="${number}"][data-asked="${order.sequence}"]`);
      const said = (await text(page, '#why')).replace(/\s+/g, ' ');
      const going = (order.path.at(-1) ?? order.at).node;
      const first = order.path.length > 0 ? `Goes to ${going}, ${order.path.length} step` : `Stays at ${going}`;
      check(said.startsWith(first), `${called}: ${said}`);
      const reason = order.why.reason;
      check(said.includes(reason.slice(1)), `${called}: ${said} without ${reason}`);
      check(
        (await text(page, '#why-title')).replace(/\s+/g, ' ') === `Next leg of ${number} ${called}`,
        await text(page, '#why-title'),
      );
      check(
        (await attribute(page, '#map', 'data-lit')) === (number > 0 ? String(number) : ''),
        'the map does not follow the table',
      );
    }
    // Choosing it again clears the choice.
    await page.mouse.move(5, 5);
    await page.locator('#walkers-body tr:nth-child(3) button').click();
    await page.mouse.move(5, 5);
    await page.locator('#walkers-body tr:nth-child(3) button').evaluate((button) => button.blur());
    await mapSays(page, { lit: '' });
    // By pointer: from the row to the map, and from the map to the row.
    await page.locator('#walkers-body tr:nth-child(2)').hover();
    await mapSays(page, { lit: 1 });
    await page.mouse.move(5, 5);
    await mapSays(page, { lit: '' });
    const spot = await discOf(page, 2);
    await page.mouse.move(...spot);
    await mapSays(page, { lit: 2 });
    check(
      await page.locator('#walkers-body tr:nth-child(3)').evaluate((row) => row.classList.contains('lit')),
      'the row is not highlighted',
    );
    const card = (await text(page, '#node-card')).replace(/\s+/g, ' ');
    check(/here .*walker 2/.test(card), `the card says ${card}`);
    await page.mouse.click(...spot);
    await page.waitForSelector('#why[data-walker="2"]');
    await page.mouse.move(5, 5);
    await mapSays(page, { lit: 2 });
    await shoot(page, 'team-chosen');
    // By keys.
    await page.locator('#map').focus();
    await page.keyboard.press('PageDown');
    await page.waitForSelector('#why[data-walker="0"]');
    const at = (await team(service, 'crew')).walkers[0].at.node;
    await mapSays(page, { lit: 0, focused: at });
    await page.keyboard.press('PageUp');
    await page.keyboard.press('PageUp');
    await page.waitForSelector('#why[data-walker="1"]');
    await page.keyboard.press('Home');
    await mapSays(page, { focused: (await team(service, 'crew')).walkers[1].at.node });
    await page.locator('#walkers-body tr:nth-child(1) button').focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('#why[data-walker="0"]');
    check(
      (await attribute(page, '#walkers-body tr:nth-child(1) button', 'aria-pressed')) === 'true',
      'the choice is not announced',
    );
    // The reasons follow the reports.
    const before = await ask(service, 'crew', 0);
    await walk(service, 'crew', 1);
    await page.waitForSelector(`#why[data-asked="${before.sequence + 1}"]`);
    for (const found of await violations(page)) check(false, found);
  }),

  'walkers join and leave in dialogs': served(async ({ service, open, check, shoot }) => {
    await service.create({ ...CREW, walkers: 0 });
    const page = await open('#agent=crew', { expected: ['status of 422'] });
    await page.waitForSelector('#walkers-none:not([hidden])');
    check((await text(page, '#why')) === 'The team has no walkers.', await text(page, '#why'));
    check(await page.locator('#walker-remove').isHidden(), 'nobody can be removed');
    await page.locator('#walkers-add').click();
    await page.waitForSelector('#join-dialog[open]');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#join-name[aria-invalid=true]');
    await page.fill('#join-name', 'cleo');
    await page.fill('#join-start', 'attic');
    await page.locator('#join-confirm').click();
    await page.waitForSelector('#join-start[aria-invalid=true]');
    check((await text(page, '#join-error')).includes('attic'), await text(page, '#join-error'));
    await shoot(page, 'team-join');
    for (const found of await violations(page)) check(false, found);
    await page.fill('#join-start', 'roof');
    await page.fill('#join-speed', '2');
    await page.fill('#join-nodes', 'roof, gate');
    await page.locator('#join-confirm').click();
    await page.waitForSelector('#join-dialog:not([open])', { state: 'attached' });
    await mapSays(page, { discs: 1, walkers: noted(await team(service, 'crew')) });
    const [cleo] = (await team(service, 'crew')).walkers;
    check(cleo.name === 'cleo' && cleo.speed === 2 && cleo.nodes.join() === '2,3', JSON.stringify(cleo));
    await page.locator('#walker-remove').click();
    check((await text(page, '#leave-title')) === 'Remove cleo from the team?', await text(page, '#leave-title'));
    check((await page.evaluate(() => document.activeElement.id)) === 'leave-cancel', 'Remove has the first focus');
    await page.fill('#leave-reason', 'flat battery');
    await page.locator('#leave-confirm').click();
    await page.waitForSelector('#walkers-none:not([hidden])');
    const { records } = await service.call('GET', '/v1/agents/crew/history');
    check(records.at(-1).kind === 'left' && records.at(-1).reason === 'flat battery', JSON.stringify(records.at(-1)));
  }),

  'the list counts walkers who join and leave': served(async ({ service, open, check }) => {
    await service.create(CREW);
    await service.create({ ...CREW, id: 'other', graph: 'line:4', start: 0, walkers: 2 });
    const page = await open('#agent=crew');
    const listed = (id, words) =>
      page.waitForFunction(
        ([id, words]) =>
          [...document.querySelectorAll('#agents-list a')].some(
            (link) => link.title === id && link.querySelector('.spec').textContent === `g-star · ${words}`,
          ),
        [id, words],
      );
    const change = (id, what, body) => service.call('POST', `/v1/agents/${id}/${what}`, body);
    await listed('crew', 'team of 2');
    await listed('other', 'team of 2');
    // Also of a team that is not watched.
    for (const name of ['cleo', 'dora']) await change('other', 'joined', { name });
    await listed('other', 'team of 4');
    await change('other', 'left', { walker: 0 });
    await listed('other', 'team of 3');
    // One that was watched before.
    await change('crew', 'joined', { name: 'cleo' });
    await listed('crew', 'team of 3');
    await page.locator('#agents-list a[title=other]').click();
    await mapSays(page, { discs: 3 });
    await change('crew', 'left', { walker: 'anna' });
    await listed('crew', 'team of 2');
    // Another team of the same name begins anew.
    await service.call('DELETE', '/v1/agents/crew');
    await service.create({ ...CREW, walkers: 5 });
    await listed('crew', 'team of 5');
    // What joins names the number of its team, so it cannot reach a later team of the same name.
    const asked = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') asked.push(request.postDataJSON());
    });
    await page.locator('#walkers-add').click();
    await page.fill('#join-name', 'emil');
    await page.locator('#join-confirm').click();
    await mapSays(page, { discs: 4 });
    const { number } = await service.call('GET', '/v1/agents/other');
    check(
      asked.some((body) => body?.name === 'emil' && body.number === number),
      JSON.stringify(asked),
    );
  }),

  'a token that may only look at a team': async ({ browser, problems, check, name }) => {
    const made = tokens(['read', 'admin']);
    const service = await new Service(['--token-file', made.file]).start();
    try {
      await service.call('POST', '/v1/agents', CREW, made.admin);
      const page = await openWindow(browser, `${service.url}/#agent=crew`, problems, {
        where: name,
        expected: ['status of 401', 'status of 403'],
      });
      await page.waitForSelector('#token-dialog[open]');
      await page.fill('#token-field', made.read);
      await page.keyboard.press('Enter');
      await mapSays(page, { nodes: 4, discs: 2 });
      await page.waitForFunction(() =>
        document.querySelector('#why').textContent.includes('Reasons need a token of scope decide.'),
      );
      check(/^(Goes|Stays)/.test(await text(page, '#why')), 'the order is not shown');
      await page.locator('#walker-remove').click();
      await page.locator('#leave-confirm').click();
      await page.waitForFunction(() =>
        document.querySelector('#leave-error').textContent.includes('may not change the team'),
      );
      check(await page.locator('#refusal').isHidden(), 'the page complains about what it asked for itself');
    } finally {
      await closeAll(browser);
      await service.end();
      made.end();
    }
  },

  'a demonstration of a team': served(async ({ service, open, check, shoot }) => {
    const page = await open();
    await page.waitForSelector('#demo-offer:not([hidden])');
    await page.locator('#demo-team').click();
    await page.waitForFunction(() => Number(document.querySelector('#map').dataset.sequence) > 40);
    check((await team(service, 'demo-team')).walkers.length === 4, 'it is not a team of four');
    check((await text(page, '#agent-simulate')) === 'Stop simulating', 'the simulation cannot be stopped');
    // While all move, the sentence is about the leg on the map.
    const samples = await page.evaluate(async () => {
      const seen = [];
      for (let k = 0; k < 60; k += 1) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        const [, at, path] = /^0@(\d+)>([\d,]*)\+/.exec(document.querySelector('#map').dataset.walkers);
        seen.push({ end: path.split(',').at(-1) || at, said: document.querySelector('#why').dataset.destination });
      }
      return seen;
    });
    check(
      samples.every(({ end, said }) => end === said),
      `the panel is behind the map: ${JSON.stringify(samples.find(({ end, said }) => end !== said))}`,
    );
    const head = await page.$$eval('.agent-head > *', (parts) =>
      parts.map((part) => part.getBoundingClientRect().toJSON()),
    );
    const [top, bottom] = [Math.max(...head.map(({ top }) => top)), Math.min(...head.map(({ bottom }) => bottom))];
    check(top < bottom, `the header wraps at 1280 pixels: ${JSON.stringify(head)}`);
    await shoot(page, 'demo-team');
    await page.locator('#agent-simulate').click();
    await page.waitForSelector('#agent-simulated[hidden]', { state: 'attached' });
    // It goes on without a question: all its reports are made up.
    await page.locator('#agent-simulate').click();
    await page.waitForSelector('#agent-simulated:not([hidden])');
    check(await page.locator('#simulate-dialog').isHidden(), 'it asks about its own reports');
  }),

  'many walkers, small screens and both themes': served(async ({ service, open, check, shoot }) => {
    await service.create({ id: 'swarm', graph: 'grid:12x12', seed: 2, share: 'power:0.5', start: 78, walkers: 40 });
    const many = await open('#agent=swarm');
    // On one node, discs make room for each other, and a count stands for the rest.
    await mapSays(many, { nodes: 144, discs: 24, sharp: true });
    await shoot(many, 'swarm-start');
    await walk(service, 'swarm', 6);
    await mapSays(many, { sequence: 240, discs: 40 });
    check((await text(many, '#walkers-place')) === '1–10 of 40', await text(many, '#walkers-place'));
    await many.locator('#walkers-after').click();
    check((await rows(many))[0][0] === '10 walker 10', `the second page begins with ${(await rows(many))[0]}`);
    await many.fill('#walkers-filter', '33');
    check((await rows(many)).length === 1, 'the filter does not find the walker');
    await shoot(many, 'swarm');
    for (const found of await violations(many)) check(false, found);
    await many.close();

    await service.create({
      ...CREW,
      graph: 'geometric:60,0.2',
      start: 3,
      walkers: ['anna', 'bert', 'cleo', 'dora', 'emil'].map((name) => ({ name })),
    });
    await walk(service, 'crew', 30);
    for (const colorScheme of ['light', 'dark']) {
      const wide = await open('#agent=crew', { colorScheme });
      await mapSays(wide, { sequence: 150, discs: 5, visited: 60, sharp: true });
      await wide.waitForSelector('#why:not([data-asked=""])');
      await shoot(wide, `team-${colorScheme}`);
      for (const found of await violations(wide)) check(false, `${colorScheme}: ${found}`);
      const phone = await open('#agent=crew', {
        viewport: { width: 360, height: 740 },
        deviceScaleFactor: 2,
        colorScheme,
        hasTouch: true,
        isMobile: true,
      });
      await mapSays(phone, { sequence: 150, discs: 5, visited: 60 });
      await phone.waitForSelector('#why:not([data-asked=""])');
      check((await overflow(phone)) <= 0, `at 360 px the page is ${await overflow(phone)} px too wide`);
      await phone.locator('#walkers-body tr:nth-child(4) button').tap();
      await mapSays(phone, { lit: 3 });
      await shoot(phone, `team-phone-${colorScheme}`, { fullPage: true });
      for (const found of await violations(phone)) check(false, `phone, ${colorScheme}: ${found}`);
    }
    // The theme changes the colours of walkers, too.
    const page = await open('#agent=crew', { colorScheme: 'light' });
    await mapSays(page, { discs: 5 });
    const chip = () =>
      page
        .locator('.walker-chip')
        .first()
        .evaluate((chip) => chip.style.backgroundColor);
    const light = await chip();
    await page.locator('#theme').click();
    await page.waitForFunction(
      (light) => document.querySelector('.walker-chip').style.backgroundColor !== light,
      light,
    );
  }),

  'a team that has learned for a while': served(async ({ service, open, check, shoot }) => {
    const walkers = [{ name: 'anna' }, { name: 'bert' }, { name: 'cleo' }, { name: 'dora' }];
    await service.create({ id: 'crew', graph: 'geometric:120,0.15', seed: 3, share: 'log:0.05', seats: 1, walkers });
    await walk(service, 'crew', ROUNDS);
    const page = await open('#agent=crew');
    await mapSays(page, { sequence: 4 * ROUNDS, discs: 4, sharp: true });
    await page.waitForSelector('#why:not([data-asked=""])');
    await page.waitForFunction(() => document.querySelector('#stat-best').textContent.includes(' pays '));
    await page.waitForFunction(() => Number(document.querySelector('#chart').dataset.points) > 10);
    const going = (await team(service, 'crew')).walkers.filter(({ path }) => path.length > 1);
    check(going.length > 1, 'the picture needs several legs');
    // This is the picture docs/images/dashboard-team.png.
    await shoot(page, 'dashboard-team');
  }),
};
