// Agents that the service simulates: a demo in one click, and agents that move without a robot.

import { byId, nameOf, say } from './dom.js';
import { things } from './format.js';
import { reportsOf } from './team.js';
import { Problem, createAgent, lastReport, showAgent, simulate, simulations, stopSimulating } from './api.js';

/** How often to check whether an agent is still simulated, in milliseconds. */
const LOOK = 4000;
/** The robot that reports for a simulated agent. */
const ROBOT = 'simulation';
const DEMO = { id: 'demo', graph: 'grid:10x10', agent: 'g-star', seed: 1 };
const DEMO_TEAM = {
  ...DEMO,
  id: 'demo-team',
  start: 44,
  share: 'log:0.05',
  walkers: ['anna', 'bert', 'cleo', 'dora'].map((name) => ({ name })),
};

export class Simulation {
  /** `failed` is called with an error, `made` with the agent of a demo. */
  constructor({ failed, made }) {
    this.failed = failed;
    this.offered = false;
    this.id = null;
    byId('demo').addEventListener('click', () => this.demonstrate(DEMO, made));
    byId('demo-team').addEventListener('click', () => this.demonstrate(DEMO_TEAM, made));
    byId('agent-simulate').addEventListener('click', () => this.toggle());
    this.dialog = byId('simulate-dialog');
    byId('simulate-cancel').addEventListener('click', () => this.dialog.close());
    byId('simulate-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.dialog.close();
      this.begin(this.asked);
    });
  }

  /** Checks whether this service simulates agents; without an answer nothing is offered. */
  async look() {
    try {
      const { agents, most } = await simulations();
      this.offered = most > 0;
      this.running = agents;
    } catch (error) {
      if (!(error instanceof Problem)) return;
      this.offered = false;
    }
    this.show();
  }

  show() {
    byId('demo-offer').hidden = !this.offered;
    byId('create-simulate-offer').hidden = !this.offered;
    const button = byId('agent-simulate');
    const runs = this.running?.includes(this.id) ?? false;
    button.hidden = !this.offered;
    button.setAttribute('aria-pressed', runs);
    say(button, runs ? 'Stop simulating' : 'Simulate');
    byId('agent-simulated').hidden = !runs;
  }

  /** Sets the agent that is watched, or none. */
  watch(id, signal) {
    this.id = id;
    this.show();
    if (!id) return;
    if (this.running) this.look();
    const looking = setInterval(() => !document.hidden && this.look(), LOOK);
    signal.addEventListener('abort', () => clearInterval(looking), { once: true });
  }

  /** Starts to simulate an agent. */
  async begin(id) {
    try {
      this.running = (await simulate(id)).agents;
    } catch (error) {
      this.failed(error);
    }
    this.show();
  }

  /** Simulates an agent, but asks first if a robot reports to it: made-up rewards would mix with real ones. */
  async offer(id) {
    try {
      const sequence = reportsOf(await showAgent(id));
      const last = sequence > 0 ? await lastReport(id, sequence) : null;
      if (!last || last.robot === ROBOT) return await this.begin(id);
      this.asked = id;
      byId('simulate-name').replaceChildren(nameOf(id));
      say(byId('simulate-reports'), things(sequence, 'report'));
      this.dialog.showModal();
    } catch (error) {
      this.failed(error);
    }
  }

  async toggle() {
    const { id } = this;
    if (!this.running?.includes(id)) return this.offer(id);
    try {
      await stopSimulating(id);
    } catch (error) {
      this.failed(error);
    }
    await this.look();
  }

  async demonstrate(agent, made) {
    try {
      const { id } = await createAgent(agent);
      await this.begin(id);
      made(id);
    } catch (error) {
      this.failed(error);
    }
  }
}
