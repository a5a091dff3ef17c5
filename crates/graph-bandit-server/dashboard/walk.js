// The agent's marker glides along an edge to the agent's node, so that the eye can follow it.
//
// It is never far behind: the numbers on the page are about where the agent is now.

import { neighboursOf } from './graph.js';

/** How long a glide takes, in milliseconds: less than the time between reports that the eye can tell apart. */
const GLIDE = 90;

/** A glide from node to node, or null if no edge joins them. */
export function glide(graph, from, to, now) {
  return neighboursOf(graph, from).includes(to) ? { from, to, start: now } : null;
}

/** Whether a glide is still on its way. */
export const gliding = (walk, now) => walk !== null && now - walk.start < GLIDE;

/** The position of the marker at a time. */
export function placeAt(graph, { from, to, start }, now) {
  const time = Math.min(1, Math.max(0, (now - start) / GLIDE));
  const eased = time < 0.5 ? 2 * time * time : 1 - 2 * (1 - time) ** 2;
  const between = (places) => places[from] + (places[to] - places[from]) * eased;
  return { x: between(graph.x), y: between(graph.y) };
}
