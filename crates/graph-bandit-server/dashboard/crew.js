// The walkers of a team on the map: where each is drawn, in which colour, and which of them is under the pointer.

import { readableOn } from './palette.js';
import { calledWalker, hueOf } from './team.js';
import { glide, gliding, placeAt } from './walk.js';

/** The radius of a walker's disc, in pixels. */
export const DISC = 9.5;
/** How far legs lie beside each other, in pixels. */
const BESIDE = 2.6;
/** How many walkers are drawn on one node; a count stands for the rest. */
const MOST_ON_NODE = 24;
/** How far such a crowd reaches, and where its count stands, in pixels. */
export const CROWD = 92;
/** How strongly walkers are drawn while another one is pointed at or chosen. */
const FAINT = 0.32;
/** How far outside its disc a walker can still be pointed at, in pixels. */
const REACH = 3;

export class Crew {
  constructor(graph) {
    this.graph = graph;
    this.walkers = [];
    this.glides = new Map();
    this.lit = null;
    this.readColours();
  }

  /** Takes the colours of the present theme. */
  readColours() {
    const style = getComputedStyle(document.documentElement);
    this.colourOf = (number) => style.getPropertyValue(hueOf(number)).trim();
    for (const walker of this.walkers) Object.assign(walker, this.coloursOf(walker.number));
  }

  coloursOf(number) {
    const colour = this.colourOf(number);
    return { colour, onColour: readableOn(colour) };
  }

  /** Takes the walkers of a state. `moves` says whether they may glide. */
  set(walkers, now, moves) {
    const before = new Map(this.walkers.map((walker) => [walker.number, walker]));
    for (const { walker, at } of walkers) {
      const former = before.get(walker);
      if (former && former.leg.at === at.node) continue;
      const follows = former && moves && !gliding(this.glides.get(walker) ?? null, now);
      const way = follows ? glide(this.graph, former.leg.at, at.node, now) : null;
      if (way) this.glides.set(walker, way);
      else this.glides.delete(walker);
    }
    const places = placesOf(walkers);
    const goals = goalsOf(walkers);
    this.walkers = walkers.map((each, k) => ({
      number: each.walker,
      name: each.name,
      called: calledWalker(each),
      leg: { at: each.at.node, path: each.path, stay: each.stay, way: { visits: undefined } },
      allowed: each.nodes,
      beside: walkers.length > 1 ? besideOf(k) : [0, 0],
      ...this.coloursOf(each.walker),
      ...places[k],
      ...goals[k],
    }));
  }

  /** Sets how long the way of a walker takes. */
  setWay(number, way) {
    const walker = this.find(number);
    if (walker) walker.leg.way = way;
  }

  find(number) {
    return this.walkers.find((walker) => walker.number === number);
  }

  /** The walkers on a node. */
  on(node) {
    return this.walkers.filter(({ leg }) => leg.at === node);
  }

  /** Sets where all walkers are drawn now; returns whether some of them still move. */
  advance(now) {
    const { graph } = this;
    for (const walker of this.walkers) {
      const way = this.glides.get(walker.number);
      const { at } = walker.leg;
      walker.marker = way ? placeAt(graph, way, now) : { x: graph.x[at], y: graph.y[at] };
      if (way && !gliding(way, now)) this.glides.delete(walker.number);
    }
    return this.glides.size > 0;
  }

  /** The walkers as the map draws them: the one that is lit comes last, above all others. */
  scene() {
    const lit = this.find(this.lit);
    const looks = this.walkers.map((walker) => ({
      ...walker,
      lit: walker === lit,
      alpha: lit && walker !== lit ? FAINT : 1,
    }));
    return looks.sort((a, b) => a.lit - b.lit);
  }

  /** The number of the walker at a point of the screen, or null. */
  at(camera, x, y) {
    let [found, nearest] = [null, DISC + REACH];
    for (const { number, marker, shift, hidden } of this.walkers) {
      if (!marker || hidden) continue;
      const away = Math.hypot(camera.screenX(marker.x) + shift[0] - x, camera.screenY(marker.y) + shift[1] - y);
      if (away < nearest) [found, nearest] = [number, away];
    }
    return found;
  }
}

/** Where the discs of walkers on the same node lie beside each other. */
function placesOf(walkers) {
  const [here, seen] = [new Map(), new Map()];
  for (const { at } of walkers) here.set(at.node, (here.get(at.node) ?? 0) + 1);
  return walkers.map(({ at }) => {
    const [k, all] = [seen.get(at.node) ?? 0, here.get(at.node)];
    seen.set(at.node, k + 1);
    const rest = all - MOST_ON_NODE;
    return {
      shift: shiftOf(k, Math.min(all, MOST_ON_NODE)),
      hidden: k >= MOST_ON_NODE,
      more: k === 0 && rest > 0 ? rest : 0,
    };
  });
}

/** A ring while there is room in it, then a spiral. */
function shiftOf(k, all) {
  if (all === 1) return [0, 0];
  const wide = 2 * DISC + 3;
  if (all <= 7) {
    const [turn, away] = [
      (2 * Math.PI * k) / all - Math.PI / 2,
      Math.max(DISC + 4, wide / (2 * Math.sin(Math.PI / all))),
    ];
    return [away * Math.cos(turn), away * Math.sin(turn)];
  }
  const [turn, away] = [k * Math.PI * (3 - Math.sqrt(5)), wide * 0.62 * Math.sqrt(k + 0.6)];
  return [away * Math.cos(turn), away * Math.sin(turn)];
}

/** Legs of different walkers on the same road lie beside each other. */
function besideOf(k) {
  const turn = k * Math.PI * (3 - Math.sqrt(5)) + 0.7;
  return [BESIDE * Math.cos(turn), BESIDE * Math.sin(turn)];
}

/** Rings of walkers with the same destination lie around each other, and around the disc of a walker that is there. */
function goalsOf(walkers) {
  const seen = new Map(walkers.map(({ at }) => [at.node, 1]));
  return walkers.map(({ path }) => {
    if (path.length === 0) return { ring: 0 };
    const ring = seen.get(path.at(-1)) ?? 0;
    seen.set(path.at(-1), ring + 1);
    return { ring: Math.min(ring, 3) };
  });
}
