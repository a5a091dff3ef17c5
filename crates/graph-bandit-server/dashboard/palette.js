// The page's colours, read from the style sheet, and how each node gets its own.
//
// The ramp is a part of viridis: perceptually even, and readable without telling red from green. Higher
// values always contrast more with the background.

export const LEVELS = 16;
/** The level of a node that was not visited. */
export const UNKNOWN = 255;

/** The measures that can colour nodes. */
export const MEASURES = {
  estimate: { title: 'Estimate', read: (node) => node.estimate, scale: 'linear' },
  bound: { title: 'Bound', read: (node) => node.bound, scale: 'linear' },
  visits: { title: 'Visits', read: (node) => node.visits, scale: 'log' },
  age: { title: 'Age of knowledge, in visits', read: (node) => node.age, scale: 'age' },
};

/** How values are bent to a scale, and back. An age may be zero. */
const BENDS = {
  linear: [(value) => value, (value) => value],
  log: [Math.log, Math.exp],
  age: [Math.log1p, Math.expm1],
};

/** The canvas colours of the present theme. */
export function colours() {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(name).trim();
  return {
    ink: read('--gb-ink'),
    muted: read('--gb-muted'),
    paper: read('--gb-paper'),
    edge: read('--edge'),
    agent: read('--agent'),
    blocked: read('--gb-c12'),
    focus: read('--link'),
    star: read('--star'),
    ramp: Array.from({ length: LEVELS }, (_, level) => read(`--gb-r${level}`)),
  };
}

/** A scale from the lowest to the highest known value, or null if no node was visited. */
export function scaleOf(estimates, measure) {
  const { read, scale } = MEASURES[measure];
  let [low, high] = [Infinity, -Infinity];
  for (const node of estimates) {
    const value = node && node.visits > 0 ? read(node) : undefined;
    if (value === undefined) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? { measure, scale, low, high } : null;
}

const bent = (scale, value) => BENDS[scale.scale][0](value);

/** How far along the scale a value is, from 0 to 1. */
export function share(scale, value) {
  const [low, high] = [bent(scale, scale.low), bent(scale, scale.high)];
  return high > low ? Math.min(1, Math.max(0, (bent(scale, value) - low) / (high - low))) : 0.5;
}

/** The value at a share of the scale. */
export function valueAt(scale, part) {
  const [low, high] = [bent(scale, scale.low), bent(scale, scale.high)];
  return BENDS[scale.scale][1](low + (high - low) * part);
}

/** The level of each node on the ramp. */
export function levelsOf(estimates, nodes, scale) {
  const levels = new Uint8Array(nodes).fill(UNKNOWN);
  if (!scale) return levels;
  const { read } = MEASURES[scale.measure];
  for (let node = 0; node < nodes; node += 1) {
    const known = estimates[node];
    if (!known || !(known.visits > 0)) continue;
    const value = read(known);
    if (value !== undefined) levels[node] = Math.round(share(scale, value) * (LEVELS - 1));
  }
  return levels;
}

/** How many nodes were visited, and how many of those the measure does not know. */
export function visitedOf(estimates, measure) {
  const visited = estimates.filter((node) => node?.visits > 0);
  return [visited.length, visited.filter((node) => MEASURES[measure].read(node) === undefined).length];
}

/** Which nodes blocked edges cut off. */
export const asideOf = (estimates, nodes) =>
  Uint8Array.from({ length: nodes }, (_, node) => (estimates[node]?.set_aside ? 1 : 0));

/** Black or white, whichever can be read better on a colour of six hexadecimal digits. */
export function readableOn(colour) {
  const parts = [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16) / 255);
  const [red, green, blue] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  // At this luminance, the contrasts to black and to white are equal.
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff';
}
