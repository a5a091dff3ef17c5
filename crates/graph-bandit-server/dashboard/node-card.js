// The card of a node, beside it on the map.

import { element, nameOf } from './dom.js';
import { count, measure, things } from './format.js';
import { label, neighboursOf } from './graph.js';
import { showRoad } from './road-card.js';
import { expectedOf, extraTime, isLearned, roadKey, timeOf } from './roads.js';

/** How many roads and how many walkers a card lists. */
const [MOST_ROADS, MOST_WALKERS] = [6, 4];

/** Shows the card of a node where it has room, or hides it. */
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
            ...(known.remembered === undefined ? [] : [row('remembered', remembered(known.remembered))]),
            row('estimate', measure(known.estimate)),
            row('radius', `± ${measure(known.radius)}`),
            row('bound', measure(known.bound)),
            ...(known.age === undefined ? [] : [row('last visit', ago(known.age))]),
          ]
        : [row('visits', known ? '0, not visited yet' : '…')];
    const here = map.crew?.on(node) ?? [];
    if (here.length > 0) numbers.push(row('here', walkersHere(here)));
    if (known?.set_aside) numbers.push(row('set aside', 'blocked edges cut it off'));
    if (map.graph.roads) numbers.push(...roadsFrom(map, node).map(([term, value]) => row(term, value)));
    card.replaceChildren(title, element('dl', {}, ...numbers.flat()));
    card.hidden = false;
    placeCard(card, map, map.screenOf(node));
  }

  /** Shows the card of the street at edge `k` instead. */
  showRoad(map, k) {
    showRoad(this.card, map, k);
  }
}

/** Puts a card beside its subject, or below a level road, so that it does not hide it. */
export function placeCard(card, map, { x, y, radius, isLevel = false }) {
  const { width, height } = map.camera;
  const [wide, high] = [card.offsetWidth, card.offsetHeight];
  const away = radius + 14;
  const beside = (at, size, room) => (at + away + size < room - 6 ? at + away : at - away - size);
  const left = isLevel ? x - wide / 2 : beside(x, wide, width);
  const top = isLevel ? beside(y, high, height) : y - high / 2;
  card.style.left = `${Math.min(Math.max(6, left), Math.max(6, width - wide - 6))}px`;
  card.style.top = `${Math.min(Math.max(6, top), Math.max(6, height - high - 6))}px`;
}

/** The roads out of a node, and how long they take beyond the visit. */
function roadsFrom({ graph, blocked }, node) {
  const out = [...neighboursOf(graph, node)].filter((to) => !Number.isNaN(timeOf(graph, node, to)));
  const rows = out.slice(0, MOST_ROADS).map((to) => {
    const closed = blocked.has(roadKey(node, to)) ? ', closed' : '';
    const learned = isLearned(graph, node, to) ? ', learned' : '';
    return [`to ${label(graph, to)}`, `${extraTime(graph, expectedOf(graph, node, to))}${learned}${closed}`];
  });
  if (out.length > MOST_ROADS) rows.push(['', `and ${count(out.length - MOST_ROADS)} more roads`]);
  if (out.length === 0) rows.push(['roads', 'none leads out']);
  return rows;
}

/** The walkers of a team on a node. */
function walkersHere(walkers) {
  const names = walkers.slice(0, MOST_WALKERS).map(({ called }) => called);
  return walkers.length > MOST_WALKERS
    ? `${names.join(', ')} and ${count(walkers.length - MOST_WALKERS)} more`
    : names.join(', ');
}

/** How many rewards the agent remembers: a whole number, unless old rewards count in part. */
const remembered = (weight) => (Number.isInteger(weight) ? count(weight) : measure(weight));

/** How long ago the last visit was. */
const ago = (age) => (age < 0.5 ? 'just now' : `${things(Math.round(age), 'visit')} ago`);

/** The card as a sentence for screen readers. */
export function sentence(name, known) {
  const aside = known?.set_aside ? ', cut off by blocked edges' : '';
  if (!known || !(known.visits > 0)) return `${name}: not visited yet${aside}`;
  const last = known.age === undefined ? '' : `, last visit ${ago(known.age)}`;
  const times = known.visits === 1 ? 'once' : `${count(known.visits)} times`;
  if (known.estimate === undefined) return `${name}: visited ${times}, all rewards forgotten${last}${aside}`;
  const left = known.remembered === undefined ? '' : `, rewards remembered ${remembered(known.remembered)}`;
  return `${name}: visited ${times}${left}, estimate ${measure(known.estimate)}, radius ${measure(known.radius)}, bound ${measure(known.bound)}${last}${aside}`;
}
