// The card of a street, beside it on the map: the times of each direction, on the map and learned.

import { element, nameOf } from './dom.js';
import { things } from './format.js';
import { placeCard } from './node-card.js';
import { extraTime, learnedOf, roadKey, waysOf } from './roads.js';

/** Shows the card of the street at edge `k`. */
export function showRoad(card, map, k) {
  const { graph, blocked } = map;
  const ways = waysOf(graph, k);
  const parts = ways.map(([from, to, time]) => {
    const learned = learnedOf(graph, from, to);
    const rows = [row('on the map', extraTime(graph, time))];
    if (learned) {
      rows.push(row('expected', extraTime(graph, learned.time)));
      rows.push(row('learned from', things(learned.told, 'drive')));
    }
    if (blocked.has(roadKey(from, to))) rows.push(row('now', 'closed'));
    const title = element('p', { class: 'card-title' }, nameOf(map.nameOf(from)), ' to ', nameOf(map.nameOf(to)));
    return [title, element('dl', {}, ...rows.flat())];
  });
  if (ways.length === 1) parts.push([element('p', { class: 'soft' }, 'one way')]);
  card.replaceChildren(...parts.flat());
  card.hidden = false;
  placeCard(card, map, map.middleOf(k));
}

const row = (term, value) => [element('dt', {}, term), element('dd', {}, value)];
