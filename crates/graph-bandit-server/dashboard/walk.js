// The marker of the agent moves along the way that was ordered, instead of jumping.

const LONGEST = 450;

/** A walk from where the marker is to a node, along the former leg where that leads there. */
export function walkTo(graph, from, node, formerPath, now) {
  const reached = formerPath.indexOf(node);
  const nodes = reached >= 0 ? formerPath.slice(0, reached + 1) : [node];
  const points = [from, ...nodes.map((node) => ({ x: graph.x[node], y: graph.y[node] }))];
  const lengths = [0];
  for (let k = 1; k < points.length; k += 1) {
    lengths.push(lengths[k - 1] + Math.hypot(points[k].x - points[k - 1].x, points[k].y - points[k - 1].y));
  }
  return { points, lengths, start: now, duration: Math.min(LONGEST, 160 + 90 * nodes.length) };
}

/** Where the marker is at a time, and whether it has arrived. */
export function placeAt({ points, lengths, start, duration }, now) {
  const time = Math.min(1, Math.max(0, (now - start) / duration));
  const eased = time < 0.5 ? 2 * time * time : 1 - 2 * (1 - time) ** 2;
  const gone = eased * lengths.at(-1);
  let k = 1;
  while (k < points.length - 1 && lengths[k] < gone) k += 1;
  const part = (gone - lengths[k - 1]) / (lengths[k] - lengths[k - 1] || 1);
  const [a, b] = [points[k - 1], points[k]];
  return { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part, arrived: time === 1 };
}
