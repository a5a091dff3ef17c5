// What is known of one node, beside it on the map.

import { element, nameOf } from './dom.js';
import { count, measure } from './format.js';
import { label, neighboursOf } from './graph.js';
import { roadKey, shortTime, timeOf } from './roads.js';

/** How many roads a card lists. */
const MOST_ROADS = 6;

/** Shows the card of a node where there is room for it, or hides it. */
export class NodeCard {
  constructor(card) {
    this.card = card;
  }

  hide() {
    this.card.hidden = true;
  }

  show(map, node, known) {
    const { card } = this;
    const row = (term, value) => [element('dt', {}, term), element('dd', {}, value)];
    const title = element('p', { class: 'card-title' }, nameOf(map.nameOf(node)));
    if (map.graph.names) title.append(' ', element('span', { class: 'soft' }, `node ${node}`));
    const numbers =
      known?.visits > 0
        ? [
            row('visits', count(known.visits)),
            row('estimate', measure(known.estimate)),
            row('radius', `± ${measure(known.radius)}`),
            row('bound', measure(known.bound)),
          ]
        : [row('visits', known ? '0, not visited yet' : '…')];
    if (known?.set_aside) numbers.push(row('set aside', 'blocked edges cut it off'));
    if (map.graph.roads) numbers.push(...roadsFrom(map, node).map(([term, value]) => row(term, value)));
    card.replaceChildren(title, element('dl', {}, ...numbers.flat()));
    card.hidden = false;
    this.place(map, node);
  }

  place(map, node) {
    const { card } = this;
    const { x, y, radius } = map.screenOf(node);
    const { width, height } = map.camera;
    const [wide, high] = [card.offsetWidth, card.offsetHeight];
    const away = radius + 14;
    const left = x + away + wide < width - 6 ? x + away : x - away - wide;
    card.style.left = `${Math.min(Math.max(6, left), Math.max(6, width - wide - 6))}px`;
    card.style.top = `${Math.min(Math.max(6, y - high / 2), Math.max(6, height - high - 6))}px`;
  }
}

/** Where roads lead from a node, and how long they take beyond the visit. */
function roadsFrom({ graph, blocked }, node) {
  const out = [...neighboursOf(graph, node)].filter((to) => !Number.isNaN(timeOf(graph, node, to)));
  const rows = out.slice(0, MOST_ROADS).map((to) => {
    const closed = blocked.has(roadKey(node, to)) ? ', closed' : '';
    return [`to ${label(graph, to)}`, `+${shortTime(timeOf(graph, node, to))}${closed}`];
  });
  if (out.length > MOST_ROADS) rows.push(['', `and ${count(out.length - MOST_ROADS)} more roads`]);
  if (out.length === 0) rows.push(['roads', 'none leads away']);
  return rows;
}

/** The same in a sentence, for those who hear the page. */
export function sentence(name, known) {
  const aside = known?.set_aside ? ', cut off by blocked edges' : '';
  if (!known || !(known.visits > 0)) return `${name}: not visited yet${aside}`;
  const times = known.visits === 1 ? 'once' : `${count(known.visits)} times`;
  return `${name}: visited ${times}, estimate ${measure(known.estimate)}, radius ${measure(known.radius)}, bound ${measure(known.bound)}${aside}`;
}
