// Roads that run one way or take time, and times in words.
//
// The roads between two nodes are one edge here, with a time for each direction.

/** The edges of a map with roads, and the time of each direction; NaN if there is no road in that direction. */
export function roadsOf(roads) {
  const places = new Map();
  for (const [from, to] of roads) {
    const key = edgeOf(from, to);
    if (!places.has(key)) places.set(key, places.size);
  }
  const edges = new Uint32Array(2 * places.size);
  const times = new Float64Array(2 * places.size).fill(NaN);
  for (const [from, to, time] of roads) {
    const k = 2 * places.get(edgeOf(from, to));
    [edges[k], edges[k + 1]] = from < to ? [from, to] : [to, from];
    times[k + (from < to ? 0 : 1)] = time;
  }
  return { edges, times, places, learned: new Map() };
}

/** Sets the expected times of the roads with reports. */
export function learn({ roads }, told) {
  roads.learned = new Map(told.map(({ from, to, time, told }) => [roadKey(from, to), { time, told }]));
}

/** The roads with reports, as pairs of nodes. */
export const learnedRoads = ({ roads }) => [...roads.learned.keys()].map((key) => key.split(' ').map(Number));

/** The expected time of a road beyond the visit, and how many drives it was learned from. */
export const learnedOf = ({ roads }, from, to) => roads.learned.get(roadKey(from, to));

/** How long a road is expected to take beyond the visit. */
export const expectedOf = (graph, from, to) => learnedOf(graph, from, to)?.time ?? timeOf(graph, from, to);

/** Whether the expected time of a road, as displayed, differs from the map's. */
export function isLearned(graph, from, to) {
  const learned = learnedOf(graph, from, to);
  return learned !== undefined && extraTime(graph, learned.time) !== extraTime(graph, timeOf(graph, from, to));
}

/** How long a road takes beyond the visit: in seconds if known, else in visits. */
export const extraTime = ({ visitTime }, time) =>
  `+${visitTime === undefined ? shortTime(time) : inSeconds(time * visitTime)}`;

const edgeOf = (a, b) => (a < b ? `${a} ${b}` : `${b} ${a}`);

/** How long the road from one node to another takes beyond the visit; NaN if there is none. */
export function timeOf({ roads }, from, to) {
  const place = roads.places.get(edgeOf(from, to));
  return place === undefined ? NaN : roads.times[2 * place + (from < to ? 0 : 1)];
}

/** The key of a road in one direction. */
export const roadKey = (from, to) => `${from} ${to}`;

/** The directions in which an edge can be driven, as pairs of nodes. */
export function waysOf({ edges, roads: { times } }, k) {
  const [a, b] = [edges[k], edges[k + 1]];
  return [
    [a, b, times[k]],
    [b, a, times[k + 1]],
  ].filter(([, , time]) => !Number.isNaN(time));
}

/** Whether all roads of an edge are closed. */
export const allClosed = (graph, k, blocked) =>
  waysOf(graph, k).every(([from, to]) => blocked.has(roadKey(from, to)));

/** A time in visits, in short form. */
export const shortTime = (time) =>
  time.toLocaleString('en', { maximumSignificantDigits: 3, notation: time < 10_000 ? 'standard' : 'compact' });

/** How long the path of an order takes, in visits and in seconds; undefined if roads take no time. */
export function wayOf({ times, times_in_seconds: seconds }) {
  const all = (list) => list?.reduce((sum, time) => sum + time, 0);
  return { visits: all(times), seconds: all(seconds) };
}

/** A duration in visits, and in seconds if they are known. */
export function duration({ visits, seconds }) {
  const units = `${shortTime(visits)} ${visits === 1 ? 'visit' : 'visits'}`;
  return seconds === undefined ? units : `${inSeconds(seconds)} (${units})`;
}

/** Seconds in hours, minutes and seconds. */
export function inSeconds(seconds) {
  if (seconds < 10) return `${shortTime(seconds)} s`;
  const all = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(all / 3600), Math.floor((all % 3600) / 60), all % 60];
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
  if (minutes > 0) return rest > 0 ? `${minutes} min ${rest} s` : `${minutes} min`;
  return `${rest} s`;
}
