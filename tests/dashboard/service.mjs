// A real service, on a free port and with a store of its own.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const program = process.env.GBANDIT ?? 'target/release/gbandit';

export class Service {
  constructor(extra = []) {
    this.folder = mkdtempSync(join(tmpdir(), 'dashboard-'));
    this.extra = extra;
    this.port = 0;
  }

  /** Starts the service, on the same port as before if it ran before. */
  async start() {
    const store = `sqlite://${join(this.folder, 'fleet.db')}`;
    const listen = `127.0.0.1:${this.port}`;
    this.process = spawn(program, ['serve', '--listen', listen, '--store', store, '--log', 'error', ...this.extra]);
    const address = await new Promise((resolve, reject) => {
      let said = '';
      const hear = (text) => {
        said += text;
        const found = /listening on (http:\S+)/.exec(said);
        if (found) resolve(found[1]);
      };
      this.process.stdout.on('data', hear);
      this.process.stderr.on('data', hear);
      this.process.on('error', (error) =>
        reject(new Error(`${program} does not start (set GBANDIT to use another program): ${error.message}`)),
      );
      this.process.on('exit', () => reject(new Error(`the service ended: ${said}`)));
    });
    this.url = address.replace(/\/$/, '');
    this.port = new URL(address).port;
    return this;
  }

  /** Kills the service. */
  kill() {
    return new Promise((resolve) => {
      this.process.removeAllListeners('exit');
      this.process.on('exit', resolve);
      this.process.kill('SIGKILL');
    });
  }

  async end() {
    await this.kill();
    rmSync(this.folder, { recursive: true });
  }

  async call(method, path, body, token) {
    const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) };
    const response = await fetch(this.url + path, { method, headers, body: body && JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text ? JSON.parse(text) : null;
  }

  create(request) {
    return this.call('POST', '/v1/agents', request);
  }

  ask(id) {
    return this.call('POST', `/v1/agents/${id}/ask`);
  }

  /** Carries out `reports` orders. The rewards depend only on node and turn. */
  async fly(id, reports) {
    for (let k = 0; k < reports; k += 1) {
      const order = await this.ask(id);
      const nodes = [...order.path, ...Array(Math.min(3, order.stay)).fill(order.path.at(-1) ?? order.at)];
      const visits = nodes.map(({ node }) => ({ at: node, reward: ((node * 37) % 11) + 0.25 * ((k * 7) % 4) }));
      await this.call('POST', `/v1/agents/${id}/tell`, { sequence: order.sequence, visits });
    }
  }
}

/** Makes a token of each scope, and a token file. */
export function tokens(scopes) {
  const folder = mkdtempSync(join(tmpdir(), 'tokens-'));
  const file = join(folder, 'tokens');
  const made = {};
  let lines = '';
  for (const scope of scopes) {
    const script = 'exec "$0" token "$1" --scope "$1" 2>&1';
    const said = execFileSync('sh', ['-c', script, program, scope]).toString();
    made[scope] = /gbt_[0-9a-f]+/.exec(said)[0];
    lines += `${said.split('\n').find((line) => new RegExp(`^${scope} ${scope} [0-9a-f]{64}$`).test(line))}\n`;
  }
  writeFileSync(file, lines);
  return { file, ...made, end: () => rmSync(folder, { recursive: true }) };
}

/** Simulated drones that fly until they are stopped. */
export function drones(url, graph, reports) {
  const flying = spawn(program, [
    'drone',
    '--server',
    url,
    '--graph',
    graph,
    '--name',
    'scout',
    '--reports',
    String(reports),
    '--tell',
    'reward',
  ]);
  return { end: () => flying.kill('SIGKILL') };
}

/** Lets simulated drones make all their reports. */
export function fly(url, flags) {
  execFileSync(program, ['drone', '--server', url, ...flags.map(String)]);
}
