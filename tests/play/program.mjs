// A real program on a free port, and what cases read from its page.
import { spawn } from 'node:child_process';
import { openWindow } from '../dashboard/window.mjs';

const program = process.env.GBANDIT ?? 'target/release/gbandit';

export class Program {
  constructor() {
    this.port = 0;
  }

  /** Starts the program, on the same port as before if it ran before. */
  async start() {
    this.process = spawn(program, ['play', '--no-open', '--port', String(this.port)]);
    this.url = await new Promise((resolve, reject) => {
      let said = '';
      const hear = (text) => {
        said += text;
        const found = /playing at (http:\S+)\//.exec(said);
        if (found) resolve(found[1]);
      };
      this.process.stdout.on('data', hear);
      this.process.stderr.on('data', hear);
      this.process.on('error', reject);
      this.process.on('exit', () => reject(new Error(`the program ended: ${said}`)));
    });
    this.port = new URL(this.url).port;
    return this;
  }

  kill() {
    return new Promise((resolve) => {
      this.process.removeAllListeners('exit');
      this.process.on('exit', resolve);
      this.process.kill('SIGKILL');
    });
  }

  async call(path, body) {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(this.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  /** A whole race as the program runs it, which the page must show. */
  async race(setup) {
    const opening = await this.call('/play/races', setup);
    const racers = opening.progress.racers.map(() => ({ points: [] }));
    let progress = opening.progress;
    while (progress.t < opening.steps) {
      progress = await this.call(`/play/races/${opening.id}/advance`, { until: opening.steps });
      progress.racers.forEach((racer, k) => racers[k].points.push(...racer.points));
    }
    return { opening, racers, last: progress };
  }
}

/** Runs a case with a program of its own. */
export const played =
  (run, usual = {}) =>
  async (test) => {
    const program = await new Program().start();
    try {
      const open = async (hash = '', options = {}) => {
        const page = await openWindow(test.browser, `${program.url}/${hash}`, test.problems, {
          where: test.name,
          ...usual,
          ...options,
        });
        await page.waitForSelector('body[data-race=ready]');
        return page;
      };
      await run({ ...test, program, open });
    } finally {
      await Promise.all(test.browser.contexts().map((context) => context.close()));
      await program.kill();
    }
  };

export const text = (page, selector) => page.locator(selector).innerText();

/** Waits until the panels show the state after this many steps. */
export const at = (page, t) => page.waitForSelector(`body[data-t="${t}"]`);

/** Waits until the race is `playing`, `paused` or `over`. */
export const is = (page, state) => page.waitForSelector(`body[data-playing=${state}]`);

/** Sets the highest speed. */
export const fast = (page) => page.locator('#speed').press('End');

/** The numbers of the standings, row by row. */
export const standings = (page) =>
  page.$$eval('#standings tr', (rows) => rows.map((row) => [...row.cells].map((cell) => cell.innerText.trim())));
