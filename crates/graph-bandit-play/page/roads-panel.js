// The selected node: what it truly pays, what the agents know of it, and buttons to close its roads.

import { element, nameOf } from '../dashboard/dom.js';
import { count, measure } from '../dashboard/format.js';
import { label, neighboursOf } from '../dashboard/graph.js';

/** How many roads have a button. */
const MOST_ROADS = 12;

/** Fills the panel of a node; `toggle` is called with the road to close or open. */
export function showNode(target, { film, graph, node, best, toggle }) {
  if (node === null) {
    target.replaceChildren(element('p', { class: 'soft' }, 'Select a node on a map: click it, or use arrow keys and Enter.'));
    return;
  }
  const { means, agents } = film.opening;
  const head = element('p', { class: 'order' }, 'Node ', nameOf(label(graph, node)));
  const truth = element(
    'p',
    { class: 'soft reason' },
    `Pays ${measure(means[node])} on average${node === best ? ', more than any other node' : `; the best is ${label(graph, best)} with ${measure(means[best])}`}.`,
  );
  const rows = agents.map(({ label: name }, k) => {
    const track = film.tracks[k];
    return element(
      'tr',
      {},
      element('th', { scope: 'row' }, nameOf(name)),
      element('td', {}, count(track.visits[node])),
      element('td', {}, measure(track.means[node])),
    );
  });
  const columns = ['', 'visits', 'estimate'].map((text) => element(text ? 'th' : 'td', text ? { scope: 'col' } : {}, text));
  const table = element(
    'table',
    { class: 'rivals' },
    element('thead', {}, element('tr', {}, ...columns)),
    element('tbody', {}, ...rows),
  );
  target.replaceChildren(head, truth, table, roadsOf({ film, graph, node, toggle }));
}

function roadsOf({ film, graph, node, toggle }) {
  const others = [...neighboursOf(graph, node)].sort((a, b) => a - b);
  const isClosed = (other) => film.closed.some(([a, b]) => a === Math.min(node, other) && b === Math.max(node, other));
  const buttons = others.slice(0, MOST_ROADS).map((other) => {
    const closed = isClosed(other);
    const text = `${closed ? 'Open' : 'Close'} road to `;
    return element(
      'button',
      { type: 'button', class: closed ? 'road closed' : 'road', 'data-road': other, onclick: () => toggle([node, other]) },
      text,
      nameOf(label(graph, other)),
    );
  });
  const more = others.length - buttons.length;
  const rest = more > 0 ? [element('span', { class: 'soft' }, `and ${count(more)} more on the map`)] : [];
  return element('div', { class: 'roads-of-node', role: 'group', 'aria-label': 'Roads of this node' }, ...buttons, ...rest);
}
