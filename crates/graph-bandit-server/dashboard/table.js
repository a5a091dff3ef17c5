// The table of nodes: sorted by a column, filtered by name, a page at a time.

import { byId, element, nameOf, say } from './dom.js';
import { count, measure } from './format.js';
import { label } from './graph.js';

const ROWS = 12;

/** The columns, and the direction in which each is sorted first. */
const COLUMNS = {
  node: { title: 'Node', first: 'ascending' },
  visits: { title: 'Visits', first: 'descending', write: count },
  estimate: { title: 'Estimate', first: 'descending', write: measure },
  radius: { title: 'Radius', first: 'descending', write: measure },
  bound: { title: 'Bound', first: 'descending', write: measure },
};

const names = new Intl.Collator('en', { numeric: true });

export class NodeTable {
  constructor(chosen) {
    this.chosen = chosen;
    this.body = byId('nodes-body');
    this.by = 'estimate';
    this.direction = 'descending';
    this.page = 0;
    this.selected = null;
    this.order = [];
    this.graph = null;
    this.estimates = [];
    this.makeHead();
    byId('nodes-filter').addEventListener('input', () => this.again());
    byId('nodes-before').addEventListener('click', () => this.turn(-1));
    byId('nodes-after').addEventListener('click', () => this.turn(1));
    this.rows = Array.from({ length: ROWS }, () => this.makeRow());
  }

  makeHead() {
    const head = byId('nodes-head');
    for (const [key, { title }] of Object.entries(COLUMNS)) {
      const button = element(
        'button',
        { type: 'button', onclick: () => this.sortBy(key) },
        title,
        element('span', { class: 'arrow', 'aria-hidden': 'true' }),
      );
      head.append(element('th', { scope: 'col', 'data-column': key, class: key === 'node' ? '' : 'number' }, button));
    }
  }

  makeRow() {
    const button = element('button', { type: 'button', class: 'row-button' });
    const cells = Object.keys(COLUMNS)
      .slice(1)
      .map(() => element('td', { class: 'number' }));
    const row = element('tr', {}, element('th', { scope: 'row' }, button), ...cells);
    row.addEventListener('click', () => {
      if (row.dataset.node !== undefined) this.chosen(Number(row.dataset.node));
    });
    return { row, button, cells };
  }

  setGraph(graph) {
    this.graph = graph;
    this.estimates = [];
    this.selected = null;
    this.page = 0;
    for (const { row } of this.rows) delete row.dataset.node;
    byId('nodes-filter').value = '';
    this.again();
  }

  setEstimates(estimates) {
    this.estimates = estimates;
    // Do not move rows while the pointer is over them.
    const busy = this.body.contains(document.activeElement) || this.body.matches(':hover');
    if (busy && this.order.length > 0) this.draw();
    else this.sort();
  }

  sortBy(key) {
    const { first } = COLUMNS[key];
    const other = first === 'ascending' ? 'descending' : 'ascending';
    this.direction = this.by === key && this.direction === first ? other : first;
    this.by = key;
    this.again();
  }

  again() {
    this.page = 0;
    this.sort();
  }

  sort() {
    if (!this.graph) return;
    const { graph, estimates, by } = this;
    const wanted = byId('nodes-filter').value.trim().toLowerCase();
    const order = [];
    for (let node = 0; node < graph.nodes; node += 1) {
      if (!wanted || label(graph, node).toLowerCase().includes(wanted)) order.push(node);
    }
    const sign = this.direction === 'ascending' ? 1 : -1;
    if (by !== 'node') {
      // Unknown values come last in either direction.
      const last = sign > 0 ? Infinity : -Infinity;
      const value = (node) => estimates[node]?.[by] ?? last;
      order.sort((a, b) => sign * (value(a) - value(b) || 0) || a - b);
    } else if (graph.names) order.sort((a, b) => sign * names.compare(graph.names[a], graph.names[b]) || a - b);
    else if (sign < 0) order.reverse();
    this.order = order;
    this.draw();
  }

  turn(by) {
    this.page += by;
    this.draw();
  }

  /** Turns to the page of a node and highlights it. */
  select(node) {
    this.selected = node;
    const place = node === null ? -1 : this.order.indexOf(node);
    if (place >= 0) this.page = Math.floor(place / ROWS);
    this.draw();
  }

  draw() {
    const pages = Math.max(1, Math.ceil(this.order.length / ROWS));
    this.page = Math.min(Math.max(0, this.page), pages - 1);
    const from = this.page * ROWS;
    const shown = this.order.slice(from, from + ROWS);
    this.rows.forEach((row, k) => this.drawRow(row, shown[k]));
    const wanted = this.rows.slice(0, shown.length).map(({ row }) => row);
    if (this.body.childElementCount !== wanted.length) this.body.replaceChildren(...wanted);
    for (const head of byId('nodes-head').children) {
      head.setAttribute('aria-sort', head.dataset.column === this.by ? this.direction : 'none');
    }
    const many = this.order.length;
    say(
      byId('nodes-place'),
      many === 0 ? 'no node matches' : `${count(from + 1)}–${count(from + shown.length)} of ${count(many)}`,
    );
    byId('nodes-before').disabled = this.page === 0;
    byId('nodes-after').disabled = this.page >= pages - 1;
    byId('nodes-table').dataset.pages = pages;
  }

  drawRow({ row, button, cells }, node) {
    if (node === undefined) {
      delete row.dataset.node;
      return;
    }
    const known = this.estimates[node];
    if (row.dataset.node !== String(node) || button.childElementCount === 0) {
      row.dataset.node = node;
      button.replaceChildren(nameOf(label(this.graph, node)));
      button.title = label(this.graph, node);
    }
    button.setAttribute('aria-pressed', node === this.selected);
    Object.entries(COLUMNS)
      .slice(1)
      .forEach(([key, { write }], k) => say(cells[k], known?.[key] === undefined ? '–' : write(known[key])));
  }
}
