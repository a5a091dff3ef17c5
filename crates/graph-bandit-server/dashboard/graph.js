// The graph as the page needs it: position, neighbours and name of each node.

import { roadsOf } from './roads.js';

/** Makes a graph from the service's map. Positions lie in the unit square, y upwards. */
export function graphOf(map) {
  const nodes = map.nodes;
  const roads = map.roads ? roadsOf(map.roads) : null;
  const edges = roads?.edges ?? edgesOf(map.edges);
  const x = Float64Array.from(map.positions, ([x]) => x);
  const y = Float64Array.from(map.positions, ([, y]) => y);
  return {
    nodes,
    edges,
    x,
    y,
    names: map.names ?? null,
    /** Times and directions; null if all edges lead both ways and take no time. */
    roads,
    roadCount: map.roads?.length ?? 0,
    /** How many seconds a visit takes, if known. */
    visitTime: map.visit_time,
    ...adjacency(nodes, edges),
    step: typicalStep(edges, x, y),
    ink: inkOf(edges, x, y),
  };
}

function edgesOf(pairs) {
  const edges = new Uint32Array(2 * pairs.length);
  pairs.forEach(([a, b], k) => {
    edges[2 * k] = a;
    edges[2 * k + 1] = b;
  });
  return edges;
}

/** Neighbours as one list with a start for each node. */
function adjacency(nodes, edges) {
  const starts = new Uint32Array(nodes + 1);
  for (const node of edges) starts[node + 1] += 1;
  for (let node = 0; node < nodes; node += 1) starts[node + 1] += starts[node];
  const next = starts.slice(0, nodes);
  const neighbours = new Uint32Array(edges.length);
  for (let k = 0; k < edges.length; k += 2) {
    neighbours[next[edges[k]]++] = edges[k + 1];
    neighbours[next[edges[k + 1]]++] = edges[k];
  }
  return { starts, neighbours };
}

/** The name of a node, or its number. */
export const label = (graph, node) => graph.names?.[node] ?? String(node);

/** The neighbours of a node. */
export const neighboursOf = (graph, node) => graph.neighbours.subarray(graph.starts[node], graph.starts[node + 1]);

/**
 * The typical distance between neighbours, which sizes are measured by: the median length of at most a
 * thousand edges, or less if the nodes lie closer together.
 */
function typicalStep(edges, x, y) {
  const count = edges.length / 2;
  const stride = Math.max(1, Math.floor(count / 1000));
  const lengths = [];
  for (let k = 0; k < count; k += stride) {
    const [a, b] = [edges[2 * k], edges[2 * k + 1]];
    lengths.push(Math.hypot(x[a] - x[b], y[a] - y[b]));
  }
  lengths.sort((a, b) => a - b);
  // If nodes share positions, half of the edges may have no length.
  const median = lengths[lengths.length >> 1] || lengths.at(-1) || 1;
  const [across, up] = [x, y].map(
    (values) =>
      values.reduce((high, value) => Math.max(high, value), -1) -
      values.reduce((low, value) => Math.min(low, value), 1),
  );
  const room = Math.max(Math.sqrt((across * up) / x.length), Math.max(across, up) / x.length);
  return room > 0 ? Math.min(median, 1.5 * room) : median;
}

/** The total length of all edges. The longer, the fainter they are drawn. */
function inkOf(edges, x, y) {
  let long = 0;
  for (let k = 0; k < edges.length; k += 2)
    long += Math.hypot(x[edges[k]] - x[edges[k + 1]], y[edges[k]] - y[edges[k + 1]]);
  return long;
}

/** The smallest rectangle around all nodes. */
export function extent(graph) {
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let node = 0; node < graph.nodes; node += 1) {
    left = Math.min(left, graph.x[node]);
    right = Math.max(right, graph.x[node]);
    bottom = Math.min(bottom, graph.y[node]);
    top = Math.max(top, graph.y[node]);
  }
  return { left, right, bottom, top };
}

/** The neighbour that lies most nearly in a direction, or null. */
export function neighbourTowards(graph, from, dx, dy) {
  let [best, straightest] = [null, 0.2];
  for (const node of neighboursOf(graph, from)) {
    const [x, y] = [graph.x[node] - graph.x[from], graph.y[node] - graph.y[from]];
    const along = (x * dx + y * dy) / (Math.hypot(x, y) || 1);
    if (along > straightest + 1e-9) [best, straightest] = [node, along];
  }
  return best;
}

/** The size of a graph, in words. */
export const sizeOf = (graph, things) =>
  graph.roads
    ? `${things(graph.nodes, 'node')} · ${things(graph.roadCount, 'road')}`
    : `${things(graph.nodes, 'node')} · ${things(graph.edges.length / 2, 'edge')}`;
