// Draws what roads have beyond edges: the arrows of one-way streets, and closed roads.

import { roadKey, waysOf } from './roads.js';

/** The least length of an edge, in pixels, for an arrow, and for an arrow beside a cross. */
const [ROOM_FOR_ARROW, ROOM_FOR_BOTH] = [26, 64];
/** How far the marks of one direction lie beside the line, in pixels. */
const BESIDE = 5;

/**
 * Draws arrows of one-way streets, and closed roads on the layer `above` the leg. Returns where they are, so that
 * no name hides them.
 */
export function drawRoads(context, above, graph, camera, points, look) {
  const { edges } = graph;
  const { x, y } = points;
  const closed = [];
  const marks = [];
  context.fillStyle = look.colours.muted;
  context.beginPath();
  for (let k = 0; k < edges.length; k += 2) {
    const ways = waysOf(graph, k);
    const shut = ways.filter(([from, to]) => look.blocked.has(roadKey(from, to)));
    for (const [from, to] of shut) closed.push({ from, to, alone: ways.length === 1, all: shut.length === ways.length });
    if (ways.length !== 1 || shut.length > 0) continue;
    const line = lineOf(x, y, ways[0]);
    if (line.long < ROOM_FOR_ARROW || !line.isIn(camera)) continue;
    arrowhead(context, line, line.long / 2 + 5, 10);
    marks.push(line.at(line.long / 2));
  }
  context.fill();
  return [...marks, ...drawClosed(above, closed, points, look.colours)];
}

/** The line from node to node, with coordinates along it. */
export function lineOf(x, y, [from, to]) {
  const [dx, dy] = [x[to] - x[from], y[to] - y[from]];
  const long = Math.hypot(dx, dy);
  const [ux, uy] = long > 0 ? [dx / long, dy / long] : [1, 0];
  return {
    long,
    angle: Math.atan2(dy, dx),
    /** The point at distance `along` on the line and `right` to the driver's right. */
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
 * Closed roads are red, dashed and crossed out, with an arrow for the direction; beside the line if the other
 * direction is open. Returns where the crosses are.
 */
function drawClosed(context, closed, { x, y }, colours) {
  if (closed.length === 0) return [];
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
    // It ends before the nodes if there is room.
    const short = long >= ROOM_FOR_ARROW ? 9 : 0;
    context.moveTo(...at(short, right));
    context.lineTo(...at(long - short, right));
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
    // If both directions are closed, the cross is enough.
    if ((line.alone || !line.all) && line.long >= ROOM_FOR_BOTH)
      arrowhead(context, line, line.long / 2 + 18, 9, line.right);
  }
  context.fill();
  return lines.map(({ at, long, right }) => at(long / 2, right));
}
