// Where nodes are: where the map says, or where a layout puts them.

import { layout } from './layout.js';

/** Graphs of more nodes are laid out beside the page, which stays responsive. */
const MANY = 300;

/** Places of all nodes, y upwards, within a square of about one. */
export async function place(nodes, edges, coordinates) {
  if (coordinates) return onMap(coordinates);
  if (nodes <= MANY) return within(layout(nodes, edges));
  return within(await beside(nodes, edges));
}

function beside(nodes, edges) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./layout-worker.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }) => {
      worker.terminate();
      resolve(data);
    };
    worker.onerror = (event) => {
      worker.terminate();
      reject(new Error(event.message || 'the layout failed'));
    };
    worker.postMessage({ nodes, edges });
  });
}

function onMap(coordinates) {
  const x = Float64Array.from(coordinates, ([x]) => x);
  const y = Float64Array.from(coordinates, ([, y]) => y);
  const narrowing = degreesNarrowing(extent(x), extent(y));
  for (let node = 0; node < x.length; node += 1) x[node] *= narrowing;
  return within({ x, y });
}

function extent(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return { low, high, span: high - low, middle: (low + high) / 2 };
}

/**
 * How much shorter a degree of longitude is than one of latitude, where these are degrees: a small
 * patch, far from the origin for its size, of possible degrees. Anything else is a plane.
 */
export function degreesNarrowing(x, y) {
  const possible =
    Math.max(Math.abs(x.low), Math.abs(x.high)) <= 180 && Math.max(Math.abs(y.low), Math.abs(y.high)) <= 85;
  const size = Math.max(x.span, y.span);
  const afar = Math.abs(x.middle) > 3 * size && Math.abs(y.middle) > 3 * size;
  const patch = size > 0 && size < 3;
  return possible && patch && afar ? Math.cos((y.middle * Math.PI) / 180) : 1;
}

/** Moved and scaled, both axes alike, so that the larger extent is 1. */
function within({ x, y }) {
  const [across, up] = [extent(x), extent(y)];
  const scale = 1 / (Math.max(across.span, up.span) || 1);
  return {
    x: Float64Array.from(x, (value) => (value - across.middle) * scale),
    y: Float64Array.from(y, (value) => (value - up.middle) * scale),
  };
}
