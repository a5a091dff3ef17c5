// The standings of the agents. Rows keep their places: the leader is marked, not moved.

import { byId, element, nameOf, say } from '../dashboard/dom.js';
import { count, measure } from '../dashboard/format.js';
import { keyOf } from './line-style.js';

export class Standings {
  /** `chosen` is called with the agent whose reasons to show. */
  constructor(chosen) {
    this.chosen = chosen;
    this.rows = [];
  }

  load(film) {
    this.film = film;
    this.rows = film.opening.agents.map((agent, k) => {
      const button = element('button', { type: 'button', class: 'agent-button', onclick: () => this.chosen(k) }, keyOf(agent), nameOf(agent.label));
      const cells = Array.from({ length: 4 }, () => element('td', { class: 'number' }));
      return { button, cells, row: element('tr', {}, element('th', { scope: 'row' }, button), ...cells) };
    });
    byId('standings').replaceChildren(...this.rows.map(({ row }) => row));
    this.news();
  }

  select(agent) {
    this.rows.forEach(({ button }, k) => button.setAttribute('aria-pressed', k === agent));
  }

  news() {
    const { film } = this;
    const regrets = film.tracks.map(({ now }) => now.regret);
    const lowest = Math.min(...regrets);
    this.rows.forEach(({ row, cells }, k) => {
      const { now } = film.tracks[k];
      const leads = film.told > 0 && regrets[k] === lowest && regrets.some((regret) => regret > lowest);
      row.classList.toggle('leads', leads);
      row.classList.toggle('out', Boolean(now.out));
      const texts = [
        measure(now.regret),
        film.told > 0 ? measure(now.reward / film.told) : '–',
        count(now.legs),
        now.out ? 'out' : (now.at.name ?? String(now.at.node)),
      ];
      texts.forEach((text, place) => say(cells[place], text));
      cells[3].title = now.out ?? now.at.name ?? '';
    });
  }
}

const regretsOf = (film) =>
  film.tracks.map(({ now }, k) => ({ regret: now.regret, name: film.opening.agents[k].label }));

/** The agent ahead of all others, or null. */
export function leaderOf(film) {
  const [first, second] = regretsOf(film).sort((one, other) => one.regret - other.regret);
  return second && first.regret < second.regret ? first : null;
}

/** The result as a sentence. */
export function verdictOf(film) {
  const all = regretsOf(film);
  if (all.length === 1) return `${all[0].name} finished with regret ${measure(all[0].regret)}.`;
  const [first, second] = all.sort((one, other) => one.regret - other.regret);
  if (first.regret === second.regret) return `A tie: ${first.name} and ${second.name}, regret ${measure(first.regret)}.`;
  const less = Math.round(100 * (1 - first.regret / second.regret));
  const by = less > 0 && second.regret > 0 ? `, ${less}% below ${second.name}` : `, just below ${second.name}`;
  return `${first.name} wins with regret ${measure(first.regret)}${by}.`;
}
