// The agents of a set-up: a button for each of the few to choose from, one that shows all others, and a field for agents
// with parameters.

import { byId, element } from '../dashboard/dom.js';
import { keyOf } from './line-style.js';

export class AgentsField {
  constructor() {
    this.chips = [];
    this.names = [];
  }

  /** Sets the agents to choose from. */
  offer(agents, most) {
    this.names = agents.map(({ name }) => name);
    this.most = most;
    this.chips = agents.map(({ name, summary, look }) => {
      const key = look ? [keyOf({ colour: `c${look.slot}`, dash: look.dash })] : [];
      return element(
        'button',
        { type: 'button', class: 'chip', 'aria-pressed': 'false', title: summary, onclick: ({ currentTarget }) => this.press(currentTarget) },
        ...key,
        name,
      );
    });
    this.others = this.chips.filter((_, k) => agents[k].standing !== 'recommended');
    this.more = element('button', { type: 'button', class: 'chip', onclick: () => this.showAll() }, 'All agents');
    byId('agent-chips').replaceChildren(...this.chips, this.more);
    this.write(this.wanted ?? []);
  }

  showAll() {
    const hidden = this.others.filter((chip) => chip.hidden);
    for (const chip of hidden) chip.hidden = false;
    this.more.hidden = true;
    hidden[0]?.focus();
  }

  press(chip) {
    chip.setAttribute('aria-pressed', chip.getAttribute('aria-pressed') !== 'true');
    this.order = this.read();
  }

  /** Shows which agents are chosen. */
  write(agents) {
    this.wanted = agents;
    this.order = agents;
    this.chips.forEach((chip, k) => {
      const chosen = agents.includes(this.names[k]);
      chip.setAttribute('aria-pressed', chosen);
      // The few, the chosen, and those that the reader has asked for.
      chip.hidden = !chosen && !this.more.hidden && this.others.includes(chip);
    });
    byId('setup-agents').value = agents.filter((agent) => !this.names.includes(agent)).join(' ');
  }

  /** The chosen agents; those chosen before keep their order and come first. */
  read() {
    if (this.chips.length === 0) return this.wanted;
    const pressed = this.names.filter((_, k) => this.chips[k].getAttribute('aria-pressed') === 'true');
    const written = byId('setup-agents').value.split(/\s+/).filter(Boolean);
    const all = [...pressed, ...written];
    const before = (this.order ?? []).filter((agent) => all.includes(agent));
    return [...before, ...all.filter((agent) => !before.includes(agent))];
  }
}
