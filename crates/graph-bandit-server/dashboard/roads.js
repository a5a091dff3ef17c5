// Roads that run one way or take time: how they are kept, and times in words.
//
// Two nodes that roads join are one edge here, with a time for each direction that there is.

/** The edges of a map with roads, and how long each takes there and back; NaN where no road leads. */
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

/** Notes what roads are expected to take, where anything was told of them. */
export function learn({ roads }, told) {
  roads.learned = new Map(told.map(({ from, to, time, told }) => [roadKey(from, to), { time, told }]));
}

/** The roads of which anything was told, as pairs of nodes. */
export const learnedRoads = ({ roads }) => [...roads.learned.keys()].map((key) => key.split(' ').map(Number));

/** What was learned of a road: how long it is expected to take beyond the visit, and from how many drives. */
export const learnedOf = ({ roads }, from, to) => roads.learned.get(roadKey(from, to));

/** How long a road is expected to take beyond the visit. */
export const expectedOf = (graph, from, to) => learnedOf(graph, from, to)?.time ?? timeOf(graph, from, to);

/** Whether a road is expected to take another time than the map says, as far as people would see. */
export function isLearned(graph, from, to) {
  const learned = learnedOf(graph, from, to);
  return learned !== undefined && extraTime(graph, learned.time) !== extraTime(graph, timeOf(graph, from, to));
}

/** How long a road takes beyond the visit: in seconds where they are known, else in visits. */
export const extraTime = ({ visitTime }, time) =>
  `+${visitTime === undefined ? shortTime(time) : inSeconds(time * visitTime)}`;

const edgeOf = (a, b) => (a < b ? `${a} ${b}` : `${b} ${a}`);

/** How long the road from one node to another takes beyond the visit; NaN where there is none. */
export function timeOf({ roads }, from, to) {
  const place = roads.places.get(edgeOf(from, to));
  return place === undefined ? NaN : roads.times[2 * place + (from < to ? 0 : 1)];
}

/** A closed road, as it runs. */
export const roadKey = (from, to) => `${from} ${to}`;

/** The directions in which an edge can be driven, as pairs of nodes. */
export function waysOf({ edges, roads: { times } }, k) {
  const [a, b] = [edges[k], edges[k + 1]];
  return [
    [a, b, times[k]],
    [b, a, times[k + 1]],
  ].filter(([, , time]) => !Number.isNaN(time));
}

/** Whether no road of an edge is open. */
export const allClosed = (graph, k, blocked) =>
  waysOf(graph, k).every(([from, to]) => blocked.has(roadKey(from, to)));

/** A time in visits, where there is little room. */
export const shortTime = (time) =>
  time.toLocaleString('en', { maximumSignificantDigits: 3, notation: time < 10_000 ? 'standard' : 'compact' });

/** How long the way of an order takes, in visits and in seconds; nothing where roads take no time. */
export function wayOf({ times, times_in_seconds: seconds }) {
  const all = (list) => list?.reduce((sum, time) => sum + time, 0);
  return { visits: all(times), seconds: all(seconds) };
}

/** How long something takes, in visits, and in seconds where they are known. */
export function duration({ visits, seconds }) {
  const units = `${shortTime(visits)} ${visits === 1 ? 'visit' : 'visits'}`;
  return seconds === undefined ? units : `${inSeconds(seconds)} (${units})`;
}

/** Seconds as people say them. */
export function inSeconds(seconds) {
  if (seconds < 10) return `${shortTime(seconds)} s`;
  const all = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(all / 3600), Math.floor((all % 3600) / 60), all % 60];
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
  if (minutes > 0) return rest > 0 ? `${minutes} min ${rest} s` : `${minutes} min`;
  return `${rest} s`;
}
