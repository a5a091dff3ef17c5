// The list of agents, page by page, with the number of reports of each.

import { byId, element, nameOf, say } from './dom.js';
import { LARGEST_PAGE, listAgents } from './api.js';
import { count, shortCount, things } from './format.js';
import { paced } from './paced.js';
import { sizeOfTeam } from './team.js';

const PAGE = 100;
/** How many agents the list shows; the filter finds the rest. */
const DRAWN = 300;
const EVERY = 3000;

export class AgentList {
  /** `failed` is called with an error; `listed` is called with the agents after every refresh. */
  constructor({ failed, listed }) {
    this.heard = { failed, listed };
    this.agents = [];
    this.next = undefined;
    this.selected = null;
    this.items = new Map();
    this.refreshSoon = paced(() => this.refresh(), EVERY);
    byId('agents-filter').addEventListener('input', () => this.filter());
    byId('agents-more').addEventListener('click', () => this.more());
    setInterval(() => {
      if (!document.hidden) this.refreshSoon();
    }, EVERY);
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) this.refreshSoon();
    });
  }

  /** Fetches the pages that are already listed again. */
  async refresh() {
    try {
      const wanted = Math.max(PAGE, this.agents.length);
      const agents = [];
      let next = '';
      while (next !== undefined && agents.length < wanted) {
        const page = await listAgents(next, Math.min(LARGEST_PAGE, wanted - agents.length));
        agents.push(...page.agents);
        next = page.next;
      }
      Object.assign(this, { agents, next });
      this.draw();
      this.heard.listed(agents);
    } catch (error) {
      this.heard.failed(error);
    }
  }

  async more(limit = PAGE) {
    if (this.next === undefined) return;
    try {
      const page = await listAgents(this.next, limit);
      this.agents.push(...page.agents);
      this.next = page.next;
      this.draw();
    } catch (error) {
      this.heard.failed(error);
    }
  }

  /** Filters all agents, so it fetches those that are not listed yet. */
  async filter() {
    this.draw();
    if (this.fetching) return;
    this.fetching = true;
    while (this.next !== undefined && byId('agents-filter').value.trim() !== '') await this.more(LARGEST_PAGE);
    this.fetching = false;
  }

  select(id) {
    this.selected = id;
    this.draw();
  }

  /** Notes how many walkers the team that is watched has now; the list says so with its next refresh. */
  noteTeam(id, { walkers }) {
    const listed = this.agents.find((each) => each.id === id);
    if (!listed || listed.walkers === walkers.length) return;
    listed.walkers = walkers.length;
    this.draw();
  }

  draw() {
    const wanted = byId('agents-filter').value.trim().toLowerCase();
    const matching = this.agents.filter(
      (each) => !wanted || each.id.toLowerCase().includes(wanted) || this.kindOf(each).toLowerCase().includes(wanted),
    );
    const shown = matching.slice(0, DRAWN);
    const list = byId('agents-list');
    const items = shown.map((agent) => this.item(agent));
    const same = list.childElementCount === items.length && items.every((item, k) => list.children[k] === item);
    if (!same) {
      // Replacing takes the focus away.
      const focus = list.contains(document.activeElement) ? document.activeElement : null;
      list.replaceChildren(...items);
      focus?.focus();
    }
    for (const id of this.items.keys()) if (!shown.some((agent) => agent.id === id)) this.items.delete(id);
    byId('agents-more').hidden = this.next === undefined;
    const all = this.next === undefined ? count(this.agents.length) : `${count(this.agents.length)}+`;
    say(byId('agents-count'), all);
    say(byId('agents-note'), this.note(wanted, matching.length));
    byId('agents-note').hidden = byId('agents-note').textContent === '';
  }

  note(wanted, matching) {
    if (matching > DRAWN) return `${things(matching - DRAWN, 'more agent')}; filter to find one.`;
    return wanted && matching === 0 ? 'No agent matches.' : '';
  }

  /** The agent, and how many walkers it leads if it is a team. */
  kindOf({ agent, walkers }) {
    return walkers === undefined ? agent : `${agent} · ${sizeOfTeam(walkers)}`;
  }

  item(agent) {
    const { id, sequence } = agent;
    if (!this.items.has(id)) {
      const reports = element('span', { class: 'reports' });
      const spec = element('span', { class: 'spec' });
      const link = element('a', { class: 'agent-link', title: id }, nameOf(id), spec, reports);
      const item = element('li', {}, link);
      Object.assign(item, { link, reports, spec });
      this.items.set(id, item);
    }
    const item = this.items.get(id);
    say(item.spec, this.kindOf(agent));
    // Not visits: a report may have several, and the list does not load the agents to count them.
    say(item.reports, `${shortCount(sequence)} ${sequence === 1 ? 'report' : 'reports'}`);
    item.reports.title = things(sequence, 'report');
    item.link.href = linkTo(id);
    if (id === this.selected) item.link.setAttribute('aria-current', 'page');
    else item.link.removeAttribute('aria-current');
    return item;
  }
}

/** The address of an agent. Keeps the other options of the present address. */
export function linkTo(id) {
  const said = new URLSearchParams(location.hash.slice(1));
  said.set('agent', id);
  return `#${said}`;
}
