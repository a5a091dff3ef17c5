// Agents that the service simulates: a demonstration in one click, and agents that move without a robot.

import { byId, say } from './dom.js';
import { Problem, createAgent, simulate, simulations, stopSimulating } from './api.js';

/** How often it is asked whether an agent is still simulated, in milliseconds. */
const LOOK = 4000;
const DEMO = { id: 'demo', graph: 'grid:10x10', agent: 'g-star', seed: 1 };

export class Simulation {
  /** `failed` hears what went wrong, `made` of the agent of a demonstration. */
  constructor({ failed, made }) {
    this.failed = failed;
    this.offered = false;
    this.id = null;
    byId('demo').addEventListener('click', () => this.demonstrate(made));
    byId('agent-simulate').addEventListener('click', () => this.toggle());
  }

  /** Asks whether this service simulates at all; without an answer nothing is offered. */
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

  /** An agent is watched, or none. */
  watch(id, signal) {
    this.id = id;
    this.show();
    if (!id) return;
    if (this.running) this.look();
    const looking = setInterval(() => !document.hidden && this.look(), LOOK);
    signal.addEventListener('abort', () => clearInterval(looking), { once: true });
  }

  /** Simulates an agent that was made for it. */
  async begin(id) {
    try {
      this.running = (await simulate(id)).agents;
    } catch (error) {
      this.failed(error);
    }
    this.show();
  }

  async toggle() {
    const { id } = this;
    if (!this.running?.includes(id)) return this.begin(id);
    try {
      await stopSimulating(id);
    } catch (error) {
      this.failed(error);
    }
    await this.look();
  }

  async demonstrate(made) {
    try {
      const { id } = await createAgent(DEMO);
      await this.begin(id);
      made(id);
    } catch (error) {
      this.failed(error);
    }
  }
}
