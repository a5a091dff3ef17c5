// The setting of each case: its own service, a window to it, and the service's own numbers.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Service } from './service.mjs';
import { openWindow } from './window.mjs';

const fixtures = resolve(fileURLToPath(import.meta.url), '../../../crates/graph-bandit-maps/tests/fixtures');
export const fixture = (name) => resolve(fixtures, name);

export const SQUARE = {
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
export const served =
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

/** Closes the windows first: a window without its service logs errors. */
export const closeAll = (browser) => Promise.all(browser.contexts().map((context) => context.close()));

export const text = (page, selector) => page.locator(selector).innerText();
export const attribute = (page, selector, name) => page.locator(selector).getAttribute(name);

/** The service's estimates, which the page must show. */
export async function estimates(service, id) {
  const all = [];
  for (let from = 0; from !== undefined;) {
    const page = await service.call('GET', `/v1/agents/${id}/estimates?from=${from}&limit=1000`);
    all.push(...page.estimates);
    from = page.next;
  }
  return all;
}
