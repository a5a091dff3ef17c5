// The layer of the map that changes seldom: edges, coloured nodes, and names on a layer of their own
// above the leg. Drawn in few large paths, because ten thousand small ones are slow.

import { UNKNOWN } from './palette.js';
import { placeLabels, roomFor } from './labels.js';
import { drawRoads } from './map-roads.js';
import { drawTimes, placeLearned, placeTimes } from './road-times.js';
import { allClosed } from './roads.js';

/** Segments and discs per path: rasterizers are slow with paths of very many parts. */
const SEGMENTS = 400;
const DISCS = 100;

/** The radius of nodes, by how far apart they are on the screen. */
export const radiusOf = (graph, camera) => Math.min(9, Math.max(1.4, graph.step * camera.scale * 0.24));

/** Draws both layers, and returns how many names and road times found room. */
export function drawBase(context, names, graph, camera, look) {
  const radius = radiusOf(graph, camera);
  const points = project(graph, camera, radius);
  drawEdges(context, graph, camera, points, look);
  const marks = graph.roads ? drawRoads(context, names, graph, camera, points, look) : [];
  if (!graph.roads) drawBlocked(context, points, look);
  drawNodes(context, points, radius, look);
  const { first, covers } = look;
  const room = roomFor(camera, { points, radius, covers, marks });
  // Learned times get room first, then names, then the map's own times.
  const learned = placeLearned(names, graph, camera, { points, room });
  const labels = placeLabels(names, graph, camera, { points, radius, first, room });
  const times = [...learned, ...placeTimes(names, graph, camera, { points, room })];
  drawLabels(names, labels, look);
  drawTimes(names, times, look);
  return { labels: labels.length, times: times.length };
}

/** Screen positions of all nodes, and which of them are in sight. */
function project(graph, camera, radius) {
  const { nodes } = graph;
  const [x, y] = [new Float32Array(nodes), new Float32Array(nodes)];
  const visible = [];
  const reach = radius + 2;
  for (let node = 0; node < nodes; node += 1) {
    x[node] = camera.screenX(graph.x[node]);
    y[node] = camera.screenY(graph.y[node]);
    if (x[node] > -reach && y[node] > -reach && x[node] < camera.width + reach && y[node] < camera.height + reach) {
      visible.push(node);
    }
  }
  return { x, y, visible };
}

function drawEdges(context, graph, camera, { x, y }, { colours, blocked }) {
  const { edges } = graph;
  const [width, height] = [camera.width, camera.height];
  const crowded = graph.step * camera.scale < 14;
  context.strokeStyle = colours.edge;
  context.lineWidth = crowded ? 0.75 : 1.25;
  // The graph is about one unit wide and high.
  context.globalAlpha = Math.min(1, Math.max(0.1, (0.6 * camera.scale) / graph.ink));
  context.setLineDash([]);
  let parts = 0;
  context.beginPath();
  for (let k = 0; k < edges.length; k += 2) {
    const [a, b] = [edges[k], edges[k + 1]];
    const [ax, ay, bx, by] = [x[a], y[a], x[b], y[b]];
    if ((ax < 0 && bx < 0) || (ay < 0 && by < 0) || (ax > width && bx > width) || (ay > height && by > height))
      continue;
    if (blocked.size > 0 && (graph.roads ? allClosed(graph, k, blocked) : blocked.has(edgeKey(a, b)))) continue;
    context.moveTo(ax, ay);
    context.lineTo(bx, by);
    parts += 1;
    if (parts === SEGMENTS) {
      context.stroke();
      context.beginPath();
      parts = 0;
    }
  }
  context.stroke();
  context.globalAlpha = 1;
}

/** The key of an edge; the order of its ends does not matter. */
export const edgeKey = (a, b) => (a < b ? `${a} ${b}` : `${b} ${a}`);

/** Blocked edges are red, dashed and crossed out, since somebody would miss any one of these. */
function drawBlocked(context, { x, y }, { colours, blocked }) {
  if (blocked.size === 0) return;
  context.strokeStyle = colours.blocked;
  context.lineWidth = 2;
  const ends = [...blocked].map((key) => key.split(' ').map(Number));
  context.setLineDash([6, 5]);
  context.beginPath();
  for (const [a, b] of ends) {
    context.moveTo(x[a], y[a]);
    context.lineTo(x[b], y[b]);
  }
  context.stroke();
  context.setLineDash([]);
  context.beginPath();
  for (const [a, b] of ends) {
    const [mx, my] = [(x[a] + x[b]) / 2, (y[a] + y[b]) / 2];
    context.moveTo(mx - 4, my - 4);
    context.lineTo(mx + 4, my + 4);
    context.moveTo(mx - 4, my + 4);
    context.lineTo(mx + 4, my - 4);
  }
  context.stroke();
}

/** Draws the nodes in `points.visible`. Nodes that cannot be reached are grey. */
export function drawNodes(context, points, radius, { colours, levels, aside }) {
  const byLevel = Array.from({ length: colours.ramp.length }, () => []);
  const [unknown, cutOff] = [[], []];
  for (const node of points.visible) {
    const level = levels[node];
    if (aside[node]) cutOff.push(node);
    else (level === UNKNOWN ? unknown : byLevel[level]).push(node);
  }
  paint(cutOff, points, Math.max(0.9, radius * 0.7), (path) => {
    context.fillStyle = colours.edge;
    context.fill(path);
  });
  const hollow = radius >= 2.5;
  paint(unknown, points, Math.max(0.9, radius * (hollow ? 0.82 : 0.7)), (path) => {
    context.fillStyle = hollow ? colours.paper : colours.edge;
    context.fill(path);
    if (!hollow) return;
    context.strokeStyle = colours.muted;
    context.lineWidth = radius > 5 ? 1.5 : 1;
    context.stroke(path);
  });
  byLevel.forEach((nodes, level) => {
    paint(nodes, points, radius, (path) => {
      context.fillStyle = colours.ramp[level];
      context.fill(path);
      if (radius < 4) return;
      context.strokeStyle = colours.paper;
      context.lineWidth = 1.25;
      context.stroke(path);
    });
  });
}

/** Calls `fill` with paths of discs, or of squares if they are too small to tell apart. */
function paint(nodes, { x, y }, radius, fill) {
  for (let from = 0; from < nodes.length; from += DISCS) {
    const path = new Path2D();
    for (const node of nodes.slice(from, from + DISCS)) {
      if (radius < 2) {
        path.rect(x[node] - radius, y[node] - radius, 2 * radius, 2 * radius);
      } else {
        path.moveTo(x[node] + radius, y[node]);
        path.arc(x[node], y[node], radius, 0, 2 * Math.PI);
      }
    }
    fill(path);
  }
}

function drawLabels(context, labels, { colours }) {
  context.lineJoin = 'round';
  context.textBaseline = 'middle';
  context.strokeStyle = colours.paper;
  context.fillStyle = colours.ink;
  context.lineWidth = 3;
  context.textAlign = 'left';
  for (const { text, x, y } of labels) {
    context.strokeText(text, x, y);
    context.fillText(text, x, y);
  }
}
