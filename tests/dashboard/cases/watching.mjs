// Agents at work: the page follows them, and all of it shows one moment.
import { drones } from '../service.mjs';
import { SQUARE, attribute, estimates, served, text } from '../stage.mjs';
import { coloursDrawn, mapSays, overflow, violations } from '../window.mjs';

export const watching = {
  'an agent is followed live': served(async ({ service, open, check, shoot }) => {
    await service.create({ id: 'rover', agent: 'g-ucb', seed: 5, graph: SQUARE });
    // Requests that are under way when the agent is deleted get 404.
    const page = await open('#agent=rover&color=bound', { expected: ['status of 404'] });
    await mapSays(page, { nodes: 4, edges: 4, at: 0, sequence: 0, colourBy: 'bound', visited: 0, sharp: true });
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
    await page.waitForFunction(() => document.querySelector('#stat-best').textContent.startsWith('gate '));
    const { best, settled } = await service.call('GET', '/v1/agents/rover/best');
    const [low, high] = best.interval.map((end) => end.toFixed(Math.abs(end) >= 10 ? 2 : 3));
    check((await text(page, '#stat-best')) === `gate pays 9.000 ${low} to ${high}`, `best: ${await text(page, '#stat-best')}`);
    const sure = await text(page, '#best-sure');
    check(settled && sure === 'Settled: no other node pays more, with 95% confidence.', `confidence: ${sure}`);
    await page.waitForSelector('#chart[data-points="6"]');
    check(await page.locator('#observed').isHidden(), 'rewards are shown as observed by others');

    // Two paths lead to the gate, and the direct one is blocked now.
    await service.call('POST', '/v1/agents/rover/blocked', { sequence: 1, edge: ['roof', 'gate'] });
    await mapSays(page, { blocked: 1, leg: '1,0,3' });
    check((await text(page, '#why')).includes('path cost'), 'the cost of the path is not shown');
    await shoot(page, 'blocked');

    // Now no path is left: the gate is set aside until one opens.
    await service.call('POST', '/v1/agents/rover/blocked', { sequence: 2, edge: ['hall', 'gate'] });
    await mapSays(page, { blocked: 2, aside: 1 });
    check((await text(page, '#why')).includes('1 node cut off by blocked edges is left out'), 'the panel does not count the node that is cut off');
    check((await text(page, '#legend')).includes('cut off by blocked edges: 1'), 'the legend does not count the node that is cut off');
    await service.call('POST', '/v1/agents/rover/opened', { sequence: 3, edge: ['hall', 'gate'] });
    await mapSays(page, { blocked: 1, aside: 0, leg: '1,0,3' });

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

  'own visits and the rewards that others observed are told apart': served(async ({ service, open, check, shoot }) => {
    await service.create({ id: 'scout', agent: 'g-ucb', graph: SQUARE });
    const observations = Array.from({ length: 1000 }, (_, k) => ({ at: SQUARE.names[k % 4], reward: k % 4 }));
    await service.call('POST', '/v1/agents/scout/observe', { sequence: 0, observations });
    await service.call('POST', '/v1/agents/scout/tell', { sequence: 1, visits: [{ at: 'hall', reward: 1 }] });
    const page = await open('#agent=scout');
    await mapSays(page, { sequence: 2, visited: 4, sharp: true });
    await page.waitForSelector('#chart[data-points="1"]');
    const told = await page.$$eval('.stats > :not([hidden])', (parts) => parts.map((part) => part.innerText.replace('\n', ' ')));
    check(
      told.slice(0, 4).join() === 'Visits 1,Observed 1,000,Mean reward 1.000,Total reward 1.000',
      `the numbers are ${told}`,
    );
    const readout = await text(page, '#chart-readout');
    check(readout === 'mean of 1 visit: 1.000 (dashed)', `the chart says ${readout}`);
    const spoken = '1 visit, mean reward 1.000; 1,000 rewards observed by others';
    await page.waitForFunction((told) => document.querySelector('#agent-spoken').textContent.endsWith(told), spoken);
    // The list counts reports: one with a thousand observations, one with a visit.
    check((await text(page, '#agents-list .reports')) === '2 reports', 'the list does not say what it counts');
    await shoot(page, 'observed');
    for (const found of await violations(page)) check(false, found);
  }),

  'header, panel and map show the same moment': served(async ({ service, open, check, shoot }) => {
    await service.create({ id: 'swift', agent: 'g-ucb', graph: 'grid:8x8', seed: 2 });
    const page = await open('#agent=swift');
    await mapSays(page, { nodes: 64, at: 0, sequence: 0 });
    // Before the first frame there is no marker.
    await page.waitForFunction(() => document.querySelector('#map').dataset.markerAway !== undefined);
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
      // No edge of a grid with eight rows is longer than this.
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
    check(to.none === null && !to.late && to.early, `the marker glides without an edge: ${JSON.stringify(to)}`);
  }),

  'buttons and legend hide nothing that is read': served(async ({ service, open, check, shoot }) => {
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
      check(cut.length === 0, `${viewport.width}: cut off: ${cut}`);
      const heads = await page.$$eval('.rivals thead th', (heads) => heads.map((head) => head.textContent));
      check(
        heads.length === 2 && /^(here|goes to|explores) the /.test(heads[0]) && heads[1].startsWith('runner-up the '),
        `the columns are called ${heads}`,
      );
      check((await attribute(page, '#map', 'data-labels')) === '4', `${viewport.width}: a name found no room`);
      await shoot(page, `corners-${viewport.width}`);
      // Move the agent below each cover in turn.
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
      await page.waitForFunction(() => document.querySelector('#agents-list .reports').textContent !== '0 reports');
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
};
