// Chooses which names to draw: those that cover neither a node nor another name.

import { label } from './graph.js';

const CELL = 6;
const HEIGHT = 15;
const LONGEST = 26;
const MOST = 400;
/** With fewer pixels than this between neighbours, no name has room. */
const CROWDED = 20;
/** How much room an arrow or a cross on a road takes around its middle, in pixels. */
const MARK = 7;

export const LABEL_FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/** Shortens a name, and removes characters that would reverse or break the line. */
export function shortened(name) {
  const plain = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');
  const letters = Array.from(plain);
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join('')}…` : plain;
}

/** The free room: outside of nodes, of `covers`, which lie above the map, and of `marks` on roads. */
export function roomFor(camera, { points, radius, covers, marks }) {
  const room = new Room(camera.width, camera.height);
  for (const [x, y] of marks) room.take(box(x, y, MARK));
  for (const cover of covers) room.take(shifted(cover, camera.margin));
  for (const node of points.visible) room.take(box(points.x[node], points.y[node], radius - 1));
  return room;
}

/** Places labels in the free `room`; nodes in `first` come before all others. */
export function placeLabels(context, graph, camera, { points, radius, first, room }) {
  if (graph.step * camera.scale < CROWDED) return [];
  context.font = LABEL_FONT;
  const wanted = [...first.filter((node) => node < graph.nodes), ...byDegree(graph, points.visible)];
  const done = new Set();
  const labels = [];
  for (const node of wanted) {
    if (labels.length >= MOST) break;
    if (done.has(node)) continue;
    done.add(node);
    const text = shortened(label(graph, node));
    const wide = context.measureText(text).width;
    const spot = spots(points.x[node], points.y[node], radius + 5, wide, camera).find(
      ({ area }) => room.free(area) && uncut(area, camera),
    );
    if (!spot) continue;
    room.take(spot.area);
    labels.push({ text, ...spot });
  }
  return labels;
}

/** Hubs first: people look for them. Ties keep their order, so that names do not flicker. */
function byDegree(graph, nodes) {
  const degree = (node) => graph.starts[node + 1] - graph.starts[node];
  return [...nodes].sort((a, b) => degree(b) - degree(a) || a - b);
}

const box = (x, y, reach) => ({ left: x - reach, right: x + reach, top: y - reach, bottom: y + reach });

const shifted = ({ left, right, top, bottom }, by) => ({
  left: left + by,
  right: right + by,
  top: top + by,
  bottom: bottom + by,
});

/** Whether an area lies fully inside the window: half a number would be a wrong number. */
export function uncut({ left, right, top, bottom }, { width, height, margin }) {
  const within = left > margin && right < width - margin && top > margin && bottom < height - margin;
  return within || right < margin || left > width - margin || bottom < margin || top > height - margin;
}

/** Positions to try: right, above, below, left, then the corners. In sight if the node is. */
function spots(x, y, away, wide, { width, margin }) {
  const half = HEIGHT / 2;
  const spot = (left, middle) => ({
    x: left,
    y: middle,
    area: { left, right: left + wide, top: middle - half, bottom: middle + half },
  });
  const [low, high] = [margin + 4, width - margin - 4 - wide];
  const inSight = x > margin && x < width - margin && low < high;
  const centred = inSight ? Math.min(high, Math.max(low, x - wide / 2)) : x - wide / 2;
  return [
    spot(x + away, y),
    spot(centred, y - away - half + 2),
    spot(centred, y + away + half - 2),
    spot(x - away - wide, y),
    spot(x + away - wide, y + away + half - 2),
    spot(x + away - wide, y - away - half + 2),
    spot(x - away, y + away + half - 2),
    spot(x - away, y - away - half + 2),
  ];
}

/** The window as a grid of free and taken cells. */
class Room {
  constructor(width, height) {
    this.columns = Math.ceil(width / CELL);
    this.rows = Math.ceil(height / CELL);
    this.taken = new Uint8Array(this.columns * this.rows);
  }

  cells({ left, right, top, bottom }) {
    return [Math.floor(left / CELL), Math.floor(right / CELL), Math.floor(top / CELL), Math.floor(bottom / CELL)];
  }

  free(area) {
    const [left, right, top, bottom] = this.cells(area);
    if (left < 0 || top < 0 || right >= this.columns || bottom >= this.rows) return false;
    for (let row = top; row <= bottom; row += 1) {
      for (let column = left; column <= right; column += 1) if (this.taken[row * this.columns + column]) return false;
    }
    return true;
  }

  take(area) {
    const [left, right, top, bottom] = this.cells(area);
    for (let row = Math.max(0, top); row <= Math.min(this.rows - 1, bottom); row += 1) {
      for (let column = Math.max(0, left); column <= Math.min(this.columns - 1, right); column += 1) {
        this.taken[row * this.columns + column] = 1;
      }
    }
  }
}
