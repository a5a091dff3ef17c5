// What roads have beyond edges, drawn upon them: arrows of one-way streets, closed roads, and times.

import { LABEL_FONT } from './labels.js';
import { roadKey, shortTime, waysOf } from './roads.js';

/** Arrows and times are drawn where an edge has so many pixels. */
const [ROOM_FOR_ARROW, ROOM_FOR_TIME] = [26, 92];
/** How far what is said of one direction lies beside the line, in pixels. */
const BESIDE = 5;

/** Draws what roads have beyond edges: arrows of one-way streets, closed roads, and times where there is room. */
export function drawRoads(context, graph, camera, points, look) {
  const { edges } = graph;
  const { x, y } = points;
  const closed = [];
  context.fillStyle = look.colours.muted;
  context.beginPath();
  for (let k = 0; k < edges.length; k += 2) {
    const ways = waysOf(graph, k);
    const shut = ways.filter(([from, to]) => look.blocked.has(roadKey(from, to)));
    for (const [from, to] of shut) closed.push({ from, to, alone: ways.length === 1, all: shut.length === ways.length });
    if (ways.length !== 1 || shut.length > 0) continue;
    const line = lineOf(x, y, ways[0]);
    if (line.long >= ROOM_FOR_ARROW && line.isIn(camera)) arrowhead(context, line, line.long / 2 + 5, 10);
  }
  context.fill();
  drawClosed(context, closed, points, look.colours);
  drawTimes(context, graph, camera, points, look);
}

/** The line from node to node, seen along it. */
function lineOf(x, y, [from, to]) {
  const [dx, dy] = [x[to] - x[from], y[to] - y[from]];
  const long = Math.hypot(dx, dy);
  const [ux, uy] = long > 0 ? [dx / long, dy / long] : [1, 0];
  return {
    long,
    angle: Math.atan2(dy, dx),
    /** A point so far along the line, and so far to the right of whoever drives there. */
    at: (along, right = 0) => [x[from] + ux * along - uy * right, y[from] + uy * along + ux * right],
    isIn: ({ width, height }) => {
      const [mx, my] = [x[from] + dx / 2, y[from] + dy / 2];
      return mx > 0 && my > 0 && mx < width && my < height;
    },
  };
}

function arrowhead(context, { at, angle }, along, size, right = 0) {
  const [x, y] = at(along, right);
  context.moveTo(x, y);
  for (const side of [-1, 1])
    context.lineTo(x - size * Math.cos(angle + side * 0.5), y - size * Math.sin(angle + side * 0.5));
  context.closePath();
}

/**
 * Closed roads are red, broken and crossed out, with an arrow that tells the direction; beside the line where the
 * other direction is open.
 */
function drawClosed(context, closed, { x, y }, colours) {
  if (closed.length === 0) return;
  const lines = closed.map((road) => {
    const line = lineOf(x, y, [road.from, road.to]);
    return { ...line, ...road, right: road.all ? 0 : BESIDE };
  });
  context.strokeStyle = colours.blocked;
  context.fillStyle = colours.blocked;
  context.lineWidth = 2;
  context.setLineDash([6, 5]);
  context.beginPath();
  for (const { at, long, right } of lines) {
    context.moveTo(...at(0, right));
    context.lineTo(...at(long, right));
  }
  context.stroke();
  context.setLineDash([]);
  context.beginPath();
  for (const { at, long, right } of lines) {
    const [mx, my] = at(long / 2, right);
    for (const side of [-4, 4]) {
      context.moveTo(mx - 4, my - side);
      context.lineTo(mx + 4, my + side);
    }
  }
  context.stroke();
  context.beginPath();
  for (const line of lines) {
    // Where both directions are closed, the cross says it all.
    if ((line.alone || !line.all) && line.long >= ROOM_FOR_ARROW)
      arrowhead(context, line, line.long / 2 + 18, 9, line.right);
  }
  context.fill();
}

/** How long roads take beyond the visit, each direction on its right-hand side. */
function drawTimes(context, graph, camera, { x, y }, { colours }) {
  if (graph.step * camera.scale < ROOM_FOR_TIME) return;
  context.font = LABEL_FONT;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.lineWidth = 3;
  context.strokeStyle = colours.paper;
  context.fillStyle = colours.muted;
  for (let k = 0; k < graph.edges.length; k += 2) {
    for (const [from, to, time] of waysOf(graph, k)) {
      const line = lineOf(x, y, [from, to]);
      if (time === 0 || line.long < ROOM_FOR_TIME || !line.isIn(camera)) continue;
      const [tx, ty] = line.at(line.long * 0.36, 13);
      const text = `+${shortTime(time)}`;
      context.strokeText(text, tx, ty);
      context.fillText(text, tx, ty);
    }
  }
}
