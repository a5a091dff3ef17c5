// A team in words and colours: what its walkers are called, where they go, and which hue each of them has.

import { count, things } from './format.js';
import { label } from './graph.js';

/**
 * Hues of the palette in the order in which walkers take them: the first ones differ most, for every kind of colour
 * vision and in both themes. The red of closed roads is not among them.
 */
const HUES = [2, 0, 7, 9, 14, 4, 6, 5, 11, 13, 10, 8, 15, 1, 3];

/** A stay this long counts as endless. */
const FOREVER = 1e12;

/** The custom property with the colour of a walker. Walkers keep their colours when others leave. */
export const hueOf = (number) => `--gb-c${HUES[number % HUES.length]}`;

/** What a walker is called. */
export const calledWalker = ({ walker, name }) => name ?? `walker ${walker}`;

/** Where a walker goes and how long it stays there, in a few words. */
export function orderOf({ path, stay }, graph) {
  const staying = stay >= FOREVER ? 'for good' : count(stay);
  if (path.length === 0) return stay >= FOREVER ? 'stays for good' : `stays ${staying}`;
  const going = `to ${label(graph, path.at(-1))}`;
  return stay > 0 ? `${going}, stays ${staying}` : going;
}

/** How a team shares what a node pays, and how many may be sent there. */
export function rulesOf({ share, seats }) {
  const shared = typeof share === 'string' ? `Share: ${share}` : 'Share: of each node';
  return seats === undefined ? shared : `${shared} · at most ${count(seats)} on a node`;
}

/** How many walkers a team has. */
export const sizeOfTeam = (walkers) => (walkers === 0 ? 'team without walkers' : `team of ${count(walkers)}`);

/** Where the walkers are, for screen readers: all of a small team, or the one that is `chosen`. */
export function spokenTeam(id, { team: { walkers } }, chosen, graph) {
  const told = walkers.length <= 4 ? walkers : walkers.filter(({ walker }) => walker === chosen);
  const where = told.map(
    (each) =>
      `${calledWalker(each)} is at ${label(graph, each.at.node)}, ${each.path.length > 0 ? 'going ' : ''}${orderOf(each, graph)}`,
  );
  return [`${id} has ${things(walkers.length, 'walker')}`, ...where].join('; ');
}

/** The nodes where a walker may be, in words. */
export function allowedOf({ nodes }, graph, most = 4) {
  const names = nodes.slice(0, most).map((node) => label(graph, node));
  const more = nodes.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${count(more)} more` : names.join(', ');
}

/** How many reports an agent has: a team counts those of all walkers. */
export const reportsOf = ({ sequence, team }) => team?.records ?? sequence;
