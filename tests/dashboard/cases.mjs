// What people do with the dashboard, and what they must see.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Service, drones, tokens } from './service.mjs';
import { coloursDrawn, mapSays, openWindow, overflow, violations } from './window.mjs';

const fixtures = resolve(fileURLToPath(import.meta.url), '../../../crates/graph-bandit-maps/tests/fixtures');
const fixture = (name) => resolve(fixtures, name);

const SQUARE = {
  nodes: 4,
  names: ['hall', 'yard', 'roof', 'gate'],
  edges: [
    ['hall', 'yard'],
    ['yard', 'roof'],
    ['roof', 'gate'],
    ['gate', 'hall'],
  ],
  coordinates: [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ],
};

/** Runs a case with a service of its own. */
const served =
  (run, usual = {}) =>
  async (test) => {
    const service = await new Service().start();
    try {
      await run({
        ...test,
        service,
        open: (hash = '', options = {}) =>
          openWindow(test.browser, `${service.url}/${hash}`, test.problems, { where: test.name, ...usual, ...options }),
      });
    } finally {
      await closeAll(test.browser);
      await service.end();
    }
  };

/** A window that outlives its service would rightly complain. */
const closeAll = (browser) => Promise.all(browser.contexts().map((context) => context.close()));

const text = (page, selector) => page.locator(selector).innerText();
const attribute = (page, selector, name) => page.locator(selector).getAttribute(name);

/** Estimates as the service has them: what everything shown is held against. */
async function estimates(service, id) {
  const all = [];
  for (let from = 0; from !== undefined;) {
    const page = await service.call('GET', `/v1/agents/${id}/estimates?from=${from}&limit=1000`);
    all.push(...page.estimates);
    from = page.next;
  }
  return all;
}

export const cases = {
  'an empty service, and an agent made by keys alone': served(async ({ service, open, check, shoot }) => {
    const page = await open();
    await page.waitForSelector('#empty:not([hidden])');
    check((await text(page, '#empty')).includes('gbandit drone'), 'no command is shown to begin with');
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
    for (const value of ['7', '3']) {
      await page.keyboard.press('Tab');
      await page.keyboard.type(value);
    }
    await page.keyboard.press('Enter');
    await mapSays(page, { nodes: 20, edges: 31, at: 7 });
    const made = await service.call('GET', '/v1/agents/by-keys');
    check(made.agent.bonus === 0.5 && made.seed === 3 && made.at.node === 7, `made was ${JSON.stringify(made)}`);
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
    check((await text(page, '#node-card')).includes('13'), 'the card is not of the node');
    check(
      (await page.locator('#map-spoken').textContent()).startsWith('13: not visited yet'),
      'the node is not spoken of',
    );
    await page.keyboard.press('Escape');
    await mapSays(page, { selected: '' });
    await page.keyboard.press('Home');
    await mapSays(page, { focused: 7 });
  }),

  'an agent is followed live': served(async ({ service, open, check, shoot }) => {
    await service.create({ id: 'rover', agent: 'g-ucb', seed: 5, graph: SQUARE });
    // What is on its way when the agent is deleted finds it gone.
    const page = await open('#agent=rover&color=bound', { expected: ['status of 404'] });
    await mapSays(page, { nodes: 4, edges: 4, at: 0, sequence: 0, colourBy: 'bound', visited: 0 });
    check((await text(page, '#agent-phase')) === 'covering the graph', 'the phase is not shown');
    check((await text(page, '#connection')) === 'Live', 'the connection is not shown');
    check((await coloursDrawn(page, '#map canvas')) > 3, 'the map is blank');

    await service.call('POST', '/v1/agents/rover/tell', {
      sequence: 0,
      visits: [
        { at: 'hall', reward: 0.5 },
        { at: 'yard', reward: 1 },
        { at: 'roof', reward: 3 },
        { at: 'roof', reward: 2 },
        { at: 'gate', reward: 9 },
        { at: 'roof', reward: 1 },
      ],
    });
    const order = await service.ask('rover');
    await mapSays(page, {
      sequence: 1,
      at: 2,
      leg: order.path.map(({ node }) => node).join(','),
      stay: order.stay,
      visited: 4,
    });
    check((await text(page, '#why')).includes('Goes to gate, 1 step away'), `why: ${await text(page, '#why')}`);
    check((await text(page, '#why')).includes('roof'), 'the runner-up is not named');
    check((await text(page, '#why')).includes('10.89'), 'the bound is not shown');
    check((await text(page, '#stat-visits')) === '6', 'the visits are not counted');
    check((await text(page, '#stat-total')) === '16.50', 'the rewards are not summed');
    check((await text(page, '#stat-at')) === 'roof', 'the place is not named');
    await page.waitForSelector('#chart[data-points="6"]');

    // Two ways to the gate: the direct one is blocked now.
    await service.call('POST', '/v1/agents/rover/blocked', { sequence: 1, edge: ['roof', 'gate'] });
    await mapSays(page, { blocked: 1, leg: '1,0,3' });
    check((await text(page, '#why')).includes('path cost'), 'the cost of the way is not shown');
    await shoot(page, 'blocked');

    await page.waitForFunction(() => document.querySelector('#agent-spoken').textContent.includes('rover is at'));
    const known = await estimates(service, 'rover');
    const legend = await attribute(page, '#legend svg', 'aria-label');
    const bounds = known.map(({ bound }) => bound);
    check(
      legend === `from ${Math.min(...bounds).toFixed(3)} to ${Math.max(...bounds).toFixed(2)}`,
      `the legend says ${legend}`,
    );

    await service.call('DELETE', '/v1/agents/rover');
    await page.waitForSelector('#gone:not([hidden])');
    check(await page.locator('#agent').isHidden(), 'a deleted agent is still shown');
  }),

  'header, panel and map speak of the same moment': served(async ({ service, open, check, shoot }) => {
    await service.create({ id: 'swift', agent: 'g-ucb', graph: 'grid:8x8', seed: 2 });
    const page = await open('#agent=swift');
    await mapSays(page, { nodes: 64, at: 0, sequence: 0 });
    await page.evaluate(() => {
      const text = (id) => document.getElementById(id).textContent;
      const samples = [];
      const sample = () => {
        const { at, leg, stay, sequence, markerAway } = document.querySelector('#map').dataset;
        const order = document.querySelector('#why .order').textContent;
        samples.push({ at, leg, stay, sequence, away: Number(markerAway), header: text('stat-at'), order });
        globalThis.sampling = requestAnimationFrame(sample);
      };
      globalThis.samples = samples;
      sample();
    });
    // Ten reports a second.
    for (let report = 0; report < 40; report += 1) {
      await service.fly('swift', 1);
      await new Promise((resolve) => setTimeout(resolve, 100));
      if (report === 20) await shoot(page, 'swift');
    }
    await mapSays(page, { sequence: 40 });
    const samples = await page.evaluate(() => globalThis.samples);
    const height = (await page.locator('#map').boundingBox()).height;
    const moments = new Set(samples.map(({ sequence }) => sequence));
    check(samples.length >= 20 && moments.size >= 10, `${samples.length} samples of ${moments.size} moments`);
    for (const { at, leg, stay, sequence, away, header, order } of samples) {
      const path = leg === '' ? [] : leg.split(',');
      const steps = path.length === 1 ? '1 step' : `${path.length} steps`;
      const right =
        path.length === 0
          ? new RegExp(`^Stays at ${at} for ${stay} more`)
          : new RegExp(`^(Explores|Goes to) ${path.at(-1)}, ${steps} away`);
      check(header === at, `${sequence}: the header says ${header}, the map ${at}`);
      check(right.test(order), `${sequence}: the panel says ${order}, the map ${at} to ${leg}`);
      // An edge of eight rows is no longer than that.
      check(away <= height / 7, `${sequence}: the marker is ${away} pixels from ${at}`);
    }
    await page.waitForSelector('#map[data-marker-away="0.0"]');
    const [from, to] = await page.evaluate(async () => {
      const { glide, gliding, placeAt } = await import('/dashboard/walk.js');
      const graph = { x: [0, 4, 4], y: [0, 0, 4], starts: [0, 1, 3, 4], neighbours: Uint32Array.of(1, 0, 2, 1) };
      const along = glide(graph, 0, 1, 1000);
      const on = [1000, 1030, 1060, 1150].map((time) => placeAt(graph, along, time));
      return [on, { none: glide(graph, 0, 2, 1000), late: gliding(along, 1150), early: gliding(along, 1010) }];
    });
    check(
      from.every(({ x, y }, k) => y === 0 && (k === 0 ? x === 0 : x > from[k - 1].x)) && from[3].x === 4,
      `the marker leaves its edge: ${JSON.stringify(from)}`,
    );
    check(to.none === null && !to.late && to.early, `the marker glides where no edge leads: ${JSON.stringify(to)}`);
  }),

  'nothing that is read lies below buttons and legend': served(async ({ service, open, check, shoot }) => {
    const corners = [
      [0, 0],
      [9, 0],
      [9, 9],
      [0, 9],
    ];
    const names = ['the lower left corner', 'the lower right corner', 'the upper right corner', 'the upper left one'];
    const edges = names.map((name, k) => [name, names[(k + 1) % 4]]);
    await service.create({ id: 'corners', agent: 'g-ucb', graph: { nodes: 4, names, edges, coordinates: corners } });
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 360, height: 740 },
    ]) {
      const page = await open('#agent=corners', { viewport });
      await mapSays(page, { nodes: 4 });
      const look = () =>
        page.evaluate(() => {
          const frame = document.querySelector('#map').getBoundingClientRect();
          const covers = [...document.querySelectorAll('.colour-by, .zoom, .legend')].map((each) => {
            const { left, right, top, bottom } = each.getBoundingClientRect();
            return [left - frame.left, top - frame.top, right - frame.left, bottom - frame.top];
          });
          const { badge } = document.querySelector('#map').dataset;
          return { badge: badge ? badge.split(',').map(Number) : null, covers, size: [frame.width, frame.height] };
        });
      const clear = ({ badge: [left, top, right, bottom], covers, size: [width, height] }) =>
        left >= 0 &&
        top >= 0 &&
        right <= width &&
        bottom <= height &&
        covers.every(([l, t, r, b]) => right <= l || left >= r || bottom <= t || top >= b);
      for (const at of names) {
        const { sequence } = await service.ask('corners');
        const visits = names.map((name) => ({ at: name, reward: name === at ? 9 : 0 }));
        await service.call('POST', '/v1/agents/corners/tell', { sequence, visits: [...visits, { at, reward: 9 }] });
        await mapSays(page, { sequence: sequence + 1 });
        await page.waitForFunction(() => document.querySelector('#map').dataset.markerAway === '0.0');
        const seen = await look();
        const stays = Number(await attribute(page, '#map', 'data-stay')) > 0;
        check(
          !stays || (seen.badge && clear(seen)),
          `${viewport.width}, ${at}: the badge is at ${JSON.stringify(seen)}`,
        );
      }
      const cut = await page.$$eval('#stat-at .name, #why .name', (shown) =>
        shown
          .filter((name) => getComputedStyle(name).display !== 'inline')
          .filter((name) => name.scrollWidth > name.clientWidth + 1 || name.scrollHeight > name.clientHeight + 1)
          .map((name) => name.textContent),
      );
      check(cut.length === 0, `${viewport.width}: cut are ${cut}`);
      const heads = await page.$$eval('.rivals thead th', (heads) => heads.map((head) => head.textContent));
      check(
        heads.length === 2 && /^(here|goes to|explores) the /.test(heads[0]) && heads[1].startsWith('runner-up the '),
        `the columns are called ${heads}`,
      );
      check((await attribute(page, '#map', 'data-labels')) === '4', `${viewport.width}: a name found no room`);
      await shoot(page, `corners-${viewport.width}`);
      // The agent is moved below each cover in turn.
      await page.locator('#map').focus();
      for (const key of ['ArrowUp', 'ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowLeft', 'ArrowLeft', 'ArrowUp']) {
        for (let press = 0; press < 3; press += 1) await page.keyboard.press(`Shift+${key}`);
        await page.evaluate(
          () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
        );
        const seen = await look();
        check(!seen.badge || clear(seen), `${viewport.width}, moved: the badge is at ${JSON.stringify(seen)}`);
      }
    }
  }),

  'colours, table, chart and selection': served(async ({ service, open, check, shoot }) => {
    await service.create({ id: 'counties', graph: 'arkansas', seed: 1 });
    await service.create({ id: 'grid', graph: 'grid:8x8', seed: 2 });
    await service.fly('grid', 90);
    const page = await open('#agent=grid', { expected: ['status of 404'] });
    await mapSays(page, { nodes: 64, colourBy: 'estimate', sequence: 90 });
    await page.waitForFunction(() => Number(document.querySelector('#map').dataset.visited) > 40);
    const before = await page.locator('#legend').innerText();
    await page.locator('[for=colour-visits]').click();
    await mapSays(page, { colourBy: 'visits' });
    check((await page.locator('#legend').innerText()) !== before, 'the legend does not follow the colours');
    check(new URL(page.url()).hash.includes('color=visits'), 'the address does not follow the colours');
    await page.reload();
    await mapSays(page, { nodes: 64, colourBy: 'visits' });

    const known = await estimates(service, 'grid');
    const rows = () => page.$$eval('#nodes-body tr', (rows) => rows.map((row) => Number(row.dataset.node)));
    const sorted = (by, sign) =>
      known
        .map((each) => ({ node: each.node, value: each[by] }))
        .sort(
          (a, b) => (a.value === undefined) - (b.value === undefined) || sign * (a.value - b.value) || a.node - b.node,
        )
        .slice(0, 12)
        .map(({ node }) => node);
    await page.waitForFunction(() => document.querySelector('#nodes-body td')?.textContent !== '–');
    for (const [column, by] of [
      ['Estimate', 'estimate'],
      ['Visits', 'visits'],
      ['Radius', 'radius'],
    ]) {
      for (const [sort, sign] of [
        ['descending', -1],
        ['ascending', 1],
      ]) {
        await page.locator('#nodes-head').getByText(column).click();
        await page.mouse.move(5, 5);
        check((await attribute(page, `[data-column=${by}]`, 'aria-sort')) === sort, `${column} is not marked ${sort}`);
        const [found, right] = [await rows(), sorted(by, sign)];
        check(JSON.stringify(found) === JSON.stringify(right), `${column} ${sort}: ${found}, not ${right}`);
      }
    }
    await page.locator('#nodes-after').click();
    check((await text(page, '#nodes-place')) === '13–24 of 64', `the pages say ${await text(page, '#nodes-place')}`);
    await page.fill('#nodes-filter', '33');
    check(JSON.stringify(await rows()) === '[33]', 'the filter does not find node 33');
    await page.locator('#nodes-body button').click();
    await mapSays(page, { selected: 33 });
    await page.fill('#nodes-filter', '');
    // And the other way: a press on the map turns the table to the node.
    const spot = await page.evaluate(() => {
      const { left, top, width, height } = document.querySelector('#map').getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2, width };
    });
    let selected = '33';
    for (let away = 0; away < 60 && selected === '33'; away += 6) {
      await page.mouse.click(spot.x + away, spot.y + away / 2);
      selected = await attribute(page, '#map', 'data-selected');
      if (selected === '') selected = '33';
    }
    check(selected !== '33', 'no node of the map can be pressed');
    check(
      (await attribute(page, `#nodes-body tr[data-node="${selected}"] button`, 'aria-pressed')) === 'true',
      'the table does not show the node',
    );
    await page.waitForSelector('#node-card:not([hidden])');

    const { points } = await service.call('GET', '/v1/agents/grid/rewards');
    const chart = await page.evaluate(async (points) => {
      const { series } = await import('/dashboard/chart.js');
      return { mean: series(points, 'mean'), total: series(points, 'total') };
    }, points);
    check(
      chart.total.length === points.length && chart.total.at(-1).y === points.at(-1)[1],
      'the total is not the last point',
    );
    check(
      Math.abs(
        chart.mean.reduce((sum, { y }) => sum + y, 0) / chart.mean.length - points.at(-1)[1] / points.at(-1)[0],
      ) < 0.2,
      'windows do not average to the mean',
    );
    await page.locator('#chart').hover();
    check(
      /visits? [\d,]+( to [\d,]+)?: \d/.test(await text(page, '#chart-readout')),
      `the readout says ${await text(page, '#chart-readout')}`,
    );
    await page.locator('[for=chart-total]').click();
    await page.locator('#chart').focus();
    await page.keyboard.press('ArrowLeft');
    check((await text(page, '#chart-readout')).startsWith('after '), 'the chart cannot be read by keys');

    const shown = await attribute(page, '#map', 'data-labels');
    check(Number(shown) > 10, `only ${shown} names found room`);
    await page.fill('#agents-filter', 'count');
    check(
      JSON.stringify(await page.$$eval('#agents-list .name', (names) => names.map((name) => name.textContent))) ===
        '["counties"]',
      'the filter of agents',
    );
    await page.locator('#agents-list a').click();
    await mapSays(page, { nodes: 10, at: 0 });
    await page.fill('#agents-filter', '');
    await shoot(page, 'counties');
    for (const found of await violations(page)) check(false, found);

    await page.locator('#agent-delete').click();
    await page.waitForSelector('#delete-dialog[open]');
    for (const found of await violations(page)) check(false, found);
    check(
      (await page.evaluate(() => document.activeElement.id)) === 'delete-cancel',
      'deletion is what a key would do first',
    );
    await page.locator('#delete-confirm').click();
    await mapSays(page, { nodes: 64 });
    check(
      (await service.call('GET', '/v1/agents')).agents.map(({ id }) => id).join() === 'grid',
      'nothing was deleted',
    );
  }),

  'drones in flight': served(async ({ service, open, check, shoot }) => {
    const flight = drones(service.url, 'geometric:150,0.13', 1_000_000);
    try {
      const page = await open();
      await page.waitForFunction(
        () =>
          document.querySelector('#map').dataset.nodes === '150' &&
          document.querySelector('#stat-visits').textContent !== '–',
      );
      const visits = () =>
        page.evaluate(() => Number(document.querySelector('#stat-visits').textContent.replaceAll(',', '')));
      for (let round = 0; round < 3; round += 1) {
        const before = await visits();
        await page.waitForFunction(
          (before) => Number(document.querySelector('#stat-visits').textContent.replaceAll(',', '')) > before,
          before,
        );
      }
      await page.waitForFunction(() => document.querySelector('#agent-phase').dataset.phase === 'learn');
      await page.waitForFunction(() => document.querySelector('#map').dataset.visited === '150');
      await page.waitForFunction(() => Number(document.querySelector('#chart').dataset.points) > 30);
      await page.waitForFunction(() => document.querySelector('#agents-list .reports').textContent !== '0');
      await shoot(page, 'flight-light');
      const [width] = await page.evaluate(() => [document.querySelector('#map canvas').width]);
      check(width > 300, 'the map is small');
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
      await page.waitForFunction(() => getComputedStyle(document.body).backgroundColor === 'rgb(14, 17, 20)');
      await shoot(page, 'flight-dark');
      for (const found of await violations(page)) check(false, `dark: ${found}`);
      await page.locator('#theme').click();
      await page.waitForFunction(() => getComputedStyle(document.body).backgroundColor === 'rgb(244, 246, 248)');
      await page.reload();
      await page.waitForFunction(() => getComputedStyle(document.body).backgroundColor === 'rgb(244, 246, 248)');
      for (const found of await violations(page)) check(false, `light: ${found}`);

      for (const colorScheme of ['light', 'dark']) {
        const phone = await open('', {
          viewport: { width: 360, height: 740 },
          colorScheme,
          hasTouch: true,
          isMobile: true,
        });
        await phone.waitForFunction(
          () => document.querySelector('#map').dataset.nodes === '150' && document.querySelector('#nodes-body tr'),
        );
        check((await overflow(phone)) <= 0, `at 360 px the page is ${await overflow(phone)} px too wide`);
        await shoot(phone, `phone-${colorScheme}`, { fullPage: true });
        for (const found of await violations(phone)) check(false, `phone, ${colorScheme}: ${found}`);
        check(await phone.locator('#agents-list').isHidden(), 'the list is in the way');
        await phone.locator('#agents-toggle').tap();
        check(await phone.locator('#agents-list').isVisible(), 'the list does not unfold');
        await phone.locator('[data-create]').first().tap();
        await phone.waitForSelector('#create-dialog[open]');
        check((await overflow(phone)) <= 0, 'the dialog is wider than the phone');
        await shoot(phone, `phone-create-${colorScheme}`);
      }
    } finally {
      flight.end();
    }
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
    check((await text(page, '#create-error')).length > 10, 'no word of what is wrong with the file');
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
    check(await page.locator('#ways').isVisible(), 'no choice of ways for an extract of OpenStreetMap');
  }),

  'names of strangers': served(
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
      await service.create({ id: 'stranger', graph: { nodes: hostile.length, edges, names: hostile } });
      await service.fly('stranger', 14);
      const page = await open('#agent=stranger');
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
      // Neither do strange addresses harm.
      await page.goto(`${service.url}/#agent=${encodeURIComponent('<img src=x onerror=alert(5)>')}&color=__proto__`);
      await page.waitForSelector('#gone:not([hidden])');
    },
    { expected: ['status of 404'] },
  ),

  tokens: async ({ browser, problems, check, name, shoot }) => {
    const made = tokens(['read', 'admin']);
    const service = await new Service(['--token-file', made.file]).start();
    try {
      await service.call('POST', '/v1/agents', { id: 'kept', graph: 'grid:3x3' }, made.admin);
      const page = await openWindow(browser, service.url, problems, {
        where: name,
        expected: ['status of 401', 'status of 403'],
      });
      await page.waitForSelector('#token-dialog[open]');
      await shoot(page, 'token');
      for (const found of await violations(page)) check(false, found);
      await page.fill('#token-field', 'gbt_wrong');
      await page.keyboard.press('Enter');
      await page.waitForSelector('#token-error:not([hidden])');
      check((await text(page, '#token-error')) === 'This token is not known here.', 'a wrong token is not called so');
      await page.fill('#token-field', made.read);
      await page.keyboard.press('Enter');
      await mapSays(page, { nodes: 9, at: 0 });
      await page.locator('#agent-delete').click();
      await page.locator('#delete-confirm').click();
      await page.waitForSelector('#delete-error:not([hidden])');
      check(
        (await text(page, '#delete-error')).includes('wants scope admin; token read has read'),
        'what the token lacks is not said',
      );
      await page.keyboard.press('Escape');
      await page.locator('.bar [data-create]').click();
      await page.locator('#create-submit').click();
      await page.waitForSelector('#create-error:not([hidden])');
      check((await text(page, '#create-error')).includes('may not create'), 'what the token lacks is not said');
      await page.keyboard.press('Escape');
      await page.reload();
      await mapSays(page, { nodes: 9, at: 0 });
      check((await page.evaluate(() => localStorage.length)) === 0, 'a token outlives its window');
      await page.locator('#forget').click();
      await page.waitForSelector('#token-dialog[open]');
      await page.fill('#token-field', made.admin);
      await page.keyboard.press('Enter');
      await mapSays(page, { nodes: 9, at: 0 });
      await page.locator('#agent-delete').click();
      await page.locator('#delete-confirm').click();
      await page.waitForSelector('#empty:not([hidden])');
    } finally {
      await closeAll(browser);
      await service.end();
      made.end();
    }
  },

  'the service dies and comes back': served(async ({ service, open, check, shoot }) => {
    await service.create({ id: 'phoenix', graph: 'circle:12', seed: 4 });
    await service.fly('phoenix', 5);
    const page = await open('#agent=phoenix', {
      expected: [
        'ERR_CONNECTION_REFUSED',
        'ERR_INCOMPLETE_CHUNKED_ENCODING',
        'ERR_CONNECTION_RESET',
        'ERR_EMPTY_RESPONSE',
        'ERR_SOCKET_NOT_CONNECTED',
      ],
    });
    await mapSays(page, { sequence: 5 });
    await service.kill();
    await page.waitForSelector('#banner:not([hidden])');
    check((await text(page, '#connection')) === 'Not connected', 'the light still says live');
    check((await text(page, '#banner-text')).includes('Asking again'), 'nothing says that it is tried again');
    await shoot(page, 'lost');
    for (const found of await violations(page)) check(false, found);
    await service.start();
    await service.fly('phoenix', 2);
    const order = await service.ask('phoenix');
    await page
      .locator('#banner-retry')
      .click({ timeout: 3000 })
      .catch(() => {});
    await page.waitForSelector('#banner[hidden]', { state: 'attached' });
    await mapSays(page, { sequence: 7, at: order.at.node, leg: order.path.map(({ node }) => node).join(',') });
    await service.fly('phoenix', 1);
    await mapSays(page, { sequence: 8 });
    check((await text(page, '#connection')) === 'Live', 'the light does not recover');
  }),

  'ten thousand nodes': served(async ({ service, open, check, shoot }) => {
    await service.create({ id: 'field', graph: 'grid:100x100' });
    await service.create({ id: 'web', graph: 'erdos-renyi:2000,0.005', seed: 8 });
    const visits = Array.from({ length: 5000 }, (_, node) => ({
      at: node,
      reward: 5 + 4 * Math.sin(node / 17) * Math.cos(node / 900),
    }));
    await service.call('POST', '/v1/agents/field/tell', { sequence: 0, visits });
    const page = await open('#agent=field');
    await mapSays(page, { nodes: 10000, edges: 19800, visited: 5000 });
    await shoot(page, 'large');
    check((await coloursDrawn(page, '#map canvas')) > 10, 'the map is blank');
    const place = () => page.evaluate(() => document.querySelector('#node-card').textContent);
    const { x, y, width, height } = await page.locator('#map').boundingBox();
    const middle = [x + width / 2, y + height / 2];
    await page.mouse.move(...middle);
    await page.waitForSelector('#node-card:not([hidden])');
    const before = await place();
    await page.mouse.down();
    await page.mouse.move(middle[0] + 120, middle[1] + 40, { steps: 12 });
    await page.mouse.up();
    await page.mouse.move(...middle);
    await page.waitForFunction((before) => document.querySelector('#node-card').textContent !== before, before);
    check(
      (await page.evaluate(() => document.querySelector('#map').dataset.selected ?? '')) === '',
      'dragging chose a node',
    );
    for (let k = 0; k < 8; k += 1) await page.mouse.wheel(0, -120);
    await page.waitForFunction(() => Number(document.querySelector('#map').dataset.labels) > 20);
    await shoot(page, 'large-near');
    await page.keyboard.press('Escape');
    await page.locator('#map').focus();
    await page.keyboard.press('0');
    await page.waitForFunction(() => document.querySelector('#map').dataset.labels === '0');
    await page.locator('#agents-list').getByText('web').click();
    await mapSays(page, { nodes: 2000, at: 0 });
    await shoot(page, 'layout');
    // The layout: the same twice, and short ways are short.
    const { same, ratio } = await page.evaluate(async () => {
      const { layout } = await import('/dashboard/layout.js');
      const edges = [];
      for (let row = 0; row < 20; row += 1) {
        for (let column = 0; column < 30; column += 1) {
          const node = 30 * row + column;
          if (column < 29) edges.push(node, node + 1);
          if (row < 19) edges.push(node, node + 30);
        }
      }
      const [first, second] = [layout(600, Uint32Array.from(edges)), layout(600, Uint32Array.from(edges))];
      const apart = (a, b) => Math.hypot(first.x[a] - first.x[b], first.y[a] - first.y[b]);
      let longest = 0;
      for (let k = 0; k < edges.length; k += 2) longest = Math.max(longest, apart(edges[k], edges[k + 1]));
      return { same: first.x.every((value, node) => value === second.x[node]), ratio: apart(0, 599) / longest };
    });
    check(same, 'a layout is not the same twice');
    check(ratio > 12, `the corners of a grid lie ${ratio} edges apart`);
  }),

  'many agents, and windows that nobody looks at': served(async ({ service, open, check }) => {
    const ids = Array.from({ length: 130 }, (_, k) => `agent-${String(k).padStart(3, '0')}`);
    await Promise.all(ids.map((id) => service.create({ id, graph: 'line:3' })));
    const page = await open();
    const names = () => page.$$eval('#agents-list .name', (names) => names.map((name) => name.textContent));
    await page.waitForFunction(() => document.querySelectorAll('#agents-list li').length === 100);
    await mapSays(page, { nodes: 3, at: 0 });
    check((await text(page, '#agents-count')) === '100+', 'it is not said that there are more');
    // The filter knows those that were not listed yet.
    await page.fill('#agents-filter', 'agent-129');
    await page.waitForFunction(() => document.querySelector('#agents-list .name')?.textContent === 'agent-129');
    await page.reload();
    await page.waitForSelector('#agents-more:not([hidden])');
    await page.locator('#agents-more').click();
    await page.waitForFunction(() => document.querySelectorAll('#agents-list li').length === 130);
    check(JSON.stringify(await names()) === JSON.stringify(ids), 'not all agents are listed, in order');
    check(await page.locator('#agents-more').isHidden(), 'more is offered than there is');

    const streams = (count) =>
      page.waitForFunction(
        async (line) => (await (await fetch('/metrics')).text()).includes(line),
        `gbandit_event_streams ${count}\n`,
      );
    const look = (hidden) =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden);
    await page.waitForFunction(() => document.querySelector('#connection').dataset.state === 'live');
    await streams(1);
    await look(true);
    await streams(0);
    await service.fly('agent-000', 2);
    await look(false);
    await mapSays(page, { sequence: 2, visited: 2 });
  }),

  'events in pieces': served(async ({ open, check }) => {
    const page = await open();
    const found = await page.evaluate(async () => {
      const { EventReader } = await import('/dashboard/stream.js');
      const { degreesNarrowing } = await import('/dashboard/placing.js');
      const whole = ': hello\n\nevent: state\nid: 4\ndata: {"a":\ndata: 1}\n\nevent: gone\r\ndata: {}\r\n\r\n';
      const read = (size) => {
        const reader = new EventReader();
        const events = [];
        for (let k = 0; k < whole.length; k += size) events.push(...reader.read(whole.slice(k, k + size)));
        return JSON.stringify(events);
      };
      const span = (low, high) => ({ low, high, span: high - low, middle: (low + high) / 2 });
      return {
        events: [1, 2, 3, 7, 1000].map(read),
        berlin: degreesNarrowing(span(13.4, 13.41), span(52.5, 52.51)),
        square: degreesNarrowing(span(0, 1), span(0, 1)),
        grid: degreesNarrowing(span(0, 9), span(0, 9)),
      };
    });
    const right = JSON.stringify([
      { kind: 'state', data: '{"a":\n1}' },
      { kind: 'gone', data: '{}' },
    ]);
    check(
      found.events.every((events) => events === right),
      `events are ${found.events}`,
    );
    check(
      Math.abs(found.berlin - 0.6087) < 1e-3 && found.square === 1 && found.grid === 1,
      `degrees: ${JSON.stringify(found)}`,
    );
  }),
};
