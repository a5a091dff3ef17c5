// The agents of a set-up: a button for each agent of the registry, and a field for agents with parameters.

import { byId, element } from '../dashboard/dom.js';

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
      const dot = element('i', { class: 'dot', 'aria-hidden': true });
      if (look) dot.style.setProperty('--hue', `var(--gb-c${look.slot})`);
      return element(
        'button',
        { type: 'button', class: 'chip', 'aria-pressed': 'false', title: summary, onclick: ({ currentTarget }) => this.press(currentTarget) },
        dot,
        name,
      );
    });
    byId('agent-chips').replaceChildren(...this.chips);
    this.write(this.wanted ?? []);
  }

  press(chip) {
    chip.setAttribute('aria-pressed', chip.getAttribute('aria-pressed') !== 'true');
    this.order = this.read();
  }

  /** Shows which agents are chosen. */
  write(agents) {
    this.wanted = agents;
    this.order = agents;
    this.chips.forEach((chip, k) => chip.setAttribute('aria-pressed', agents.includes(this.names[k])));
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
