// The registry's help for the agent being typed: what it does, and when to change its parameters.

import { byId, element } from './dom.js';

export class AgentAbout {
  constructor(field) {
    this.field = field;
    this.agents = [];
    field.addEventListener('input', () => this.show());
  }

  setAgents(agents) {
    this.agents = agents;
    this.show();
  }

  show() {
    const target = byId('agent-about');
    const name = this.field.value.split(':', 1)[0].trim();
    const known = this.agents.find((agent) => agent.name === name);
    // Typing parameters must not close the details the reader opened.
    if (target.dataset.agent === (known?.name ?? '')) return;
    target.dataset.agent = known?.name ?? '';
    target.replaceChildren(...(known ? described(known) : []));
  }
}

/** The parts of a text, with `names` as code. */
const coded = (text) =>
  text.split('`').map((part, index) => (index % 2 === 1 ? element('code', {}, part) : part));

function described({ name, summary, about, parameters }) {
  const all = parameters.flatMap(({ name, help, when, need, default: usual }) => {
    const value = usual === null ? need : `${need}; default: ${usual}`;
    const said = [element('dd', {}, ...coded(help), ` (${value})`)];
    if (when) said.push(element('dd', { class: 'when' }, ...coded(when)));
    return [element('dt', {}, element('code', {}, name)), ...said];
  });
  const more = all.length > 0 ? 'How it decides, its parameters and when to change them' : 'How it decides';
  return [
    element('p', {}, summary),
    element(
      'details',
      {},
      element('summary', {}, more, element('span', { class: 'unseen' }, `: ${name}`)),
      element('p', { class: 'when' }, ...coded(about)),
      ...(all.length > 0 ? [element('dl', {}, ...all)] : []),
    ),
  ];
}
