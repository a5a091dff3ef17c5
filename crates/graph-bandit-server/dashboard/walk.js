// The marker of the agent glides along an edge to where the agent is, so that eyes can follow it.
//
// It must never be far behind: what the page says of the agent is said of where it is now.

import { neighboursOf } from './graph.js';

/** How long it takes, in milliseconds: less than there is between reports that eyes can tell apart. */
const GLIDE = 90;

/** A glide from node to node, or null where no edge leads there. */
export function glide(graph, from, to, now) {
  return neighboursOf(graph, from).includes(to) ? { from, to, start: now } : null;
}

/** Whether a glide is still on its way. */
export const gliding = (walk, now) => walk !== null && now - walk.start < GLIDE;

/** Where the marker is at a time. */
export function placeAt(graph, { from, to, start }, now) {
  const time = Math.min(1, Math.max(0, (now - start) / GLIDE));
  const eased = time < 0.5 ? 2 * time * time : 1 - 2 * (1 - time) ** 2;
  const between = (places) => places[from] + (places[to] - places[from]) * eased;
  return { x: between(graph.x), y: between(graph.y) };
}
