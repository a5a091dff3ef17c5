// Creating agents: by keys, from files, with names of any kind.
import { Service } from '../service.mjs';
import { attribute, closeAll, fixture, served, text } from '../stage.mjs';
import { coloursDrawn, mapSays, openWindow, overflow, violations } from '../window.mjs';

/** A text of the registry without the marks of code, as the page shows it. */
const plain = (text) => text.replaceAll('`', '');

export const creation = {
  'a demo in one click, and a simulated agent': served(async ({ service, open, check, shoot }) => {
    const page = await open();
    await page.waitForSelector('#demo-offer:not([hidden])');
    await page.locator('#demo').click();
    // It moves by itself, and is marked as simulated.
    await page.waitForFunction(() => Number(document.querySelector('#map').dataset.sequence) > 5);
    check(await page.locator('#agent-simulated').isVisible(), 'the agent is not marked as simulated');
    check((await text(page, '#agent-simulate')) === 'Stop simulating', 'the simulation cannot be stopped');
    const head = await page.$$eval('.agent-head > *', (parts) => parts.map((part) => part.getBoundingClientRect().toJSON()));
    const [top, bottom] = [Math.max(...head.map(({ top }) => top)), Math.min(...head.map(({ bottom }) => bottom))];
    check(top < bottom, `the header wraps at 1280 pixels: ${JSON.stringify(head)}`);
    await shoot(page, 'demo');
    for (const found of await violations(page)) check(false, found);
    const { records } = await service.call('GET', '/v1/agents/demo/history?limit=3');
    check(records.every((record) => JSON.stringify(record).includes('"simulation"')), 'reports do not name their robot');
    await page.locator('#agent-simulate').click();
    await page.waitForSelector('#agent-simulated[hidden]', { state: 'attached' });
    check((await service.call('GET', '/v1/simulations')).agents.length === 0, 'the simulation goes on');
    await page.locator('.bar [data-create]').click();
    await page.fill('#create-id', 'made-up');
    await page.locator('#create-simulate').check();
    await shoot(page, 'create-simulated');
    await page.locator('#create-submit').click();
    await page.waitForFunction(() => location.hash.includes('made-up'));
    await page.waitForFunction(() => Number(document.querySelector('#map').dataset.sequence) > 2);
    check((await service.call('GET', '/v1/simulations')).agents.join() === 'made-up', 'another agent is simulated');
    // Made-up rewards mix with those of robots only on request.
    await service.call('POST', '/v1/agents', { id: 'real', graph: 'grid:3x3', seed: 1 });
    await service.call('POST', '/v1/agents/real/tell', { sequence: 0, at: 0, reward: 1, robot: 'rover' });
    const real = await open('#agent=real');
    await real.waitForSelector('#agent-simulate:not([hidden])');
    await real.locator('#agent-simulate').click();
    await real.waitForSelector('#simulate-dialog[open]');
    check((await text(real, '#simulate-dialog')).includes('1 report from elsewhere'), 'the dialog does not say why it asks');
    await shoot(real, 'simulate-asked');
    for (const found of await violations(real)) check(false, found);
    await real.locator('#simulate-cancel').click();
    check(!(await service.call('GET', '/v1/simulations')).agents.includes('real'), 'the agent is simulated without consent');
    await real.locator('#agent-simulate').click();
    await real.locator('#simulate-confirm').click();
    await real.waitForFunction(() => Number(document.querySelector('#map').dataset.sequence) > 2);
  }),

  'a service that does not simulate agents': async ({ browser, problems, check, name }) => {
    const service = await new Service(['--no-demo']).start();
    try {
      const page = await openWindow(browser, service.url, problems, { where: name });
      await page.waitForSelector('#empty:not([hidden])');
      check(await page.locator('#demo-offer').isHidden(), 'a demo is offered');
      await page.locator('#empty [data-create]').click();
      check(await page.locator('#create-simulate').isHidden(), 'a simulation is offered');
      await service.create({ id: 'alone', graph: 'line:3' });
      const refused = await service.call('POST', '/v1/agents/alone/simulation').catch((error) => error.message);
      check(refused.includes('403') && refused.includes('--no-demo'), `refused with ${refused}`);
    } finally {
      await closeAll(browser);
      await service.end();
    }
  },

  'an empty service, and an agent created by keys alone': served(async ({ service, open, check, shoot }) => {
    const page = await open();
    await page.waitForSelector('#empty:not([hidden])');
    check((await text(page, '#empty')).includes('gbandit drone'), 'the empty page shows no command');
    await shoot(page, 'empty');
    for (const found of await violations(page)) check(false, found);

    await page.keyboard.press('Tab');
    check((await page.evaluate(() => document.activeElement.id)) === 'skip', 'the first stop is not the skip link');
    await page.keyboard.press('Tab');
    check((await page.evaluate(() => document.activeElement.id)) === 'theme', 'the theme cannot be reached by keys');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#create-dialog[open]');
    check(
      (await page.evaluate(() => document.activeElement.id)) === 'create-id',
      'the dialog does not begin at its first field',
    );
    await page.keyboard.press('Escape');
    await page.waitForSelector('#create-dialog:not([open])', { state: 'attached' });
    check(await page.evaluate(() => document.activeElement.matches('.bar [data-create]')), 'the focus does not return');
    await page.keyboard.press('Enter');
    await page.keyboard.type('by-keys');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    check(
      (await page.evaluate(() => document.activeElement.id)) === 'create-family',
      'the family is not the next field',
    );
    await page.keyboard.press('Control+A');
    await page.keyboard.type('grid:4x5');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('g-ucb:bonus=0.5');
    // The registry's help for the typed agent, opened by keys.
    await page.waitForSelector('#agent-about[data-agent=g-ucb] summary');
    const { agents } = await service.call('GET', '/v1/registry');
    const entry = agents.find(({ name }) => name === 'g-ucb');
    // Past the few agents to choose from, and the button that shows all others.
    const few = agents.filter(({ standing }) => standing === 'recommended').map(({ name }) => name);
    const offered = () => page.$$eval('#agent-chips button', (buttons) => buttons.map((button) => button.textContent));
    check((await offered()).join() === [...few, 'All agents'].join(), `offered: ${await offered()}`);
    for (let stop = 0; stop < few.length + 2; stop++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const about = await text(page, '#agent-about');
    check(about.includes(plain(entry.about)), `the help for g-ucb is missing: ${about}`);
    for (const { name, when } of entry.parameters)
      check(when.length > 0 && about.includes(plain(when)), `the advice on ${name} is missing`);
    await shoot(page, 'create-about');
    for (const found of await violations(page)) check(false, found);
    for (const value of ['7', '3']) {
      await page.keyboard.press('Tab');
      await page.keyboard.type(value);
    }
    await page.keyboard.press('Enter');
    await mapSays(page, { nodes: 20, edges: 31, at: 7 });
    const made = await service.call('GET', '/v1/agents/by-keys');
    check(made.agent.bonus === 0.5 && made.seed === 3 && made.at.node === 7, `created: ${JSON.stringify(made)}`);
    check(new URL(page.url()).hash.includes('agent=by-keys'), 'the address does not name the agent');
    check((await page.title()) === 'by-keys · graph-bandit', 'the title does not name the agent');

    // From node to node: 7 is in the second row of four, beside 8 and below 12.
    await page.locator('#map').focus();
    await page.keyboard.press('ArrowRight');
    await mapSays(page, { focused: 8 });
    await page.keyboard.press('ArrowUp');
    await mapSays(page, { focused: 13 });
    await page.keyboard.press('Enter');
    await mapSays(page, { selected: 13 });
    check((await text(page, '#node-card')).includes('13'), 'the card is not for the node');
    check(
      (await page.locator('#map-spoken').textContent()).startsWith('13: not visited yet'),
      'the node is not announced',
    );
    await page.keyboard.press('Escape');
    await mapSays(page, { selected: '' });
    await page.keyboard.press('Home');
    await mapSays(page, { focused: 7 });
  }),

  'an agent from an uploaded map': served(async ({ service, open, check, shoot }) => {
    const page = await open('', { expected: ['status of 422', 'status of 409'] });
    await page.waitForSelector('#empty:not([hidden])');
    await page.locator('#empty [data-create]').click();
    await page.fill('#create-id', 'town');
    await page.getByText('A map file').click();
    await page.setInputFiles('#create-file', {
      name: 'broken.graphml',
      mimeType: 'text/xml',
      buffer: Buffer.from('<graphml><graph>'),
    });
    await page.waitForSelector('#create-error:not([hidden])');
    check((await text(page, '#create-error')).length > 10, 'the error of the file is not shown');
    await page.setInputFiles('#create-file', fixture('osmnx.graphml'));
    await page.waitForFunction(() => document.querySelector('#create-error').textContent.includes('is cut off from'));
    check(
      /tick “Only the largest part of a map/.test(await text(page, '#create-error')) &&
        !(await text(page, '#create-error')).includes('largest_component'),
      `of a map in parts: ${await text(page, '#create-error')}`,
    );
    await page.locator('label', { hasText: 'Only the largest part' }).click();
    await page.waitForSelector('#preview:not([hidden])');
    check(
      await page.locator('#create-error').isHidden(),
      `the error stays: ${await page.locator('#create-error').textContent()}`,
    );
    for (const seed of ['-1', '1.5', 'seven', '9007199254740992', '1e400']) {
      await page.fill('#create-seed', seed);
      await page.locator('#create-submit').click();
      await page.waitForSelector('#create-error:not([hidden])');
      check((await text(page, '#create-error')).includes('a whole number'), `seed ${seed} is not caught`);
      check((await attribute(page, '#create-seed', 'aria-invalid')) === 'true', `seed ${seed} is not marked`);
      const inView = await page.evaluate(() => {
        const { left, right, top, bottom } = document.querySelector('#create-seed').getBoundingClientRect();
        return document.elementFromPoint((left + right) / 2, (top + bottom) / 2)?.id === 'create-seed';
      });
      check(inView, `the field of seed ${seed} is out of view`);
    }
    await shoot(page, 'create-seed');
    await page.fill('#create-seed', '');
    const starts = await page.$$eval('#start-names option', (options) => options.map(({ value }) => value));
    check(starts.length > 0 && new Set(starts).size === starts.length, `suggested as a start: ${starts}`);
    await page.locator('[name=source]').first().evaluate((family) => family.click());
    check((await page.locator('#start-names option').count()) === 0, 'a family has the names of a file');
    await page.locator('[name=source]').last().evaluate((file) => file.click());
    await page.fill('#create-start', starts.at(-1));
    check((await coloursDrawn(page, '#preview-canvas')) > 3, 'the preview is blank');
    const size = await text(page, '#preview-size');
    await page.fill('#create-agent', 'g-upc');
    await page.locator('#create-submit').click();
    await page.waitForSelector('#create-error:not([hidden])');
    const refused = await fetch(`${service.url}/v1/agents`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"graph":"line:2","agent":"g-upc"}',
    });
    check(
      (await text(page, '#create-error')) === (await refused.json()).detail,
      'the error is not in the words of the service',
    );
    check((await attribute(page, '#create-agent', 'aria-invalid')) === 'true', 'the wrong field is not marked');
    await shoot(page, 'create-error');
    for (const found of await violations(page)) check(false, found);
    await page.fill('#create-agent', 'g-star');
    await page.fill('#create-noise', '0.3');
    await page.locator('#create-submit').click();
    await page.waitForFunction(() => Number(document.querySelector('#map').dataset.nodes) > 0);
    const made = await service.call('GET', '/v1/agents/town');
    check(size.startsWith(`${made.nodes} nodes, ${made.edges} edges`), `the preview says ${size}`);
    check((made.at.name ?? String(made.at.node)) === starts.at(-1), 'a suggested start was not taken');
    check(made.agent['noise-scale'] === 0.3, 'the noise scale was not taken');
    check(await page.locator('#create-dialog').isHidden(), 'the dialog stays open');

    await page.locator('.bar [data-create]').click();
    await page.fill('#create-id', 'parts');
    const drop = await page.evaluateHandle(() => {
      const dropped = new DataTransfer();
      dropped.items.add(new File(['a,b\nb,c\nx,y\n'], 'parts.csv'));
      return dropped;
    });
    await page.dispatchEvent('#drop', 'drop', { dataTransfer: drop });
    await page.waitForSelector('#preview:not([hidden])');
    check(
      (await text(page, '#preview-size')).startsWith('3 nodes, 2 edges'),
      `of the parts: ${await text(page, '#preview-size')}`,
    );
    await page.locator('#create-submit').click();
    await mapSays(page, { nodes: 3 });
    await page.setInputFiles('#create-file', fixture('osmium.osm.pbf'));
    await page.locator('.bar [data-create]').click();
    check(await page.locator('#ways').isVisible(), 'no choice of ways for an OpenStreetMap extract');
  }),

  'hostile names': served(
    async ({ service, open, check, shoot }) => {
      const hostile = [
        '<img src=x onerror=alert(1)>',
        '"><script>alert(2)</script>',
        `'"&amp;{{7*7}}\${7*7}`,
        '\u202Egnp.exe',
        'שלום עולם',
        'x'.repeat(400),
        'two\nlines\u2028three',
        'javascript:alert(3)',
        '</textarea><svg onload=alert(4)>',
        '🚁 drone',
      ];
      const edges = hostile.map((_, k) => [k, (k + 1) % hostile.length]);
      await service.create({ id: 'hostile', graph: { nodes: hostile.length, edges, names: hostile } });
      await service.fly('hostile', 14);
      const page = await open('#agent=hostile');
      await mapSays(page, { nodes: hostile.length, visited: hostile.length });
      await page.waitForFunction(
        (count) => document.querySelectorAll('#nodes-body tr').length === count,
        hostile.length,
      );
      const shown = await page.$$eval('#nodes-body tr', (rows) =>
        rows.map((row) => [Number(row.dataset.node), row.querySelector('.name').textContent]),
      );
      check(
        shown.length === hostile.length && shown.every(([node, name]) => name === hostile[node]),
        `names are shown as ${JSON.stringify(shown)}`,
      );
      for (let node = 0; node < hostile.length; node += 1) {
        await page.locator(`#nodes-body tr[data-node="${node}"] button`).click();
        await mapSays(page, { selected: node });
        check((await page.locator('#node-card .name').textContent()) === hostile[node], `the card of ${node}`);
      }
      const foreign = await page.$$eval(
        'main img, main script, main iframe, textarea, [onerror], [onload]',
        (found) => found.length,
      );
      check(foreign === 0, 'a name became markup');
      check((await overflow(page)) <= 0, 'a name makes the page wider');
      await shoot(page, 'hostile');
      for (const found of await violations(page)) check(false, found);
      await page.setViewportSize({ width: 360, height: 740 });
      await page.evaluate(() => scrollTo(0, 0));
      check((await overflow(page)) <= 0, 'a name makes the phone wider');
      await shoot(page, 'hostile-phone', { fullPage: true });
      // Hostile addresses do no harm either.
      await page.goto(`${service.url}/#agent=${encodeURIComponent('<img src=x onerror=alert(5)>')}&color=__proto__`);
      await page.waitForSelector('#gone:not([hidden])');
    },
    { expected: ['status of 404'] },
  ),
};
