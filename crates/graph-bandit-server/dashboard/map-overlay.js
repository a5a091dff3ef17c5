// The layer of the map that moves: agents, their next legs below the names, and the pointer's target.

import { shortCount } from './format.js';
import { drawNodes, radiusOf } from './map-base.js';
import { LABEL_FONT } from './labels.js';
import { drawTeam } from './map-walkers.js';
import { inSeconds, shortTime } from './roads.js';

/** A stay this long counts as endless. */
const FOREVER = 1e12;

/** The height of the badge that shows a stay, and its distance from everything else, in pixels. */
const [BADGE, APART] = [22, 4];

/** How many pieces a step is cut into to measure how much of it a badge hides. */
const PIECES = 8;

/** The size of the star that marks a node, in node radii, and its least size in pixels. */
const STAR = [1.25, 5];

/**
 * Draws the layer. A marker is the position of an agent, in coordinates of the graph; `drawNames` draws the names
 * above the legs. `scene.walkers` are several agents, each in its colour; without them there is one. `scene.isTeam`
 * says that they are the walkers of a team, which have numbers. Returns where the badge of the stay is.
 */
export function drawOverlay(context, graph, camera, scene, drawNames) {
  const radius = radiusOf(graph, camera);
  const at = (node) => [camera.screenX(graph.x[node]), camera.screenY(graph.y[node])];
  const { colours, leg, marker, levels, aside, covers } = scene;
  const walkers = scene.walkers ?? [{ leg, marker, colour: colours.agent }];
  const lit = scene.walkers ? walkers.find((walker) => walker.lit) : walkers[0];
  for (const walker of walkers) if (walker.trail) drawTrail(context, walker, camera, at, radius);
  if (lit?.allowed) for (const node of lit.allowed) ring(context, node, at, radius + 2, lit.colour, 1.5);
  drawLegs(context, walkers, at, radius, { colours, levels, aside });
  if (scene.star != null) drawStar(context, at(scene.star), radius, colours);
  if (scene.road !== null) drawPointedRoad(context, [0, 1].map((end) => at(graph.edges[scene.road + end])), colours);
  drawNames(context);
  ring(context, scene.selected, at, radius + 4, colours.ink, 2);
  ring(context, scene.hovered, at, radius + 4, colours.ink, 1.25);
  if (scene.focused !== null && scene.hasFocus) ring(context, scene.focused, at, radius + 7, colours.focus, 2.5);
  const told = badgeText(lit?.leg);
  const badge = told && placeBadge(context, [lit.leg.at, ...lit.leg.path].map(at), radius, told, { camera, covers });
  // The names of walkers leave the badge free.
  const taken = badge ? [...covers, badge] : covers;
  if (scene.isTeam) scene.drawn(drawTeam(context, camera, walkers, { colours, covers: taken }));
  else drawMarkers(context, walkers, camera, radius, colours);
  if (badge) drawBadge(context, badge, told, { ...colours, agent: lit.colour, onAgent: lit.onColour ?? colours.onAgent });
  return badge;
}

/** Draws the legs of all walkers: lines first, so that no line hides the nodes of another leg. */
function drawLegs(context, walkers, at, radius, look) {
  const legs = walkers
    .filter(({ leg }) => leg?.path.length > 0)
    .map((walker) => {
      const { beside: [right, down] = [0, 0] } = walker;
      const nodes = [walker.leg.at, ...walker.leg.path];
      const places = nodes.map(at);
      return { ...walker, nodes, places, points: places.map(([x, y]) => [x + right, y + down]) };
    });
  const each = (draw) => {
    for (const walker of legs) {
      context.globalAlpha = walker.alpha ?? 1;
      draw(walker, { ...look.colours, agent: walker.colour });
    }
    context.globalAlpha = 1;
  };
  each(({ points, dashes }, own) => drawLeg(context, points, radius, own, dashes));
  // Small nodes in a row would hide the leg; larger ones stand on it.
  if (radius >= 3.5) for (const { nodes, places } of legs) drawNodes(context, onLeg(nodes, places), radius, look);
  each(({ points, places, ring: rings = 0 }, own) => drawArrows(context, points, radius, own, [places.at(-1), rings]));
}

function drawMarkers(context, walkers, camera, radius, colours) {
  for (const { marker, colour, shift: [right, down] = [0, 0] } of walkers) {
    if (!marker) continue;
    const [x, y] = [camera.screenX(marker.x) + right, camera.screenY(marker.y) + down];
    drawMarker(context, x, y, Math.max(5, radius * 0.9), { ...colours, agent: colour });
  }
}

function onLeg(nodes, points) {
  const [x, y] = [{}, {}];
  nodes.forEach((node, k) => {
    [x[node], y[node]] = points[k];
  });
  return { x, y, visible: nodes };
}

function drawPointedRoad(context, [from, to], colours) {
  context.strokeStyle = colours.ink;
  context.globalAlpha = 0.35;
  context.lineWidth = 6;
  context.lineCap = 'round';
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
  context.globalAlpha = 1;
}

function ring(context, node, at, radius, colour, width) {
  if (node === null) return;
  const [x, y] = at(node);
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.stroke();
}

/** Draws where a walker has been, fainter with age. */
function drawTrail(context, { trail, marker, colour, dashes = [] }, camera, at, radius) {
  const points = trail.map(at);
  points.push([camera.screenX(marker.x), camera.screenY(marker.y)]);
  context.strokeStyle = colour;
  setStroke(context, Math.min(6, Math.max(2, radius * 0.6)), dashes);
  for (let k = 1; k < points.length; k += 1) {
    context.globalAlpha = (0.55 * k) / points.length;
    context.beginPath();
    context.moveTo(...points[k - 1]);
    context.lineTo(...points[k]);
    context.stroke();
    // The next piece goes on where this one ends.
    const [[ax, ay], [bx, by]] = [points[k - 1], points[k]];
    context.lineDashOffset += Math.hypot(bx - ax, by - ay);
  }
  context.globalAlpha = 1;
  setStroke(context, 1);
}

/** Sets the width of lines and their dashes, which are in widths of the line. */
function setStroke(context, width, dashes = []) {
  context.lineWidth = width;
  context.lineCap = dashes.length > 0 ? 'butt' : 'round';
  context.setLineDash(dashes.map((part) => part * width));
  context.lineDashOffset = 0;
}

/** Draws a star on a node. */
function drawStar(context, [x, y], radius, colours) {
  const size = Math.max(STAR[1], radius * STAR[0]);
  context.beginPath();
  for (let k = 0; k < 10; k += 1) {
    const [reach, angle] = [k % 2 ? size * 0.45 : size, (k * Math.PI) / 5 - Math.PI / 2];
    context.lineTo(x + reach * Math.cos(angle), y + reach * Math.sin(angle));
  }
  context.closePath();
  context.fillStyle = colours.star;
  context.strokeStyle = colours.paper;
  context.lineJoin = 'round';
  context.lineWidth = 2.5;
  context.stroke();
  context.fill();
}

function drawLeg(context, points, radius, colours, dashes) {
  context.lineJoin = 'round';
  const width = Math.min(3.5, Math.max(2, radius * 0.45));
  for (const [colour, reach, pattern] of [
    [colours.paper, width + 3],
    [colours.agent, width, dashes],
  ]) {
    context.strokeStyle = colour;
    setStroke(context, reach, pattern);
    context.beginPath();
    points.forEach(([x, y], k) => (k === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
    context.stroke();
  }
  setStroke(context, 1);
}

/** Draws the arrows of a leg, and a ring around its end, outside of `rings` other rings. */
function drawArrows(context, points, radius, colours, [[x, y], rings]) {
  context.fillStyle = colours.agent;
  for (let k = 1; k < points.length; k += 1) {
    const last = k === points.length - 1;
    const [[ax, ay], [bx, by]] = [points[k - 1], points[k]];
    const long = Math.hypot(bx - ax, by - ay);
    if (last) arrow(context, points[k - 1], points[k], long - radius - 2, Math.min(15, Math.max(7, long * 0.4)));
    else if (long > 34) arrow(context, points[k - 1], points[k], long / 2 + 6, 13);
  }
  context.strokeStyle = colours.agent;
  context.lineWidth = 2.5;
  context.beginPath();
  context.arc(x, y, radius + 2.5 + 3.5 * rings, 0, 2 * Math.PI);
  context.stroke();
}

/** Adds an arrowhead whose tip is `along` pixels from a towards b. */
function arrow(context, [ax, ay], [bx, by], along, size) {
  const angle = Math.atan2(by - ay, bx - ax);
  const [x, y] = [ax + along * Math.cos(angle), ay + along * Math.sin(angle)];
  context.beginPath();
  context.moveTo(x, y);
  for (const side of [-1, 1]) {
    context.lineTo(x - size * Math.cos(angle + side * 0.45), y - size * Math.sin(angle + side * 0.45));
  }
  context.fill();
}

function drawMarker(context, x, y, radius, colours) {
  const disc = (reach, colour, alpha) => {
    context.globalAlpha = alpha;
    context.fillStyle = colour;
    context.beginPath();
    context.arc(x, y, reach, 0, 2 * Math.PI);
    context.fill();
  };
  disc(radius + 10, colours.agent, 0.16);
  disc(radius + 4, colours.paper, 1);
  disc(radius + 2, colours.agent, 1);
  disc(radius * 0.42, colours.paper, 1);
}

/** When the leg ends, if roads take time, and how long the agent stays then. */
function badgeText(leg) {
  if (!leg) return null;
  const { stay, path, way } = leg;
  const parts = [];
  if (path.length > 0 && way.visits !== undefined)
    parts.push(`there in ${way.seconds === undefined ? shortTime(way.visits) : inSeconds(way.seconds)}`);
  if (stay > 0) {
    const much = stay >= FOREVER ? '' : ` ${shortCount(stay)}`;
    parts.push(path.length === 0 ? `stays${much}` : `then stays${much}`);
  }
  return parts.join(', ') || null;
}

function placeBadge(context, way, radius, text, view) {
  context.font = `600 ${LABEL_FONT}`;
  return badgeArea(way, radius, context.measureText(text).width + 16, view);
}

function drawBadge(context, { left, right, top }, text, colours) {
  context.font = `600 ${LABEL_FONT}`;
  context.fillStyle = colours.agent;
  context.strokeStyle = colours.paper;
  context.lineWidth = 2;
  context.beginPath();
  context.roundRect(left, top, right - left, BADGE, BADGE / 2);
  context.stroke();
  context.fill();
  context.fillStyle = colours.onAgent;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(text, (left + right) / 2, top + BADGE / 2 + 0.5);
}

/**
 * A place for the badge at the end of a path: above, below or beside it, if need be moved along the edge of a
 * cover; the one that hides the least of the path. None if the end is out of sight, or if it and all around it
 * are covered.
 */
function badgeArea(way, radius, wide, { camera: { width, height }, covers }) {
  const [x, y] = way.at(-1);
  if (x < 0 || y < 0 || x > width || y > height) return null;
  const area = (left, top) => ({ left, right: left + wide, top, bottom: top + BADGE });
  const within = (left) => Math.min(Math.max(APART, left), width - wide - APART);
  const rows = [y - radius - 44, y + radius + 20, y - BADGE / 2];
  const columns = [within(x - wide / 2), x - radius - 20 - wide, x + radius + 20];
  const beside = covers.flatMap(({ left, right }) => [left - wide - APART, right + APART]);
  const spots = [
    area(columns[0], rows[0]),
    area(columns[0], rows[1]),
    area(columns[1], rows[2]),
    area(columns[2], rows[2]),
    ...rows.slice(0, 2).flatMap((row) => beside.map((left) => area(left, row))),
  ];
  const clear = (spot) =>
    spot.left >= APART &&
    spot.top >= APART &&
    spot.right <= width - APART &&
    spot.bottom <= height - APART &&
    !covers.some((cover) => overlap(spot, cover));
  const near = (spot) => Math.abs((spot.left + spot.right) / 2 - x) <= wide + 60;
  const found = spots.filter((spot) => clear(spot) && near(spot));
  const hides = found.map((spot) => hidden(way, spot));
  return found[hides.indexOf(Math.min(...hides))] ?? null;
}

/** Roughly how many pixels of a path an area hides. */
function hidden(way, { left, right, top, bottom }) {
  let sum = 0;
  for (let k = 1; k < way.length; k += 1) {
    const [[ax, ay], [bx, by]] = [way[k - 1], way[k]];
    if (Math.max(ax, bx) < left || Math.min(ax, bx) > right) continue;
    if (Math.max(ay, by) < top || Math.min(ay, by) > bottom) continue;
    for (let part = 0; part < PIECES; part += 1) {
      const [px, py] = [ax + ((bx - ax) * part) / PIECES, ay + ((by - ay) * part) / PIECES];
      if (px > left && px < right && py > top && py < bottom) sum += Math.hypot(bx - ax, by - ay) / PIECES;
    }
  }
  return sum;
}

const overlap = (a, b) =>
  a.left < b.right + APART && a.right > b.left - APART && a.top < b.bottom + APART && a.bottom > b.top - APART;
