// Services with tokens, services that die, and services with many agents.
import { Service, tokens } from '../service.mjs';
import { closeAll, served, text } from '../stage.mjs';
import { mapSays, openWindow, violations } from '../window.mjs';

export const conditions = {
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
      check((await text(page, '#token-error')) === 'The service does not accept this token.', 'a wrong token is not reported');
      await page.fill('#token-field', made.read);
      await page.keyboard.press('Enter');
      await mapSays(page, { nodes: 9, at: 0 });
      await page.locator('#agent-delete').click();
      await page.locator('#delete-confirm').click();
      await page.waitForSelector('#delete-error:not([hidden])');
      check(
        (await text(page, '#delete-error')).includes('needs scope admin; token read has only read'),
        'the missing scope is not reported',
      );
      await page.keyboard.press('Escape');
      await page.locator('.bar [data-create]').click();
      await page.locator('#create-submit').click();
      await page.waitForSelector('#create-error:not([hidden])');
      check((await text(page, '#create-error')).includes('may not create'), 'the missing scope is not reported');
      await page.keyboard.press('Escape');
      await page.reload();
      await mapSays(page, { nodes: 9, at: 0 });
      check((await page.evaluate(() => localStorage.length)) === 0, 'a token outlives its tab');
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
    check((await text(page, '#connection')) === 'Not connected', 'the indicator still says live');
    check((await text(page, '#banner-text')).includes('Trying again'), 'the banner does not say that the page tries again');
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
    check((await text(page, '#connection')) === 'Live', 'the indicator does not recover');
  }),

  'many agents, and windows in the background': served(async ({ service, open, check }) => {
    const ids = Array.from({ length: 130 }, (_, k) => `agent-${String(k).padStart(3, '0')}`);
    await Promise.all(ids.map((id) => service.create({ id, graph: 'line:3' })));
    const page = await open();
    const names = () => page.$$eval('#agents-list .name', (names) => names.map((name) => name.textContent));
    await page.waitForFunction(() => document.querySelectorAll('#agents-list li').length === 100);
    await mapSays(page, { nodes: 3, at: 0 });
    check((await text(page, '#agents-count')) === '100+', 'the count does not say that there are more agents');
    // The filter finds agents that were not listed yet.
    await page.fill('#agents-filter', 'agent-129');
    await page.waitForFunction(() => document.querySelector('#agents-list .name')?.textContent === 'agent-129');
    await page.reload();
    await page.waitForSelector('#agents-more:not([hidden])');
    await page.locator('#agents-more').click();
    await page.waitForFunction(() => document.querySelectorAll('#agents-list li').length === 130);
    check(JSON.stringify(await names()) === JSON.stringify(ids), 'some agents are missing or out of order');
    check(await page.locator('#agents-more').isHidden(), 'more agents are offered than exist');

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
      const whole = ': hello\n\nevent: state\nid: 4\ndata: {"a":\ndata: 1}\n\nevent: gone\r\ndata: {}\r\n\r\n';
      const read = (size) => {
        const reader = new EventReader();
        const events = [];
        for (let k = 0; k < whole.length; k += size) events.push(...reader.read(whole.slice(k, k + size)));
        return JSON.stringify(events);
      };
      return [1, 2, 3, 7, 1000].map(read);
    });
    const right = JSON.stringify([
      { kind: 'state', data: '{"a":\n1}' },
      { kind: 'gone', data: '{}' },
    ]);
    check(
      found.every((events) => events === right),
      `events are ${found}`,
    );
  }),
};
