// Reading the page: colours, tables, curves, large maps.
import { attribute, estimates, served, text } from '../stage.mjs';
import { coloursDrawn, mapSays, violations } from '../window.mjs';

export const reading = {
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
    const inOrder = async (by, sign, what) => {
      const [found, right] = [await rows(), sorted(by, sign)];
      check(JSON.stringify(found) === JSON.stringify(right), `${what}: ${found}, not ${right}`);
    };
    check((await attribute(page, '[data-column=estimate]', 'aria-sort')) === 'descending', 'the table is not sorted by estimate at first');
    await inOrder('estimate', -1, 'at first');
    const { best, runner_up: rival, settled } = await service.call('GET', '/v1/agents/grid/best');
    const reach = `${rival.node} may pay up to ${rival.interval[1].toFixed(2)}`;
    const sure = await text(page, '#best-sure');
    check(!settled && sure === `Not settled at 95% confidence: ${reach}.`, `confidence: ${sure}`);
    check((await rows())[0] === best.node, `the first row is ${(await rows())[0]}, the best node is ${best.node}`);
    // By keys: Enter reverses the order, Tab moves to the next heading, space sorts by it.
    await page.locator('#nodes-head [data-column=estimate] button').focus();
    await page.keyboard.press('Enter');
    await inOrder('estimate', 1, 'by Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    check((await attribute(page, '[data-column=radius]', 'aria-sort')) === 'descending', 'keys do not sort by radius');
    check((await attribute(page, '[data-column=estimate]', 'aria-sort')) === 'none', 'two columns are marked as sorted');
    await inOrder('radius', -1, 'by space');
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
        await inOrder(by, sign, `${column} ${sort}`);
      }
    }
    await page.locator('#nodes-after').click();
    check((await text(page, '#nodes-place')) === '13–24 of 64', `the pages say ${await text(page, '#nodes-place')}`);
    await page.fill('#nodes-filter', '33');
    check(JSON.stringify(await rows()) === '[33]', 'the filter does not find node 33');
    await page.locator('#nodes-body button').click();
    await mapSays(page, { selected: 33 });
    await page.fill('#nodes-filter', '');
    // The other way round: a click on the map turns the table to the node.
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
    check(selected !== '33', 'no node of the map can be clicked');
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
      'the filter does not find the agent',
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
      'Delete has the first focus',
    );
    await page.locator('#delete-confirm').click();
    await mapSays(page, { nodes: 64 });
    check(
      (await service.call('GET', '/v1/agents')).agents.map(({ id }) => id).join() === 'grid',
      'nothing was deleted',
    );
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
    await mapSays(page, { nodes: 10000, edges: 19800, visited: 5000, sharp: true });
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
      'dragging selected a node',
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
  }),
};
