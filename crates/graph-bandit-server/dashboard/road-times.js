// Draws road times beside the roads, if there is room: each direction on its right-hand side.

import { LABEL_FONT, uncut } from './labels.js';
import { lineOf } from './map-roads.js';
import { expectedOf, extraTime, isLearned, learnedRoads, waysOf } from './roads.js';

/** The least length of a road, in pixels, for its time to be drawn; a learned time needs less. */
const [ROOM_FOR_TIME, ROOM_FOR_LEARNED] = [78, 34];
/** The height of a time, in pixels. */
const HEIGHT = 13;
/** Positions to try: how far along the road, and how many pixels beside it. The best comes first. */
const PLACES = [
  [0.5, 6],
  [0.36, 6],
  [0.64, 6],
  [0.5, 13],
];

/** Places the learned times that differ from the map's in the free `room`. */
export function placeLearned(context, graph, camera, where) {
  const roads = graph.roads ? learnedRoads(graph).filter((road) => isLearned(graph, ...road)) : [];
  return place(context, graph, camera, { ...where, roads, learned: true, least: ROOM_FOR_LEARNED });
}

/** Places the map's times in the free `room`. */
export function placeTimes(context, graph, camera, where) {
  if (!graph.roads || graph.step * camera.scale < ROOM_FOR_TIME) return [];
  const roads = [];
  for (let k = 0; k < graph.edges.length; k += 2)
    for (const [from, to, time] of waysOf(graph, k))
      if (time > 0 && !isLearned(graph, from, to)) roads.push([from, to]);
  return place(context, graph, camera, { ...where, roads, learned: false, least: ROOM_FOR_TIME });
}

function place(context, graph, camera, { points: { x, y }, room, roads, learned, least }) {
  const placed = [];
  context.font = fontOf(learned);
  for (const [from, to] of roads) {
    const line = lineOf(x, y, [from, to]);
    if (line.long < least || !line.isIn(camera)) continue;
    const text = extraTime(graph, expectedOf(graph, from, to));
    const area = areas(line, context.measureText(text).width).find(
      (area) => room.free(area) && uncut(area, camera),
    );
    if (!area) continue;
    room.take(area);
    placed.push({ text, learned, x: (area.left + area.right) / 2, y: (area.top + area.bottom) / 2 });
  }
  return placed;
}

const fontOf = (learned) => (learned ? `600 ${LABEL_FONT}` : LABEL_FONT);

/** Boxes beside a line that do not touch it at any angle. */
function areas({ at, angle, long }, wide) {
  const reach = (wide * Math.abs(Math.sin(angle)) + HEIGHT * Math.abs(Math.cos(angle))) / 2;
  return PLACES.map(([share, apart]) => {
    const [x, y] = at(long * share, apart + reach);
    return { left: x - wide / 2, right: x + wide / 2, top: y - HEIGHT / 2, bottom: y + HEIGHT / 2 };
  });
}

/** Draws times; learned times are bold, since they differ from the map's. */
export function drawTimes(context, times, { colours }) {
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.lineWidth = 3;
  context.strokeStyle = colours.paper;
  for (const { text, learned, x, y } of times) {
    context.font = fontOf(learned);
    context.fillStyle = learned ? colours.ink : colours.muted;
    context.strokeText(text, x, y);
    context.fillText(text, x, y);
  }
}
