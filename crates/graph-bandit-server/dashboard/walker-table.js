// The table of a team's walkers: where each is, what its order is, and how often it has reported a visit.

import { byId, element, nameOf, say } from './dom.js';
import { count, things } from './format.js';
import { label } from './graph.js';
import { readableOn } from './palette.js';
import { allowedOf, calledWalker, hueOf, orderOf } from './team.js';

const ROWS = 10;

/** How many nodes a tooltip lists. */
const MOST_IN_TITLE = 60;

export class WalkerTable {
  /** `pointed` is called with the number of the walker under the pointer or null, `chosen` with one that is clicked. */
  constructor({ pointed, chosen }) {
    this.heard = { pointed, chosen };
    this.body = byId('walkers-body');
    this.walkers = [];
    this.page = 0;
    this.rows = Array.from({ length: ROWS }, () => this.makeRow());
    byId('walkers-filter').addEventListener('input', () => this.turnTo(0));
    byId('walkers-before').addEventListener('click', () => this.turnTo(this.page - 1));
    byId('walkers-after').addEventListener('click', () => this.turnTo(this.page + 1));
  }

  makeRow() {
    const parts = {
      chip: chipOf(),
      name: element('span', { class: 'walker-name' }),
      limits: element('span', { class: 'walker-limits soft' }),
      at: element('td', {}),
      order: element('td', {}),
      visits: element('td', { class: 'number' }),
    };
    const button = element('button', { type: 'button', class: 'row-button' }, parts.chip, parts.name);
    const row = element(
      'tr',
      {},
      element('th', { scope: 'row' }, button, parts.limits),
      parts.at,
      parts.order,
      parts.visits,
    );
    const number = () => Number(row.dataset.walker);
    row.addEventListener('click', () => this.heard.chosen(number()));
    row.addEventListener('pointerenter', ({ pointerType }) => pointerType === 'touch' || this.heard.pointed(number()));
    row.addEventListener('pointerleave', () => this.heard.pointed(null));
    button.addEventListener('focus', () => button.matches(':focus-visible') && this.heard.pointed(number()));
    button.addEventListener('blur', () => this.heard.pointed(null));
    return { row, button, ...parts };
  }

  begin(graph) {
    this.graph = graph;
    this.page = 0;
    byId('walkers-filter').value = '';
    this.set([], null, null);
  }

  /** Shows the walkers; `chosen` is the one whose reasons are shown, `lit` the one that the map highlights. */
  set(walkers, chosen, lit) {
    Object.assign(this, { walkers, chosen, lit });
    this.draw();
  }

  turnTo(page) {
    this.page = page;
    this.draw();
  }

  /** Turns to the page of a walker. */
  reveal(number) {
    const place = this.found().findIndex(({ walker }) => walker === number);
    if (place >= 0) this.turnTo(Math.floor(place / ROWS));
  }

  found() {
    const wanted = byId('walkers-filter').value.trim().toLowerCase();
    const matches = (walker) => calledWalker(walker).toLowerCase().includes(wanted) || String(walker.walker) === wanted;
    return wanted ? this.walkers.filter(matches) : this.walkers;
  }

  draw() {
    const found = this.found();
    const pages = Math.max(1, Math.ceil(found.length / ROWS));
    this.page = Math.min(Math.max(0, this.page), pages - 1);
    const from = this.page * ROWS;
    const shown = found.slice(from, from + ROWS);
    shown.forEach((walker, k) => this.drawRow(this.rows[k], walker));
    if (this.body.childElementCount !== shown.length)
      this.body.replaceChildren(...this.rows.slice(0, shown.length).map(({ row }) => row));
    const many = this.walkers.length > ROWS;
    byId('walkers-filter').hidden = !many;
    byId('walkers-pager').hidden = !many;
    byId('walkers-table').hidden = found.length === 0;
    byId('walkers-none').hidden = this.walkers.length > 0;
    const place =
      found.length === 0
        ? 'no walker matches'
        : `${count(from + 1)}–${count(from + shown.length)} of ${count(found.length)}`;
    say(byId('walkers-place'), place);
    byId('walkers-before').disabled = this.page === 0;
    byId('walkers-after').disabled = this.page >= pages - 1;
  }

  drawRow({ row, button, chip, name, limits, at, order, visits }, walker) {
    const called = calledWalker(walker);
    row.dataset.walker = walker.walker;
    row.classList.toggle('lit', walker.walker === this.lit);
    paintChip(chip, walker.walker);
    if (name.textContent !== called) name.replaceChildren(nameOf(called));
    button.title = called;
    button.setAttribute('aria-pressed', walker.walker === this.chosen);
    const [place, told] = [label(this.graph, walker.at.node), orderOf(walker, this.graph)];
    say(at, place);
    at.title = place;
    say(order, told);
    order.title = told;
    say(visits, count(walker.visits));
    say(limits, limitsOf(walker, this.graph));
    limits.hidden = limits.textContent === '';
    limits.title = walker.nodes ? allowedOf(walker, this.graph, MOST_IN_TITLE) : '';
  }
}

/** What sets a walker apart from others: its speed, and where it may be. */
function limitsOf(walker, graph) {
  const limits = [];
  if (walker.speed !== 1) limits.push(`speed ${walker.speed.toLocaleString('en', { maximumSignificantDigits: 4 })}`);
  if (walker.nodes?.length > 4) limits.push(`only ${things(walker.nodes.length, 'node')}`);
  else if (walker.nodes) limits.push(`only ${allowedOf(walker, graph)}`);
  return limits.join(' · ');
}

/** A disc with the number of a walker, as on the map. */
export const chipOf = () => element('span', { class: 'walker-chip', 'aria-hidden': 'true' });

/** Gives a disc the number and the colour of a walker. */
export function paintChip(chip, number) {
  const colour = getComputedStyle(document.documentElement).getPropertyValue(hueOf(number)).trim();
  say(chip, String(number));
  if (chip.dataset.colour === colour) return;
  chip.dataset.colour = colour;
  chip.style.backgroundColor = colour;
  chip.style.color = readableOn(colour);
}
