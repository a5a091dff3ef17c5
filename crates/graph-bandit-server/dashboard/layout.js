// Places for graphs that have none: the same graph always looks the same.
//
// Pivot MDS (Brandes and Pich 2006) puts nodes so that distances to a few pivots are about those of
// the graph; then steps of stochastic gradient descent on stress (Zheng, Pawar, Goodman 2018), over all
// pairs of small graphs, over edges and pivots of large ones (Ortmann, Klimenta, Brandes 2017), spread out
// what fell together.

import { adjacency } from './graph.js';

const ALL_PAIRS = 400;
const ROUNDS = 24;

/** Places of all nodes. */
export function layout(nodes, edges) {
  const links = adjacency(nodes, edges);
  const pivots = distancesToPivots(nodes, links, pivotCount(nodes));
  const places = project(nodes, pivots);
  relax(nodes, edges, pivots, places);
  return upright(places);
}

function pivotCount(nodes) {
  if (nodes <= ALL_PAIRS) return nodes;
  return nodes <= 20_000 ? 48 : 24;
}

/** Hops to pivots, each as far as can be from those before it. */
function distancesToPivots(nodes, { starts, neighbours }, count) {
  const pivots = [];
  const nearest = new Uint32Array(nodes).fill(0xffff_ffff);
  const queue = new Uint32Array(nodes);
  let pivot = 0;
  for (let k = 0; k < Math.min(count, nodes); k += 1) {
    const hops = new Int32Array(nodes).fill(-1);
    hops[pivot] = 0;
    queue[0] = pivot;
    for (let head = 0, tail = 1; head < tail; head += 1) {
      const node = queue[head];
      for (let j = starts[node]; j < starts[node + 1]; j += 1) {
        const other = neighbours[j];
        if (hops[other] >= 0) continue;
        hops[other] = hops[node] + 1;
        queue[tail++] = other;
      }
    }
    pivots.push({ node: pivot, hops });
    let farthest = 0;
    for (let node = 0; node < nodes; node += 1) {
      // A part that cannot be reached is put as far away as can be.
      if (hops[node] < 0) hops[node] = nodes;
      if (hops[node] < nearest[node]) nearest[node] = hops[node];
      if (nearest[node] > nearest[farthest]) farthest = node;
    }
    pivot = farthest;
  }
  return pivots;
}

/** The two main axes of the squared distances, centred both ways. */
function project(nodes, pivots) {
  const count = pivots.length;
  const columns = pivots.map(({ hops }) => Float64Array.from(hops, (hop) => hop * hop));
  const rowMeans = new Float64Array(nodes);
  for (const column of columns) for (let node = 0; node < nodes; node += 1) rowMeans[node] += column[node] / count;
  const columnMeans = columns.map((column) => column.reduce((sum, value) => sum + value, 0) / nodes);
  const mean = columnMeans.reduce((sum, value) => sum + value, 0) / count;
  columns.forEach((column, k) => {
    for (let node = 0; node < nodes; node += 1)
      column[node] = -0.5 * (column[node] - rowMeans[node] - columnMeans[k] + mean);
  });
  const products = columns.map((a) => columns.map((b) => dot(a, b)));
  const first = mainAxis(products, null);
  const second = mainAxis(products, first);
  const along = (axis) => {
    const values = new Float64Array(nodes);
    columns.forEach((column, k) => {
      for (let node = 0; node < nodes; node += 1) values[node] += axis[k] * column[node];
    });
    return values;
  };
  const [x, y] = [along(first), along(second)];
  // What fell on one point could never be told apart by pulling: a turn by the golden angle.
  const spread = Math.sqrt(Math.max(dot(x, x), dot(y, y)) / nodes) * 0.02 + 1e-3;
  for (let node = 0; node < nodes; node += 1) {
    const size = spread * Math.sqrt((node + 0.5) / nodes);
    x[node] += size * Math.cos(node * 2.399963229728653);
    y[node] += size * Math.sin(node * 2.399963229728653);
  }
  rescale(pivots, x, y);
  return { x, y };
}

function dot(a, b) {
  let sum = 0;
  for (let k = 0; k < a.length; k += 1) sum += a[k] * b[k];
  return sum;
}

/** Power iteration, orthogonal to the axis found before. */
function mainAxis(matrix, before) {
  const size = matrix.length;
  let axis = Float64Array.from({ length: size }, (_, k) => Math.sin(1 + 1.7 * k));
  for (let round = 0; round < 60; round += 1) {
    if (before) {
      const overlap = dot(axis, before);
      for (let k = 0; k < size; k += 1) axis[k] -= overlap * before[k];
    }
    const next = Float64Array.from(matrix, (row) => dot(row, axis));
    const length = Math.sqrt(dot(next, next));
    if (!(length > 0)) return axis;
    axis = next.map((value) => value / length);
  }
  return axis;
}

/** A hop becomes one unit long, as the descent wants it. */
function rescale(pivots, x, y) {
  let [both, square] = [0, 0];
  for (const { node, hops } of pivots) {
    for (let other = 0; other < x.length; other += 1) {
      const apart = Math.hypot(x[other] - x[node], y[other] - y[node]);
      both += apart * hops[other];
      square += apart * apart;
    }
  }
  const factor = square > 0 ? both / square : 1;
  for (let node = 0; node < x.length; node += 1) {
    x[node] *= factor;
    y[node] *= factor;
  }
}

/** Pairs that pull and push, in an order that is mixed but always the same. */
function pairsOf(nodes, edges, pivots) {
  const [from, to, hops] = [[], [], []];
  const add = (a, b, apart) => {
    from.push(a);
    to.push(b);
    hops.push(apart);
  };
  if (pivots.length === nodes) {
    for (const { node, hops } of pivots) for (let other = 0; other < node; other += 1) add(node, other, hops[other]);
  } else {
    for (let k = 0; k < edges.length; k += 2) add(edges[k], edges[k + 1], 1);
    for (const { node, hops } of pivots) {
      for (let other = 0; other < nodes; other += 1) if (hops[other] > 0) add(node, other, hops[other]);
    }
  }
  return { from: Uint32Array.from(from), to: Uint32Array.from(to), hops: Float64Array.from(hops) };
}

function relax(nodes, edges, pivots, { x, y }) {
  const { from, to, hops } = pairsOf(nodes, edges, pivots);
  // A pivot that moved for everybody would be torn out of its place.
  const steady = pivots.length === nodes ? from.length : edges.length / 2;
  const order = Uint32Array.from(from, (_, k) => k);
  let state = 12345;
  const random = (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * below);
  };
  let longest = 1;
  for (const hop of hops) if (hop > longest) longest = hop;
  const [largest, smallest] = [longest * longest, 0.1];
  const cooling = Math.log(largest / smallest) / (ROUNDS - 1);
  for (let round = 0; round < ROUNDS; round += 1) {
    const rate = largest * Math.exp(-cooling * round);
    for (let k = order.length - 1; k > 0; k -= 1) {
      const j = random(k + 1);
      [order[k], order[j]] = [order[j], order[k]];
    }
    for (const pair of order) {
      const [a, b, hop] = [from[pair], to[pair], hops[pair]];
      const [dx, dy] = [x[a] - x[b], y[a] - y[b]];
      const apart = Math.sqrt(dx * dx + dy * dy) || 1e-9;
      const move = (Math.min(1, rate / (hop * hop)) * (apart - hop)) / (2 * apart);
      x[b] += move * dx;
      y[b] += move * dy;
      if (pair >= steady) continue;
      x[a] -= move * dx;
      y[a] -= move * dy;
    }
  }
}

/** Turned so that the longer axis lies. */
function upright({ x, y }) {
  const nodes = x.length;
  const [middleX, middleY] = [x, y].map((values) => values.reduce((sum, value) => sum + value, 0) / nodes);
  let [xx, xy, yy] = [0, 0, 0];
  for (let node = 0; node < nodes; node += 1) {
    const [dx, dy] = [x[node] - middleX, y[node] - middleY];
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  const turn = -0.5 * Math.atan2(2 * xy, xx - yy);
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  for (let node = 0; node < nodes; node += 1) {
    const [dx, dy] = [x[node] - middleX, y[node] - middleY];
    x[node] = cos * dx - sin * dy;
    y[node] = sin * dx + cos * dy;
  }
  return { x, y };
}
