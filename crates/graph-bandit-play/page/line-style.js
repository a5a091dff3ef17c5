// How the line of an agent looks in the chart, on the maps and in the keys: its colour and its dashes.

import { drawn } from '../dashboard/dom.js';

/** Dashes and gaps, in widths of the line, as in the figures of reports. */
const DASHES = { solid: [], dashed: [3.5, 1.8], dotted: [0.9, 1.5] };
/** The size of a key and of the line in it, in pixels. */
const [WIDE, HIGH, THICK] = [24, 10, 3.5];

export const dashesOf = ({ dash }) => DASHES[dash];

/** The attributes of the line, drawn this wide. */
export function strokeOf(look, width) {
  const stroke = { stroke: `var(--gb-${look.colour})`, 'stroke-width': width };
  const dashes = dashesOf(look).map((part) => part * width);
  return dashes.length > 0 ? { ...stroke, 'stroke-dasharray': dashes.join(' ') } : stroke;
}

/** A piece of the line, to stand beside the agent's name. */
export function keyOf(look) {
  const line = drawn('line', { x1: 0, x2: WIDE, y1: HIGH / 2, y2: HIGH / 2, ...strokeOf(look, THICK) });
  return drawn('svg', { class: 'key', viewBox: `0 0 ${WIDE} ${HIGH}`, width: WIDE, height: HIGH, 'aria-hidden': 'true' }, line);
}
